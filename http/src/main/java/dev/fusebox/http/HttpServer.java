package dev.fusebox.http;

import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Ticker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// An HTTP/1.1 server on one address. Thread-safe; [#open] blocks for as long as binding takes, and [#close] until
/// running requests have ended, at most [HttpTimes#closing].
///
/// Threads, all virtual: one that accepts, one that looks at deadlines, one for each connection, and one more for
/// a connection whose handler wants to know when its client leaves.
public final class HttpServer implements AutoCloseable {
    private final HttpSettings settings;
    private final HttpHandler handler;
    private final Platform platform;
    private volatile ServerSocketChannel listening;
    private final SocketAddress bound;
    private final HostGuard guard;
    private final PeerGuard peerGuard;
    private final RequestMemory room;
    private final HttpServerLog httpServerLog = new HttpServerLog();
    private final Set<HttpServerConnection> connections = ConcurrentHashMap.newKeySet();
    private final ConnectionSweeper connectionSweeper;
    private final Thread sweeping;
    private volatile boolean closing;
    private volatile @Nullable Thread closer;

    private HttpServer(HttpSettings settings, HttpHandler handler, Platform platform) throws IOException {
        this.settings = settings;
        this.handler = handler;
        this.platform = platform;
        this.listening = ListenSocket.bind(settings.address());
        this.bound = listening.getLocalAddress();
        this.guard = HostGuard.of(settings, bound);
        this.peerGuard = PeerGuard.of(settings.otherUsersPolicy(), platform.peerUsers(), httpServerLog);
        this.room = new RequestMemory(settings.limits().maxBodiesBytes());
        this.connectionSweeper = new ConnectionSweeper(connections, settings.times(), platform);
        this.sweeping = Thread.ofVirtual().name("fusebox-http-sweeper").unstarted(connectionSweeper);
    }

    /// Listens from now on.
    ///
    /// @throws IOException if the address cannot be had; the message says what to do
    public static HttpServer open(HttpSettings settings, HttpHandler handler, Platform platform) throws IOException {
        var front = new HttpServer(settings, handler, platform);
        front.sweeping.start();
        front.acceptFrom(front.listening);
        return front;
    }

    private void acceptFrom(ServerSocketChannel channel) {
        Thread.ofVirtual().name("fusebox-http-acceptor").start(new Acceptor(channel, this, platform));
    }

    /// Listens at its Unix socket anew, after somebody has removed the file of it: nobody finds the one there was.
    /// Connections stay. Not to be called by two threads at once.
    ///
    /// @throws IOException if it cannot be had; the message says what to do
    public void listenAgain() throws IOException {
        ServerSocketChannel last = listening;
        ServerSocketChannel next = ListenSocket.bind(bound);
        try {
            acceptFrom(next);
        } catch (RuntimeException | Error noThread) {
            ListenSocket.unbind(next, bound);
            throw noThread;
        }
        listening = next;
        last.close();
        // Whoever closes says so first and unbinds then: one of the two finds the other.
        if (closing) {
            unbind();
        }
    }

    /// The port it really listens on; -1 for a Unix socket.
    public int port() {
        return bound instanceof InetSocketAddress tcp ? tcp.getPort() : -1;
    }

    /// Where it really listens.
    public SocketAddress address() {
        return bound;
    }

    /// How many connections are open.
    public int connections() {
        return connections.size();
    }

    /// Accepts no more, ends the connections on which nothing runs, waits for the others, and cuts those that are
    /// left. Whoever has streams open should have closed them before.
    @Override
    public void close() {
        closing = true;
        closer = Thread.currentThread();
        unbind();
        connections.forEach(HttpServerConnection::endIfIdle);
        boolean interrupted = waitForTheRest();
        connections.forEach(HttpServerConnection::cut);
        connectionSweeper.stop();
        LockSupport.unpark(sweeping);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// Once only: later the same path may be somebody else's.
    private void unbind() {
        try {
            if (listening.isOpen()) {
                ListenSocket.unbind(listening, bound);
            }
        } catch (IOException e) {
            httpServerLog.trouble("closing " + bound + " failed", e);
        }
    }

    private boolean waitForTheRest() {
        try {
            platform.await(settings.times().closing(), connections::isEmpty);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    void admit(SocketChannel channel) throws IOException {
        if (connections.size() >= limits().maxConnections()) {
            Acceptor.refuse(channel);
            return;
        }
        var connection = new HttpServerConnection(channel, channel.getRemoteAddress(), this);
        connections.add(connection);
        if (closing) {
            connection.end();
            return;
        }
        try {
            connection.start(connection::runFirst);
        } catch (RuntimeException | Error e) {
            connection.end();
            throw e;
        }
    }

    HttpLimits limits() {
        return settings.limits();
    }

    HttpTimes times() {
        return settings.times();
    }

    HttpHandler handler() {
        return handler;
    }

    HttpServerLog httpServerLog() {
        return httpServerLog;
    }

    HostGuard guard() {
        return guard;
    }

    PeerGuard peerGuard() {
        return peerGuard;
    }

    RequestMemory room() {
        return room;
    }

    Ticker ticker() {
        return platform.ticker();
    }

    boolean isClosing() {
        return closing;
    }

    /// False if it was forgotten before.
    boolean forget(HttpServerConnection connection) {
        boolean first = connections.remove(connection);
        if (closing && connections.isEmpty()) {
            LockSupport.unpark(closer);
        }
        return first;
    }
}
