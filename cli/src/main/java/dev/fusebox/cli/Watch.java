package dev.fusebox.cli;

import java.time.Duration;
import java.util.List;

/// Shows the same thing again and again as it changes: on a terminal in the same place, elsewhere what is new,
/// line by line. For one thread; writing blocks while nobody reads.
final class Watch {
    /// Nobody reads faster.
    static final Duration PAUSE = Duration.ofSeconds(1);

    /// The cursor to the top left, and the screen empty from there.
    private static final String AFRESH = "\u001b[H\u001b[J";

    private final CommandOutput output;
    private final boolean inPlace;
    private List<String> shown = List.of();

    /// @param inPlace whether a terminal shows it
    Watch(CommandOutput output, boolean inPlace) {
        this.output = output;
        this.inPlace = inPlace;
    }

    /// False if nobody reads any more.
    boolean show(String text) {
        List<String> lines = text.lines().toList();
        if (!lines.equals(shown)) {
            if (inPlace) {
                output.out().print(AFRESH + text);
            } else {
                lines.stream().filter(line -> !shown.contains(line)).forEach(output.out()::println);
            }
            shown = lines;
        }
        // This flushes, too.
        return !output.out().checkError();
    }
}
