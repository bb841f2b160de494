package dev.fusebox.testkit.server;

import com.sun.net.httpserver.HttpServer;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// A server over HTTP on the loopback address, in the process of the test. It has all faults but those that harm a
/// process; for them see [ScriptedServer].
///
/// Thread-safe. Nothing blocks, apart from the calls its clients make.
public final class FixtureServer implements AutoCloseable {
    private static final String PATH = "/mcp";

    static {
        // Without this every short answer waits 40 ms for an acknowledgement. Read once, by the first server.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final HttpServer server;
    private final FixtureEndpoint front;
    private final ExecutorService threads;

    private FixtureServer(HttpServer server, FixtureEndpoint front, ExecutorService threads) {
        this.server = server;
        this.front = front;
        this.threads = threads;
    }

    /// Starts on any free port.
    public static FixtureServer start(ServerScript script) throws IOException {
        Fixture fixture = new Fixture(Platform.system(), script, HostProcess.borrowed());
        return start(fixture, 0);
    }

    static FixtureServer start(Fixture fixture, int port) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        FixtureEndpoint front = new FixtureEndpoint(fixture);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        server.createContext(PATH, front);
        server.setExecutor(threads);
        server.start();
        return new FixtureServer(server, front, threads);
    }

    /// Where clients connect to.
    public URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + PATH);
    }

    /// How many sessions there are.
    public int sessions() {
        return front.sessions();
    }

    /// Ends all sessions and closes all connections.
    @Override
    public void close() {
        front.close();
        server.stop(0);
        threads.shutdownNow();
    }
}
