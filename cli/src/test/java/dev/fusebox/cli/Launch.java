package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// A running launcher whose output is read line by line. Every wait is bounded; closing kills remaining processes.
final class Launch implements AutoCloseable {
    /// As long as a launch waits for the build of another one. Building the real tree takes a minute at most, and
    /// beside five other builds on two processors more than five; nothing waits that long unless it is broken.
    private static final int LIMIT_SECONDS = 900;

    private final Process process;
    private final List<String> out = new CopyOnWriteArrayList<>();
    private final List<String> err = new CopyOnWriteArrayList<>();
    private final LinkedBlockingQueue<String> newOut = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<String> newErr = new LinkedBlockingQueue<>();
    private final Thread outReader;
    private final Thread errReader;

    private Launch(Process process) {
        this.process = process;
        outReader = Thread.ofVirtual().unstarted(() -> read(process.getInputStream(), out, newOut));
        errReader = Thread.ofVirtual().unstarted(() -> read(process.getErrorStream(), err, newErr));
    }

    static Launch start(ProcessBuilder builder, String stdin) {
        try {
            Launch launch = new Launch(builder.start());
            launch.outReader.start();
            launch.errReader.start();
            launch.say(stdin);
            return launch;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void say(String stdin) {
        try (var to = process.getOutputStream()) {
            to.write(stdin.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // A program that does not read may have ended before; nothing is lost with what it did not want.
            return;
        }
    }

    /// How it ended.
    record Result(int code, List<String> out, List<String> err) {
        String errText() {
            return String.join("\n", err);
        }

        Result succeeds() {
            assertThat(code).as(errText()).isZero();
            return this;
        }
    }

    Result finish() {
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                fail("still running: " + err);
            }
            outReader.join(LIMIT_SECONDS * 1000L);
            errReader.join(LIMIT_SECONDS * 1000L);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while waiting for the launcher", e);
        }
        return new Result(process.exitValue(), List.copyOf(out), List.copyOf(err));
    }

    /// The rest of the first line on stderr that has the text, from the text on.
    String awaitErr(String text) {
        return await(newErr, text);
    }

    /// The same on stdout.
    String awaitOut(String text) {
        return await(newOut, text);
    }

    private String await(LinkedBlockingQueue<String> lines, String text) {
        try {
            for (; ; ) {
                String line = lines.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
                if (line == null) {
                    return fail("\"" + text + "\" did not come; came: " + out + err);
                }
                if (line.contains(text)) {
                    return line.substring(line.indexOf(text) + text.length()).strip();
                }
            }
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while waiting for a line", e);
        }
    }

    long pid() {
        return process.pid();
    }

    void terminate() {
        process.destroy();
    }

    /// As Ctrl-C does.
    void interrupt() {
        assertThat(Tried.succeeds(List.of("kill", "-INT", "" + pid()))).isTrue();
    }

    void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private static void read(InputStream from, List<String> lines, LinkedBlockingQueue<String> newLines) {
        try (var reader = new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
                newLines.add(line);
            }
        } catch (IOException e) {
            // The stream of a killed process may break off; what it said before counts.
            lines.add("(broken off: " + e.getMessage() + ")");
        }
    }
}
