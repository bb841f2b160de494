package dev.fusebox.interop;

import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.FreePort;
import dev.fusebox.fixtures.server.ScriptedServer;
import dev.fusebox.fixtures.server.ServerScript;
import java.nio.file.Path;
import java.util.Map;

/// An HTTP server as a separate process. The opener closes it, which waits for its end; the first query of its
/// address blocks until it listens.
final class Listening implements AutoCloseable {
    private final Program program;
    private final String type;
    private final String url;

    /// @param url empty for a program that tells it
    private Listening(Program program, String type, String url) {
        this.program = program;
        this.type = type;
        this.url = url;
    }

    /// The scripted server of the fixtures, for one era or both.
    static Listening fixture(Era era) {
        ServerScript script = ServerScript.faultless().withEra(era);
        var command = new ProcessBuilder(ScriptedServer.http(script, 0));
        return new Listening(Program.start("fixture", command, "listening on "), "http", "");
    }

    /// The official `everything` server. It cannot choose a free port, so it gets one that was free a moment ago.
    static Listening everything(Transport transport) {
        int port = FreePort.next();
        var command = new ProcessBuilder(
                Npm.node(), Npm.file("@modelcontextprotocol/server-everything", "dist/index.js"), transport.everything);
        command.environment().put("PORT", Integer.toString(port));
        Program program = Program.start("server-everything", command, "on port " + port);
        return new Listening(program, transport.type, "http://localhost:" + port + transport.path);
    }

    /// The server of the official SDK for Java.
    static Listening java() {
        var command = new ProcessBuilder(JavaProgram.server("http"));
        return new Listening(Program.start("Java server", command, "listening on "), "http", "");
    }

    /// The transports of servers that listen.
    enum Transport {
        STREAMABLE("http", "streamableHttp", "/mcp"),
        SSE("sse", "sse", "/sse");

        private final String type;
        private final String everything;
        private final String path;

        Transport(String type, String everything, String path) {
            this.type = type;
            this.everything = everything;
            this.path = path;
        }
    }

    /// How a client reaches it without anything in between.
    Target direct() {
        return type.equals("sse") ? Target.sse(url()) : Target.http(url());
    }

    /// Writes a configuration of the gateway with this server in it.
    Path configuration(Path folder) {
        return Configuration.of(folder, url(), Map.of("type", type));
    }

    private String url() {
        String told = program.said();
        return url.isEmpty() ? told : url;
    }

    @Override
    public void close() {
        program.close();
    }
}
