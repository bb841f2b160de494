package dev.fusebox.gateway;

import dev.fusebox.client.process.ProgramResult;
import dev.fusebox.client.process.ProgramRun;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Program;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A program that prints headers. Thread-safe; [#run] blocks up to ten seconds. Its text form contains no argument.
///
/// @param command the program and its arguments
record HeadersProgram(Platform platform, List<String> command) {
    private static final ProgramRun.Limits LIMITS = new ProgramRun.Limits(Duration.ofSeconds(10), 64 << 10);

    /// What programs need to find their files, the session bus and a display; none of them is a secret.
    private static final Set<String> NAMES = Set.of(
            "PATH",
            "HOME",
            "USER",
            "LOGNAME",
            "SHELL",
            "LANG",
            "TZ",
            "TMPDIR",
            "XDG_RUNTIME_DIR",
            "XDG_CONFIG_HOME",
            "XDG_DATA_HOME",
            "DBUS_SESSION_BUS_ADDRESS",
            "DISPLAY",
            "WAYLAND_DISPLAY");

    HeadersProgram {
        command = List.copyOf(command);
    }

    String name() {
        return command.getFirst();
    }

    /// @throws IOException if it fails or prints something else, with the reason
    PrintedHeaders run() throws IOException, InterruptedException {
        Program program = new Program(name(), command.subList(1, command.size()), environment(), null);
        return switch (ProgramRun.run(platform, program, new byte[0], LIMITS)) {
            case ProgramResult.Exited(int status, String output, String lastError) -> {
                if (status != 0) {
                    throw new IOException("failed with exit status " + status
                            + (lastError.isEmpty() ? " and printed no error" : ": " + lastError));
                }
                yield PrintedHeaders.read(output, platform.wallClock().instant());
            }
            case ProgramResult.Failed(boolean isMissing, String detail) ->
                throw new IOException(isMissing ? "there is no such program; check its path" : detail);
        };
    }

    private Map<String, String> environment() {
        Map<String, String> variables = new HashMap<>();
        platform.environment().forEach((name, value) -> {
            if (NAMES.contains(name) || name.startsWith("LC_")) {
                variables.put(name, value);
            }
        });
        return variables;
    }

    @Override
    public String toString() {
        return "HeadersProgram[" + name() + "]";
    }
}
