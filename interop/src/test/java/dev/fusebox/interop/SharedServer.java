package dev.fusebox.interop;

import dev.fusebox.protocol.JsonView;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// An HTTP server and a gateway in front of it, shared by all tests of a class. Direct results are requested once.
/// Owns both; for one thread.
final class SharedServer implements AutoCloseable {
    private final Listening server;
    private final Path configuration;
    private final Gateway gateway;
    private final Map<String, JsonView> direct = new HashMap<>();

    /// Waits until both listen.
    ///
    /// @param folder where the configuration is written
    SharedServer(Listening server, Path folder) {
        this.server = server;
        try {
            configuration = server.configuration(folder);
            gateway = Gateway.overHttp(configuration);
        } catch (RuntimeException | Error unusable) {
            server.close();
            throw unusable;
        }
    }

    /// What a session client gets for these calls without the gateway.
    JsonView direct(String calls) {
        return direct.computeIfAbsent(calls, each -> Scripts.run("calls.mjs", server.direct(), each));
    }

    /// What a client gets through the gateway; over standard input and output, through one of its own.
    JsonView through(Way way, String script, String calls) {
        return switch (way) {
            case STDIO -> way.through(configuration, target -> Scripts.run(script, target, calls));
            case HTTP -> Scripts.run(script, gateway.http(), calls);
            case SSE -> Scripts.run(script, gateway.sse(), calls);
        };
    }

    @Override
    public void close() {
        gateway.close();
        server.close();
    }
}
