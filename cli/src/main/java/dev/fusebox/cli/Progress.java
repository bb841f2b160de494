package dev.fusebox.cli;

import dev.fusebox.platform.Platform;
import java.io.PrintStream;
import java.time.Duration;
import java.util.function.Supplier;

/// Shows a person at a terminal what is being waited for, and since when, once that takes longer than a second;
/// takes it back when it is closed, also by Ctrl-C. Thread-safe; [#close] blocks as long as the terminal does.
///
/// It needs nothing of a terminal but that it can go back to the beginning of a line.
final class Progress implements AutoCloseable {
    private static final Duration PERIOD = Duration.ofSeconds(1);

    /// What fits on the line of any terminal beside the key: a line that is broken into two could not be taken
    /// back. The narrowest that people use have 40 columns.
    private static final int WIDEST = 38;

    /// What the terminal itself shows behind the line when it is pressed.
    private static final String KEY = "^C";

    private final PrintStream to;
    private final Supplier<String> what;
    private final Thread erasing = new Thread(this::erase, "fusebox-progress-end");
    private int width;
    private volatile boolean isOver;

    private Progress(PrintStream to, Supplier<String> what) {
        this.to = to;
        this.what = what;
    }

    /// Shows nothing where nobody is looking.
    ///
    /// @param what in the words of `calling jira/search`
    static Progress of(Platform platform, CommandOutput output, String what) {
        return of(platform, output, () -> what);
    }

    /// The same where what is waited for changes.
    static Progress of(Platform platform, CommandOutput output, Supplier<String> what) {
        Progress progress = new Progress(output.err(), what);
        if (CommandOutput.isWatched()) {
            progress.begin(platform);
        }
        return progress;
    }

    /// A column for each: how wide other letters are, each terminal says itself.
    static String narrow(String text) {
        return text.codePoints()
                .map(letter -> letter < ' ' || letter > '~' ? '?' : letter)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private void begin(Platform platform) {
        Runtime.getRuntime().addShutdownHook(erasing);
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
            String line = line(narrow(ServerTable.plain(what.get())), seconds);
            to.print("\r" + line);
            to.flush();
            width = line.length();
        }
    }

    /// @param what in letters of one column each
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
            Runtime.getRuntime().removeShutdownHook(erasing);
        } catch (IllegalStateException ending) {
            // The process is about to end, and nothing is shown any more.
            return;
        }
    }
}
