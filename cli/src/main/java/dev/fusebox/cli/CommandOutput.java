package dev.fusebox.cli;

import java.io.OutputStream;
import java.io.PrintStream;

/// The output of a command: results on `out`, everything else on `err`.
///
/// As thread-safe as its streams. Writing blocks while the reader does not read.
record CommandOutput(PrintStream out, PrintStream err, boolean color) {

    /// The process's own streams. The launcher decides on color: it can detect a terminal without loading the
    /// console classes, and it honours `NO_COLOR`.
    static CommandOutput ofProcess() {
        return new CommandOutput(System.out, System.err, Boolean.getBoolean("fusebox.color"));
    }

    /// Whether standard output is a terminal, as the launcher reports.
    static boolean isTerminal() {
        return Boolean.getBoolean("fusebox.terminal");
    }

    /// Whether standard error is a terminal on which progress can be shown and erased, as the launcher reports.
    static boolean isWatched() {
        return Boolean.getBoolean("fusebox.progress");
    }

    /// An output that discards everything.
    static CommandOutput discarding() {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false);
        return new CommandOutput(nowhere, nowhere, true);
    }

    String bold(String text) {
        return styled("1", text);
    }

    String red(String text) {
        return styled("31", text);
    }

    String green(String text) {
        return styled("32", text);
    }

    String yellow(String text) {
        return styled("33", text);
    }

    /// @param style a code of "Select Graphic Rendition" (ECMA-48, 8.3.117)
    private String styled(String style, String text) {
        return color ? "\u001b[" + style + "m" + text + "\u001b[0m" : text;
    }
}
