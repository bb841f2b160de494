package dev.fusebox.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Checks of the capabilities of this machine and user.
final class Tried {
    private Tried() {}

    /// Whether this command is there and ends well, within a time that is long enough for whatever is quick.
    static boolean succeeds(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException notThere) {
            return false;
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }
}
