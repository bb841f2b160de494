package dev.fusebox.cli;

import java.io.OutputStream;
import java.io.PrintStream;

/// Where a command writes: results for people or scripts on `out`, everything else on `err`.
///
/// As safe between threads as its streams are. Writing blocks while the reader at the other end does not read.
record CommandOutput(PrintStream out, PrintStream err, boolean color) {

    /// The process's own streams. The launcher alone decides on colour, since it can ask for a terminal without
    /// loading the console classes, and it knows `NO_COLOR`.
    static CommandOutput ofProcess() {
        return new CommandOutput(System.out, System.err, Boolean.getBoolean("fusebox.color"));
    }

    /// Whether the process writes to a terminal, as the launcher says.
    static boolean isTerminal() {
        return Boolean.getBoolean("fusebox.terminal");
    }

    /// Whether a person sees what is written to `err` at once, and it can be taken back, as the launcher says.
    static boolean isWatched() {
        return Boolean.getBoolean("fusebox.progress");
    }

    /// Swallows everything.
    static CommandOutput dark() {
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
