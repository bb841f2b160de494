package dev.fusebox.client.process;

import dev.fusebox.client.redaction.Redactor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/// Ring buffer of the last bytes of a stream, read as printable lines without secrets. Thread-safe; nothing blocks
/// for long.
final class StderrTail {
    private static final int FIRST_BYTES = 1 << 10;

    private final int limit;
    private final Redactor secrets;
    private byte[] ring = new byte[FIRST_BYTES];
    private long written;

    StderrTail(int limit, Redactor secrets) {
        this.limit = limit;
        this.secrets = secrets;
    }

    synchronized void append(byte[] bytes, int count) {
        if (ring.length < limit && written + count > ring.length) {
            // Until the ring has its full size it has never wrapped around, so it can simply grow.
            ring = Arrays.copyOf(ring, (int) Math.min(limit, Math.max(2L * ring.length, written + count)));
        }
        int skipped = Math.max(0, count - ring.length);
        written += skipped;
        int at = skipped;
        while (at < count) {
            int place = (int) (written % ring.length);
            int length = Math.min(count - at, ring.length - place);
            System.arraycopy(bytes, at, ring, place, length);
            at += length;
            written += length;
        }
    }

    /// The last non-empty lines, oldest first: at most `lines`, and `bytes` of UTF-8 together.
    List<String> lines(int lines, int bytes) {
        Deque<String> found = new ArrayDeque<>();
        int left = bytes;
        for (String line : secrets.hideInPart(text()).split("\n", -1)) {
            String visible = PrintableOutput.line(line).strip();
            if (!visible.isEmpty()) {
                found.addLast(visible);
            }
            if (found.size() > lines) {
                found.removeFirst();
            }
        }
        Deque<String> kept = new ArrayDeque<>();
        while (!found.isEmpty() && left > 0) {
            String line = PrintableOutput.end(found.removeLast(), left);
            left -= line.getBytes(StandardCharsets.UTF_8).length + 1;
            kept.addFirst(line);
        }
        return List.copyOf(kept);
    }

    /// If older bytes are lost, it begins after the rest of any secret that may have begun in them, however it is
    /// split into lines.
    private String text() {
        String text = held();
        return isWhole() ? text : text.substring(afterLetters(text, secrets.longest()));
    }

    /// The index after so many characters that are not line breaks.
    private static int afterLetters(String text, int count) {
        int at = 0;
        for (int seen = 0; seen < count && at < text.length(); at++) {
            seen += text.charAt(at) == '\n' || text.charAt(at) == '\r' ? 0 : 1;
        }
        return at;
    }

    private synchronized boolean isWhole() {
        return written <= ring.length;
    }

    private synchronized String held() {
        int size = (int) Math.min(written, ring.length);
        int start = (int) ((written - size) % ring.length);
        byte[] bytes = new byte[size];
        int head = Math.min(size, ring.length - start);
        System.arraycopy(ring, start, bytes, 0, head);
        System.arraycopy(ring, 0, bytes, head, size - head);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
