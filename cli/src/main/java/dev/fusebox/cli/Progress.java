package dev.fusebox.cli;

import dev.fusebox.platform.Platform;
import java.io.PrintStream;
import java.time.Duration;
import java.util.function.Supplier;

/// A progress line on a terminal: what the command is waiting for, and for how long, once that exceeds a second.
/// It is erased on close and on Ctrl-C. Thread-safe; [#close] blocks as long as the terminal does.
///
/// It only requires a terminal that supports carriage return.
final class Progress implements AutoCloseable {
    private static final Duration PERIOD = Duration.ofSeconds(1);

    /// The width that fits on a terminal of 40 columns beside the key: a wrapped line could not be erased.
    private static final int WIDEST = 38;

    /// The terminal's echo of Ctrl-C.
    private static final String KEY = "^C";

    private final PrintStream to;
    private final Supplier<String> what;
    private final Thread eraseHook = new Thread(this::erase, "fusebox-progress-end");
    private int width;
    private volatile boolean isOver;

    private Progress(PrintStream to, Supplier<String> what) {
        this.to = to;
        this.what = what;
    }

    /// Starts a progress line if standard error is a terminal.
    ///
    /// @param what such as `calling jira/search`
    static Progress of(Platform platform, CommandOutput output, String what) {
        return of(platform, output, () -> what);
    }

    /// The same with a text that changes.
    static Progress of(Platform platform, CommandOutput output, Supplier<String> what) {
        Progress progress = new Progress(output.err(), what);
        if (CommandOutput.isWatched()) {
            progress.begin(platform);
        }
        return progress;
    }

    /// Replaces all characters but printable ASCII, because the width of others depends on the terminal.
    static String narrow(String text) {
        return text.codePoints()
                .map(letter -> letter < ' ' || letter > '~' ? '?' : letter)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private void begin(Platform platform) {
        Runtime.getRuntime().addShutdownHook(eraseHook);
        Thread.ofVirtual().name("fusebox-progress").start(() -> show(platform));
    }

    private void show(Platform platform) {
        try {
            for (long seconds = 1; !platform.await(PERIOD, () -> isOver); seconds++) {
                show(seconds);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void show(long seconds) {
        if (!isOver) {
            String line = line(narrow(OutputText.plain(what.get())), seconds);
            to.print("\r" + line);
            to.flush();
            width = line.length();
        }
    }

    /// @param what in characters of one column each
    static String line(String what, long seconds) {
        String end = " ... " + seconds + " s";
        return what.substring(0, Math.min(what.length(), WIDEST - end.length())) + end;
    }

    private synchronized void erase() {
        isOver = true;
        if (width > 0) {
            to.print("\r" + " ".repeat(width + KEY.length()) + "\r");
            to.flush();
            width = 0;
        }
    }

    @Override
    public void close() {
        erase();
        try {
            Runtime.getRuntime().removeShutdownHook(eraseHook);
        } catch (IllegalStateException ending) {
            // The process is shutting down, and the hook erases the line.
            return;
        }
    }
}
