package dev.fusebox.cli;

import dev.fusebox.breaker.BreakerEvent;
import dev.fusebox.breaker.State;
import dev.fusebox.protocol.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Tells the story of the demo line by line, as it happens, and notes what did not happen as told.
///
/// Thread-safe: several callers tell at once. Blocks while nobody reads the screen.
final class DemoNarrator {
    /// What every terminal shows without breaking the line.
    private static final int WIDTH = 79;

    private static final String MARGIN = " ".repeat(13);

    private final CommandOutput output;
    private final boolean asJson;
    private final List<String> surprises = new CopyOnWriteArrayList<>();

    DemoNarrator(CommandOutput output) {
        this(output, false);
    }

    /// @param asJson whether programs read it, an object a line
    DemoNarrator(CommandOutput output, boolean asJson) {
        this.output = output;
        this.asJson = asJson;
    }

    CommandOutput output() {
        return output;
    }

    /// Begins the next part of the story.
    void chapter(String text) {
        if (asJson) {
            print(object("chapter", "text", text));
            return;
        }
        print("");
        lines("", text).forEach(line -> print(output.bold(line)));
    }

    /// What somebody met, at the margin who it was.
    void line(String who, String what) {
        if (asJson) {
            print(object("step", "who", who, "what", what));
            return;
        }
        print("  " + who + " ".repeat(Math.max(1, MARGIN.length() - 2 - who.length())) + what);
    }

    /// The breaker changed its state.
    void change(BreakerEvent.StateChange change) {
        if (asJson) {
            String from = change.from().toString();
            String to = change.to().toString();
            print(object(
                    "change", "from", from, "to", to, "reason", change.reason().toString()));
            return;
        }
        print("  " + paint(change.to(), "* " + change.from() + " -> " + change.to()));
        words(change.reason().toString());
    }

    /// A text of any length, in lines that fit the screen.
    void words(String text) {
        if (asJson) {
            print(object("words", "text", text));
        } else {
            lines(MARGIN, text).forEach(this::print);
        }
    }

    /// @param members names and values in turn
    private static String object(String kind, String... members) {
        JsonWriter json = new JsonWriter().beginObject().name("kind").string(kind);
        for (int i = 0; i < members.length; i += 2) {
            json.name(members[i]).string(members[i + 1]);
        }
        return json.endObject().toString();
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

    ExitStatus verdict() {
        if (surprises.isEmpty()) {
            chapter("All of it went as it should.");
            return ExitStatus.DONE;
        }
        surprises.forEach(what -> output.err().println("fusebox: the demo went wrong, expected: " + what + "."));
        return ExitStatus.FAILED;
    }

    private void print(String line) {
        output.out().println(line);
        output.out().flush();
    }

    private String paint(State state, String text) {
        return output.color() ? "\u001b[" + colorOf(state) + "m" + text + "\u001b[0m" : text;
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
