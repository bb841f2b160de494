package dev.fusebox.client.process;

import dev.fusebox.client.framing.LineSplitter;
import dev.fusebox.client.framing.OversizedMessage;
import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.platform.Platform;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Reader of the stderr of a child: keeps its tail, and passes on its lines with a rate limit. [#accept] is for
/// one thread, [#tail] for any; nothing blocks.
final class StderrReader implements LineSplitter.Sink {
    static final int RING_BYTES = 64 << 10;

    /// Longer lines are not passed on; the tail keeps more of them.
    private static final int LINE_BYTES = 1 << 10;

    private static final int BURST_LINES = 50;
    private static final long NANOS_PER_LINE = 50_000_000;

    /// Receiver of the lines.
    interface Sink {
        void log(String line, long dropped);
    }

    private final Platform platform;
    private final Sink sink;
    private final Redactor.Lines redactor;
    private final StderrTail stderrTail;
    private final LineSplitter lines = new LineSplitter(LINE_BYTES, this);
    private long nextFree;
    private long dropped;

    /// @param secrets to hide
    StderrReader(Platform platform, Sink sink, Redactor secrets) {
        this.platform = platform;
        this.sink = sink;
        this.redactor = secrets.lines();
        this.stderrTail = new StderrTail(RING_BYTES, secrets);
        this.nextFree = platform.ticker().nanos() - BURST_LINES * NANOS_PER_LINE;
    }

    void accept(byte[] bytes, int count) {
        stderrTail.append(bytes, count);
        lines.accept(bytes, count);
    }

    List<String> tail(int count, int bytes) {
        return stderrTail.lines(count, bytes);
    }

    @Override
    public void line(byte[] buffer, int from, int to) {
        // Also for lines that are dropped: one may end with the first half of a secret that the next one
        // continues.
        String text = redactor.hide(new String(buffer, from, to - from, StandardCharsets.UTF_8));
        if (tryPass()) {
            String line = PrintableOutput.line(text);
            long before = dropped;
            dropped = 0;
            sink.log(line, before);
        } else {
            dropped++;
        }
    }

    @Override
    public void tooLong(OversizedMessage line) {
        // It is dropped, but may end with the first half of a secret that the next line continues.
        redactor.hide(new String(line.end(), StandardCharsets.UTF_8));
        dropped++;
    }

    /// A token bucket of fifty lines that is refilled with one every 50 ms, stored as the time at which it would
    /// be empty.
    private boolean tryPass() {
        long now = platform.ticker().nanos();
        long earliest = now - BURST_LINES * NANOS_PER_LINE;
        long from = nextFree - earliest < 0 ? earliest : nextFree;
        if (from - now >= 0) {
            return false;
        }
        nextFree = from + NANOS_PER_LINE;
        return true;
    }
}
