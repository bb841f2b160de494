package dev.fusebox.cli;

import java.time.Duration;
import java.util.List;

/// A view that is refreshed as its content changes: in place on a terminal, otherwise only new lines are printed.
/// For one thread; writing blocks while the reader does not read.
final class Watch {
    /// The refresh interval.
    static final Duration PAUSE = Duration.ofSeconds(1);

    /// Moves the cursor to the top left and clears the screen.
    private static final String CLEAR_SCREEN = "\u001b[H\u001b[J";

    private final CommandOutput output;
    private final boolean inPlace;
    private List<String> shown = List.of();

    /// @param inPlace whether the output is a terminal
    Watch(CommandOutput output, boolean inPlace) {
        this.output = output;
        this.inPlace = inPlace;
    }

    /// Shows the text; false if the reader has closed the output.
    boolean show(String text) {
        List<String> lines = text.lines().toList();
        if (!lines.equals(shown)) {
            if (inPlace) {
                output.out().print(CLEAR_SCREEN + text);
            } else {
                lines.stream().filter(line -> !shown.contains(line)).forEach(output.out()::println);
            }
            shown = lines;
        }
        // This flushes, too.
        return !output.out().checkError();
    }
}
