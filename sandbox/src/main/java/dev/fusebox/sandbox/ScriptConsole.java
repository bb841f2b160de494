package dev.fusebox.sandbox;

import java.util.ArrayList;
import java.util.List;

/// The console output of a script. Not thread-safe: the session holds the lock.
final class ScriptConsole {
    /// The number of characters from the beginning, and from the end, that are reported of a script that was
    /// stopped.
    static final int TOLD = 8 << 10;

    private static final int LONGEST_LINE = TOLD / 4;

    private final long most;
    private final List<String> lines = new ArrayList<>();
    private long said;

    /// @param most the greatest number of characters, line ends included
    ScriptConsole(long most) {
        this.most = most;
    }

    /// Adds a line; returns false if that exceeds the limit, regardless of the worker's report.
    boolean add(String line) {
        said += line.length() + 1L;
        return said <= most && lines.add(line);
    }

    List<String> all() {
        return List.copyOf(lines);
    }

    /// The beginning and the end, and between them the number of omitted lines.
    List<String> excerpt() {
        if (said <= 2 * TOLD) {
            return all();
        }
        int head = fitting(lines);
        int tail = fitting(lines.subList(head, lines.size()).reversed());
        List<String> excerpt = new ArrayList<>();
        lines.subList(0, head).forEach(line -> excerpt.add(cut(line)));
        if (head + tail < lines.size()) {
            excerpt.add("... (" + (lines.size() - head - tail) + " lines omitted)");
        }
        lines.subList(lines.size() - tail, lines.size()).forEach(line -> excerpt.add(cut(line)));
        return excerpt;
    }

    /// The number of lines that fit, each truncated if it is long.
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
                : line.substring(0, LONGEST_LINE) + "... (" + (line.length() - LONGEST_LINE) + " more characters)";
    }
}
