package dev.fusebox.oauth.secret;

import dev.fusebox.client.process.ProgramResult;
import dev.fusebox.client.process.ProgramRun;
import dev.fusebox.client.process.UserProgram;
import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A program that stores secrets. Thread-safe; [#run] blocks up to ten seconds.
///
/// @param command the program and its first arguments
record SecretProgram(Platform platform, List<String> command) {
    /// A keyring that asks its user to unlock it is not waited for.
    private static final ProgramRun.Limits LIMITS = new ProgramRun.Limits(Duration.ofSeconds(10), 1 << 20);

    SecretProgram {
        command = List.copyOf(command);
    }

    /// Runs the program with more arguments.
    ///
    /// @throws IOException if it does not start, does not end in time, or prints too much
    ProgramResult.Exited run(List<String> arguments, byte[] input) throws IOException {
        List<String> words = new ArrayList<>(command);
        words.addAll(arguments);
        try {
            return switch (ProgramRun.run(platform, UserProgram.of(platform, words), input, LIMITS)) {
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

    /// @throws IllegalArgumentException if secrets must not have this value
    static void check(byte[] value) {
        if (value.length == 0 || value.length > SecretStore.MAX_BYTES) {
            throw new IllegalArgumentException("a secret has 1 to " + SecretStore.MAX_BYTES + " bytes");
        }
    }
}
