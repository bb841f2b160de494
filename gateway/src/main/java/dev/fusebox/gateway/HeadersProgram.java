package dev.fusebox.gateway;

import dev.fusebox.client.process.ProgramResult;
import dev.fusebox.client.process.ProgramRun;
import dev.fusebox.client.process.UserProgram;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// A program that prints headers. Thread-safe; [#run] blocks up to ten seconds. Its text form contains no
/// argument.
///
/// @param command the program and its arguments
record HeadersProgram(Platform platform, List<String> command) {
    private static final ProgramRun.Limits LIMITS = new ProgramRun.Limits(Duration.ofSeconds(10), 64 << 10);

    HeadersProgram {
        command = List.copyOf(command);
    }

    String name() {
        return command.getFirst();
    }

    /// @throws IOException if it fails or prints something else, with the reason
    PrintedHeaders run() throws IOException, InterruptedException {
        return switch (ProgramRun.run(platform, UserProgram.of(platform, command), new byte[0], LIMITS)) {
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

    @Override
    public String toString() {
        return "HeadersProgram[" + name() + "]";
    }
}
