package dev.fusebox.gateway.observe;

import dev.fusebox.client.ProcessOutputListener;
import dev.fusebox.protocol.HiddenCharacters;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The last lines of the gateway's own log and of each server's standard error, numbered in one order. A server
/// that writes much pushes out its own lines only. Thread-safe; nothing blocks.
public final class LogBuffer {
    /// Stands for the gateway itself, which no server can be called.
    public static final String OWN = "";

    /// Of each writer.
    private static final int MOST_LINES = 500;

    /// Servers come and go with the configuration; there is room for as many as one gateway can have in a day.
    private static final int MOST_WRITERS = 2_000;

    private static final int MOST_CHARACTERS = 1_024;

    private final InstantSource clock;
    private final Map<String, Deque<Entry>> entries = new TreeMap<>();
    private volatile Consumer<Entry> copy = entry -> {};
    private long last;

    /// One line.
    ///
    /// @param writer id of a server, or [#OWN]
    public record Entry(long number, Instant at, String writer, String text) {
        /// As it stands in a file: `2026-11-22T05:06:07Z [jira] text`.
        @Override
        public String toString() {
            return UtcTimestamp.of(at) + (writer.isEmpty() ? " " : " [" + writer + "] ") + text;
        }
    }

    /// @param clock for people who read it
    public LogBuffer(InstantSource clock) {
        this.clock = clock;
    }

    /// Has every line from now on told to somebody else as well, who must not block.
    public void copyTo(Consumer<Entry> other) {
        copy = other;
    }

    /// Control characters, and others that are not seen, are not kept.
    public void write(String writer, String text) {
        String line = HiddenCharacters.of(onOneLine(text)).strip();
        Entry entry =
                noted(writer, line.length() <= MOST_CHARACTERS ? line : line.substring(0, MOST_CHARACTERS) + "...");
        if (entry != null) {
            copy.accept(entry);
        }
    }

    /// Most lines have no control characters, and need no regular expression.
    private static String onOneLine(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                return text.replaceAll("\\p{Cc}+", " ");
            }
        }
        return text;
    }

    private synchronized @Nullable Entry noted(String writer, String line) {
        if (entries.size() >= MOST_WRITERS && !entries.containsKey(writer)) {
            return null;
        }
        Entry entry = new Entry(++last, clock.instant(), writer, line);
        Deque<Entry> of = entries.computeIfAbsent(writer, each -> new ArrayDeque<>());
        of.addLast(entry);
        if (of.size() > MOST_LINES) {
            of.removeFirst();
        }
        return entry;
    }

    /// What came after a number, oldest first.
    ///
    /// @param writer null for all of them
    public synchronized List<Entry> after(long number, @Nullable String writer) {
        List<Entry> found = new ArrayList<>();
        entries.forEach((name, of) -> {
            if (writer == null || writer.equals(name)) {
                of.stream().filter(entry -> entry.number() > number).forEach(found::add);
            }
        });
        found.sort(Comparator.comparingLong(Entry::number));
        return found;
    }

    /// Writes down what the processes of a server say beside the protocol.
    public ProcessOutputListener listener(String server) {
        return new ProcessOutputListener() {
            @Override
            public void error(String line, long dropped) {
                if (dropped > 0) {
                    write(server, "(" + dropped + " lines were left out)");
                }
                write(server, line);
            }

            @Override
            public void noise(String line) {
                write(server, "(no message, on standard output) " + line);
            }
        };
    }
}
