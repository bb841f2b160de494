package dev.fusebox.interop;

import dev.fusebox.fixtures.server.FreePort;
import java.nio.file.Path;
import java.time.Duration;

/// Keycloak with the realm of `keycloak/realm.json`, as a separate process. Thread-safe. The opener closes it;
/// starting blocks until it listens.
final class Keycloak implements AutoCloseable {
    /// Half a minute is usual, more on a busy machine or at the first start.
    private static final Duration LIMIT = Duration.ofMinutes(4);

    private static final Path SCRIPT = Path.of("keycloak", "start").toAbsolutePath();

    private final Program program;
    private final int port;

    private Keycloak(Program program, int port) {
        this.program = program;
        this.port = port;
    }

    /// @param resource address of the protected server, for which it issues tokens
    static Keycloak start(String resource) {
        int port = FreePort.next();
        ProcessBuilder command = new ProcessBuilder(SCRIPT.toString(), resource, Integer.toString(port));
        command.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Keycloak keycloak = new Keycloak(Program.start("Keycloak", command, "Listening on: "), port);
        try {
            keycloak.program.said(0, LIMIT);
            return keycloak;
        } catch (AssertionError e) {
            keycloak.close();
            throw e;
        }
    }

    String issuer() {
        return "http://127.0.0.1:" + port + "/realms/mcp";
    }

    /// The only user.
    static ScriptedPerson alice() {
        return ScriptedPerson.agreeing("alice")
                .with("password", "alice-password")
                .with("accept", "Yes");
    }

    @Override
    public void close() {
        program.close();
    }
}
