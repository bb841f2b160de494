package dev.fusebox.testkit.server;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// The program of a scripted server: over standard input and output, or with `--http PORT` (0 for any free one)
/// over HTTP on the loopback address. Faults and the journal come as [ServerScript] says, from variables and
/// arguments.
///
/// Thread-safe, having no state; [#main] blocks until the server has ended.
public final class FixtureMain {
    /// As in sysexits.h: the command was used wrongly.
    private static final int WRONG_USAGE = 64;

    private static final String HTTP = "--http";
    private static final int STDIO = -1;

    private FixtureMain() {}

    public static void main(String[] arguments) throws IOException {
        Platform platform = Platform.system();
        OwnProcess process = new OwnProcess();
        ServerScript script = ServerScript.of(platform.environment());
        int port = STDIO;
        try {
            for (int i = 0; i < arguments.length; i += 2) {
                String value = i + 1 < arguments.length ? arguments[i + 1] : "";
                port = arguments[i].equals(HTTP) ? Integer.parseInt(value) : port;
                script = arguments[i].equals(HTTP) ? script : script.and(arguments[i], value);
            }
        } catch (IllegalArgumentException e) {
            process.complain("fixture: " + e.getMessage());
            OwnProcess.exit(WRONG_USAGE);
        }
        run(new Fixture(platform, script, process), process, port);
    }

    private static void run(Fixture fixture, OwnProcess process, int port) throws IOException {
        misbehaveAtStart(fixture.script(), process);
        if (port == STDIO) {
            new StdioServer(fixture, process).serve();
        } else {
            FixtureServer server = FixtureServer.start(fixture, port);
            String address = "listening on " + server.uri() + "\n";
            process.output().write(address.getBytes(StandardCharsets.UTF_8));
            process.standStill();
        }
        // A hook that ignores SIGTERM would keep an ordinary end waiting, too.
        OwnProcess.exit(0);
    }

    private static void misbehaveAtStart(ServerScript script, OwnProcess process) {
        script.fault(FaultKind.EXIT_AT_START).ifPresent(fault -> {
            for (int line = 1; line <= 10; line++) {
                process.complain("fixture: cannot start, reason " + line);
            }
            OwnProcess.exit(Math.toIntExact(fault.number()));
        });
        if (script.has(FaultKind.IGNORE_SIGTERM)) {
            process.ignoreTermination();
        }
    }
}
