package dev.fusebox.oauth.secret;

import dev.fusebox.client.process.ProgramResult;
import dev.fusebox.client.process.ProgramRun;
import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Program;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A program that stores secrets. Thread-safe; [#run] blocks up to ten seconds.
///
/// @param command the program and its first arguments
record SecretProgram(Platform platform, List<String> command) {
    /// A keyring that asks its user to unlock it is not waited for.
    private static final ProgramRun.Limits LIMITS = new ProgramRun.Limits(Duration.ofSeconds(10), 1 << 20);

    /// What programs need to find their files, the session bus and a display to ask on; none of them is a secret.
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

    SecretProgram {
        command = List.copyOf(command);
    }

    /// Runs the program with more arguments.
    ///
    /// @throws IOException if it does not start, does not end in time, or prints too much
    ProgramResult.Exited run(List<String> arguments, byte[] input) throws IOException {
        List<String> words = new ArrayList<>(command.subList(1, command.size()));
        words.addAll(arguments);
        Program program = new Program(name(), words, environment(), null);
        try {
            return switch (ProgramRun.run(platform, program, input, LIMITS)) {
                case ProgramResult.Exited exited -> exited;
                case ProgramResult.Failed(boolean isMissing, String detail) ->
                    throw new IOException("the program " + name() + " of the secret store failed: " + detail
                            + (isMissing ? remedy() : ""));
            };
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the program " + name() + " was running");
        }
    }

    /// The failure of a run that exited with an unexpected status.
    ///
    /// @param hidden secrets that its output could repeat
    IOException failure(ProgramResult.Exited exited, List<String> hidden) {
        String line = Redactor.of(hidden).hide(exited.lastError());
        return new IOException("the program " + name() + " of the secret store failed with exit status "
                + exited.status() + (line.isEmpty() ? " and printed no error" : ": " + line));
    }

    private String remedy() {
        return name().equals(KeyringSecretStore.LINUX)
                ? "; install it (package libsecret-tools or libsecret), or use \"credentials\": {\"store\": \"file\"}"
                : "";
    }

    String name() {
        return command.getFirst();
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

    /// @throws IllegalArgumentException if secrets must not have this value
    static void check(byte[] value) {
        if (value.length == 0 || value.length > SecretStore.MAX_BYTES) {
            throw new IllegalArgumentException("a secret has 1 to " + SecretStore.MAX_BYTES + " bytes");
        }
    }
}
