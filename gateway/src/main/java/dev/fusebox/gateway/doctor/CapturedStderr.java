package dev.fusebox.gateway.doctor;

import dev.fusebox.client.ProcessOutputListener;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/// The last that a server's processes said beside the protocol. Thread-safe; nothing blocks.
public final class CapturedStderr implements ProcessOutputListener {
    private static final int MOST_CHARACTERS = 8 << 10;
    private static final int MOST_NOISE = 3;

    private final Deque<String> errors = new ArrayDeque<>();
    private final Deque<String> noise = new ArrayDeque<>();
    private int characters;
    private long noisy;

    /// Nothing so far.
    public CapturedStderr() {}

    @Override
    public synchronized void error(String line, long dropped) {
        errors.addLast(line);
        characters += line.length() + 1;
        while (characters > MOST_CHARACTERS && errors.size() > 1) {
            characters -= errors.removeFirst().length() + 1;
        }
    }

    @Override
    public synchronized void noise(String line) {
        noisy++;
        if (noise.size() < MOST_NOISE) {
            noise.addLast(line.replaceAll("\\p{C}", " ").strip());
        }
    }

    /// The last lines of standard error, oldest first.
    synchronized List<String> errors() {
        return List.copyOf(errors);
    }

    /// The first lines on standard output that were no messages.
    synchronized List<String> noise() {
        return List.copyOf(noise);
    }

    /// How many there were.
    synchronized long noisy() {
        return noisy;
    }
}
