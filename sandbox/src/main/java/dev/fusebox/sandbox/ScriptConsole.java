package dev.fusebox.sandbox;

import java.util.ArrayList;
import java.util.List;

/// What a script has written to its console. Not thread-safe: the conversation has the lock.
final class ScriptConsole {
    /// So many characters from the beginning, and as many from the end, tell what a script was at when it was
    /// ended.
    static final int TOLD = 8 << 10;

    private static final int LONGEST_LINE = TOLD / 4;

    private final long most;
    private final List<String> lines = new ArrayList<>();
    private long said;

    /// @param most how many characters there may be, line ends included
    ScriptConsole(long most) {
        this.most = most;
    }

    /// One line more; false if that is too much, whatever the worker thinks.
    boolean add(String line) {
        said += line.length() + 1L;
        return said <= most && lines.add(line);
    }

    List<String> all() {
        return List.copyOf(lines);
    }

    /// Its beginning and its end, and between them how much is left out.
    List<String> excerpt() {
        if (said <= 2 * TOLD) {
            return all();
        }
        int head = fitting(lines);
        int tail = fitting(lines.subList(head, lines.size()).reversed());
        List<String> excerpt = new ArrayList<>();
        lines.subList(0, head).forEach(line -> excerpt.add(cut(line)));
        if (head + tail < lines.size()) {
            excerpt.add("... (" + (lines.size() - head - tail) + " lines are left out)");
        }
        lines.subList(lines.size() - tail, lines.size()).forEach(line -> excerpt.add(cut(line)));
        return excerpt;
    }

    /// How many of them can be told, each cut if it is long.
    private static int fitting(List<String> lines) {
        int count = 0;
        int room = TOLD;
        while (count < lines.size() && room >= 0) {
            room -= Math.min(lines.get(count).length(), LONGEST_LINE) + 1;
            count += room >= 0 ? 1 : 0;
        }
        return count;
    }

    private static String cut(String line) {
        return line.length() <= LONGEST_LINE
                ? line
                : line.substring(0, LONGEST_LINE) + "... (" + (line.length() - LONGEST_LINE) + " characters more)";
    }
}
