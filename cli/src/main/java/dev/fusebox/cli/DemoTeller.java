package dev.fusebox.cli;

import dev.fusebox.breaker.BreakerEvent;
import dev.fusebox.breaker.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Tells the story of the demo line by line, as it happens, and notes what did not happen as told.
///
/// Thread-safe: several callers tell at once. Blocks while nobody reads the screen.
final class DemoTeller {
    /// What every terminal shows without breaking the line.
    private static final int WIDTH = 79;

    private static final String MARGIN = " ".repeat(13);

    private final Screen screen;
    private final List<String> surprises = new CopyOnWriteArrayList<>();

    DemoTeller(Screen screen) {
        this.screen = screen;
    }

    /// Begins the next part of the story.
    void chapter(String text) {
        print("");
        lines("", text).forEach(line -> print(screen.bold(line)));
    }

    /// What somebody met, at the margin who it was.
    void line(String who, String what) {
        print("  " + who + " ".repeat(Math.max(1, MARGIN.length() - 2 - who.length())) + what);
    }

    /// The breaker changed its state.
    void change(BreakerEvent.StateChange change) {
        print("  " + paint(change.to(), "* " + change.from() + " -> " + change.to()));
        words(change.reason().toString());
    }

    /// A text of any length, in lines that fit the screen.
    void words(String text) {
        lines(MARGIN, text).forEach(this::print);
    }

    private static List<String> lines(String margin, String text) {
        List<String> lines = new ArrayList<>();
        var line = new StringBuilder(margin);
        for (String word : text.split(" ", -1)) {
            if (line.length() + word.length() > WIDTH) {
                lines.add(line.toString().stripTrailing());
                line = new StringBuilder(margin);
            }
            line.append(word).append(' ');
        }
        lines.add(line.toString().stripTrailing());
        return lines;
    }

    /// The story says so; if it is not so, the demo has failed.
    void expect(boolean asTold, String what) {
        if (!asTold) {
            surprises.add(what);
        }
    }

    Exit verdict() {
        if (surprises.isEmpty()) {
            chapter("All of it went as it should.");
            return Exit.DONE;
        }
        surprises.forEach(what -> screen.err().println("fusebox: the demo went wrong, expected: " + what + "."));
        return Exit.FAILED;
    }

    private void print(String line) {
        screen.out().println(line);
        screen.out().flush();
    }

    private String paint(State state, String text) {
        return screen.color() ? "\u001b[" + colorOf(state) + "m" + text + "\u001b[0m" : text;
    }

    private static int colorOf(State state) {
        return switch (state) {
            case CLOSED -> 32; // green
            case OPEN, FORCED_OPEN -> 31; // red
            case HALF_OPEN -> 33; // yellow
            case DISABLED -> 90; // grey
        };
    }
}
