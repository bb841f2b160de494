package dev.fusebox.doctor;

import dev.fusebox.client.ProcessOutputListener;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/// A buffer of a server's recent output beside the protocol. Thread-safe; nothing blocks.
public final class CapturedStderr implements ProcessOutputListener {
    private static final int MAX_CHARACTERS = 8 << 10;
    private static final int MAX_NOISE = 3;

    private final Deque<String> errors = new ArrayDeque<>();
    private final Deque<String> noise = new ArrayDeque<>();
    private int characters;
    private long noisy;

    /// An empty buffer.
    public CapturedStderr() {}

    @Override
    public synchronized void error(String line, long dropped) {
        errors.addLast(line);
        characters += line.length() + 1;
        while (characters > MAX_CHARACTERS && errors.size() > 1) {
            characters -= errors.removeFirst().length() + 1;
        }
    }

    @Override
    public synchronized void noise(String line) {
        noisy++;
        if (noise.size() < MAX_NOISE) {
            noise.addLast(line.replaceAll("\\p{C}", " ").strip());
        }
    }

    /// The last lines of standard error, oldest first.
    synchronized List<String> errors() {
        return List.copyOf(errors);
    }

    /// The first lines on standard output that were not messages.
    synchronized List<String> noise() {
        return List.copyOf(noise);
    }

    /// The number of such lines.
    synchronized long noisy() {
        return noisy;
    }
}
