package dev.fusebox.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// An in-memory replacement of a gateway's standard input and output: frames are read one at a time, answers are
/// collected as they are written, and both are timed by the id of the call. Thread-safe; reading blocks until
/// there is a frame.
final class Frames {
    private static final Pattern ANSWER = Pattern.compile("\"id\":(\\d+)[^\\n]*?\"(result|error)\":");

    private final LinkedBlockingQueue<Frame> waiting = new LinkedBlockingQueue<>();
    private final Map<Long, Long> read = new ConcurrentHashMap<>();
    private final Map<Long, Answer> answered = new ConcurrentHashMap<>();

    private record Frame(long id, String text) {}

    /// @param at when it was written, by the clock of the JVM
    /// @param text the lines that were written together with it
    private record Answer(long at, String text) {}

    /// A request; an id of 0 for what is not answered.
    void send(long id, String frame) {
        waiting.add(new Frame(id, frame + "\n"));
    }

    boolean isAnswered(long id) {
        return answered.containsKey(id);
    }

    /// Whether the answer says this.
    boolean says(long id, String words) {
        Answer answer = answered.get(id);
        return answer != null && answer.text.contains(words);
    }

    /// From the reading of the request to the writing of its answer, in nanoseconds.
    long took(long id) {
        return Objects.requireNonNull(answered.get(id)).at - Objects.requireNonNull(read.get(id));
    }

    InputStream in() {
        return new InputStream() {
            private byte[] left = {};
            private int used;

            @Override
            public int read() {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0];
            }

            @Override
            public int read(byte[] into, int from, int most) {
                if (used == left.length) {
                    Frame next = next();
                    left = next.text.getBytes(UTF_8);
                    used = 0;
                    read.put(next.id, System.nanoTime());
                }
                int many = Math.min(most, left.length - used);
                System.arraycopy(left, used, into, from, many);
                used += many;
                return many;
            }
        };
    }

    private Frame next() {
        try {
            return waiting.take();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    OutputStream out() {
        return new OutputStream() {
            @Override
            public void write(int one) {
                write(new byte[] {(byte) one}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int from, int many) {
                long now = System.nanoTime();
                String text = new String(Arrays.copyOfRange(bytes, from, from + many), ISO_8859_1);
                text.lines().forEach(line -> note(line, now));
            }
        };
    }

    private void note(String line, long now) {
        Matcher found = ANSWER.matcher(line);
        if (found.find()) {
            answered.put(Long.parseLong(found.group(1)), new Answer(now, line));
        }
    }
}
