package dev.fusebox.interop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// The exit code and output of a program. Immutable.
record Run(String program, int code, String out, String err) {

    /// Runs a program to its end. Whatever it started is ended with it if it takes longer than it may.
    static Run of(ProcessBuilder program, Duration limit) {
        String name = String.join(" ", program.command());
        try {
            Path out = Files.createTempFile("peers-", ".out");
            Path err = Files.createTempFile("peers-", ".err");
            try {
                // Into files, because a pipe that a forgotten grandchild holds would never end.
                Process process = program.redirectOutput(out.toFile())
                        .redirectError(err.toFile())
                        .start();
                process.getOutputStream().close();
                boolean ended = await(process, limit);
                Run run = new Run(name, ended ? process.exitValue() : -1, Files.readString(out), Files.readString(err));
                if (!ended) {
                    throw new AssertionError("not done after " + limit + ": " + run);
                }
                return run;
            } finally {
                Files.delete(out);
                Files.delete(err);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(name, e);
        }
    }

    private static boolean await(Process process, Duration limit) {
        try {
            return process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while waiting for a program", e);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    Run succeeds() {
        if (code != 0) {
            throw new AssertionError("failed: " + this);
        }
        return this;
    }

    @Override
    public String toString() {
        return program + "\nended with " + code + " and wrote\n" + out + "\nand as errors\n" + err;
    }
}
