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

/// A ring buffer of the last lines of the gateway's own log and of each server's standard error, with common
/// sequence numbers. A verbose server evicts only its own lines. Thread-safe; nothing blocks.
public final class LogBuffer {
    /// The writer name of the gateway itself, which no server can have.
    public static final String OWN = "";

    /// For each writer.
    private static final int MAX_LINES = 500;

    /// Servers come and go with the configuration; this is more than one gateway has in a day.
    private static final int MAX_WRITERS = 2_000;

    private static final int MAX_CHARACTERS = 1_024;

    private final InstantSource clock;
    private final Map<String, Deque<Entry>> entries = new TreeMap<>();
    private volatile Consumer<Entry> copy = entry -> {};
    private long last;

    /// One line.
    ///
    /// @param writer label of a server, or [#OWN]
    public record Entry(long number, Instant at, String writer, String text) {
        /// The form in a file: `2026-11-22T05:06:07Z [jira] text`.
        @Override
        public String toString() {
            return UtcTimestamp.of(at) + (writer.isEmpty() ? " " : " [" + writer + "] ") + text;
        }
    }

    /// @param clock the wall clock
    public LogBuffer(InstantSource clock) {
        this.clock = clock;
    }

    /// Passes every later line to this consumer as well, which must not block.
    public void copyTo(Consumer<Entry> other) {
        copy = other;
    }

    /// Removes control characters and invisible characters.
    public void write(String writer, String text) {
        String line = HiddenCharacters.of(onOneLine(text)).strip();
        Entry entry = noted(writer, line.length() <= MAX_CHARACTERS ? line : line.substring(0, MAX_CHARACTERS) + "...");
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
        if (entries.size() >= MAX_WRITERS && !entries.containsKey(writer)) {
            return null;
        }
        Entry entry = new Entry(++last, clock.instant(), writer, line);
        Deque<Entry> of = entries.computeIfAbsent(writer, each -> new ArrayDeque<>());
        of.addLast(entry);
        if (of.size() > MAX_LINES) {
            of.removeFirst();
        }
        return entry;
    }

    /// The lines after a number, oldest first.
    ///
    /// @param writer null for all writers; the name of a server includes labels such as `NAME@2`
    public synchronized List<Entry> after(long number, @Nullable String writer) {
        List<Entry> found = new ArrayList<>();
        entries.forEach((name, of) -> {
            if (writer == null || writer.equals(name) || name.startsWith(writer + "@")) {
                of.stream().filter(entry -> entry.number() > number).forEach(found::add);
            }
        });
        found.sort(Comparator.comparingLong(Entry::number));
        return found;
    }

    /// The listener that records a server's output beside the protocol.
    public ProcessOutputListener listener(String server) {
        return new ProcessOutputListener() {
            @Override
            public void error(String line, long dropped) {
                if (dropped > 0) {
                    write(server, "(" + dropped + " lines omitted)");
                }
                write(server, line);
            }

            @Override
            public void noise(String line) {
                write(server, "(not a message, on standard output) " + line);
            }
        };
    }
}
