package dev.fusebox.testkit.server;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/// A process that has nothing else to do than to be this server, and may be harmed. Thread-safe.
final class OwnProcess implements HostProcess {
    private static final int LINE = 80;

    private final FileInputStream in = new FileInputStream(FileDescriptor.in);
    private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);
    private final FileOutputStream err = new FileOutputStream(FileDescriptor.err);
    private final CountDownLatch never = new CountDownLatch(1);
    private volatile boolean readsNoMore;

    /// Standard input. Once this process has been told to read no more, reading never comes back.
    InputStream input() {
        return new FilterInputStream(in) {
            @Override
            public int read(byte[] to, int from, int length) throws IOException {
                if (readsNoMore) {
                    standStill();
                }
                return super.read(to, from, length);
            }
        };
    }

    OutputStream output() {
        return out;
    }

    void complain(String text) {
        try {
            err.write((text + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // Nobody listens to complaints: then there is nobody to tell that, either.
        }
    }

    /// Keeps the calling thread for ever. Only death ends it.
    void standStill() {
        while (true) {
            try {
                never.await();
            } catch (InterruptedException e) {
                // Nothing but death ends this.
            }
        }
    }

    /// Makes SIGTERM go nowhere: the end of the virtual machine waits for a thread that never ends, while all
    /// others go on.
    void ignoreTermination() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::standStill, "ignores-termination"));
    }

    /// Ends without waiting for anything.
    static void exit(int code) {
        Runtime.getRuntime().halt(code);
    }

    @Override
    public void crash(String how) {
        if (how.chars().allMatch(Character::isDigit)) {
            exit(Integer.parseInt(how));
        }
        try {
            new ProcessBuilder(
                            "kill",
                            "-" + how,
                            Long.toString(ProcessHandle.current().pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot send signal " + how, e);
        }
        standStill();
    }

    @Override
    public long fork(long seconds, boolean detached) throws ToolError, IOException {
        String sleeper = Long.toString(seconds);
        if (!detached) {
            return new ProcessBuilder("sleep", sleeper).inheritIO().start().pid();
        }
        Path note = Files.createTempFile("fixture-fork", ".pid");
        try {
            // The shell ends at once; its child becomes nobody's, in a session of its own.
            Process shell = new ProcessBuilder("setsid", "sh", "-c", "sleep $0 & echo $! > \"$1\"", sleeper, "" + note)
                    .inheritIO()
                    .start();
            shell.waitFor();
            return Long.parseLong(Files.readString(note).strip());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ToolError("interrupted while starting a process");
        } finally {
            Files.deleteIfExists(note);
        }
    }

    @Override
    public void complain(long bytes, boolean inLines) {
        byte[] block = new byte[LINE * 100];
        Arrays.fill(block, (byte) '!');
        for (int end = LINE - 1; inLines && end < block.length; end += LINE) {
            block[end] = '\n';
        }
        try {
            for (long left = bytes; left > 0; left -= block.length) {
                err.write(block, 0, (int) Math.min(left, block.length));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("standard error is closed", e);
        }
    }

    /// Closes the pipe, too: the JDK puts the null device in its place.
    @Override
    public void closeStdout() {
        close(out);
    }

    @Override
    public void closeStderr() {
        close(err);
    }

    private static void close(OutputStream stream) {
        try {
            stream.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void stopReading() {
        readsNoMore = true;
    }

    /// The command line of this very program, with other arguments.
    static List<String> command(List<String> flags, Class<?> main, List<String> arguments) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.add(main.getName());
        command.addAll(arguments);
        return command;
    }
}
