package dev.fusebox.demo;

import dev.fusebox.breaker.BreakerEvent;
import dev.fusebox.breaker.State;
import dev.fusebox.protocol.JsonWriter;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Prints the steps of the demo as they happen, as text or as JSON, and records each step that went wrong.
///
/// Thread-safe: several callers print at once. Blocks while the reader at the other end does not read.
public final class DemoNarrator {
    /// What every terminal shows without breaking the line.
    private static final int WIDTH = 79;

    private static final String MARGIN = " ".repeat(13);

    private final PrintStream out;
    private final PrintStream err;
    private final boolean color;
    private final boolean asJson;
    private final List<String> failures = new CopyOnWriteArrayList<>();

    /// A narrator that nothing has been printed by yet.
    ///
    /// @param out receives the steps
    /// @param err receives what went wrong
    /// @param asJson whether each step is a JSON object on a line of its own
    public DemoNarrator(PrintStream out, PrintStream err, boolean color, boolean asJson) {
        this.out = out;
        this.err = err;
        this.color = color;
        this.asJson = asJson;
    }

    /// Begins the next part of the story.
    public void chapter(String text) {
        if (asJson) {
            print(object("chapter", "text", text));
            return;
        }
        print("");
        lines("", text).forEach(line -> print(styled("1", line)));
    }

    /// A step, with its actor at the margin.
    void line(String who, String what) {
        if (asJson) {
            print(object("step", "who", who, "what", what));
            return;
        }
        print("  " + who + " ".repeat(Math.max(1, MARGIN.length() - 2 - who.length())) + what);
    }

    /// A state change of the breaker.
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
    public void words(String text) {
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

    /// Records a failure of the demo unless the expectation holds.
    ///
    /// @param what the expectation, in the words of "a probe"
    public void expect(boolean asExpected, String what) {
        if (!asExpected) {
            failures.add(what);
        }
    }

    /// Prints how the demo ended; returns whether everything went as expected.
    public boolean verdict() {
        if (failures.isEmpty()) {
            chapter("All steps succeeded.");
            return true;
        }
        failures.forEach(what -> err.println("fusebox: the demo failed; expected: " + what + "."));
        return false;
    }

    private void print(String line) {
        out.println(line);
        out.flush();
    }

    private String paint(State state, String text) {
        return styled(String.valueOf(colorOf(state)), text);
    }

    /// @param style a code of "Select Graphic Rendition" (ECMA-48, 8.3.117)
    private String styled(String style, String text) {
        return color ? "\u001b[" + style + "m" + text + "\u001b[0m" : text;
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
