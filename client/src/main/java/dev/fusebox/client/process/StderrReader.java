package dev.fusebox.client.process;

import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.platform.Platform;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// What a child writes to its errors: kept in a ring, and told line by line as long as there are not too many.
///
/// Fed by one thread; [#stderrTail] is for any.
final class StderrReader implements LineSplitter.Sink {
    static final int RING_BYTES = 64 << 10;

    /// A line for people; the ring keeps more of it.
    private static final int LINE_BYTES = 1 << 10;

    private static final int AT_ONCE = 50;
    private static final long NANOS_A_LINE = 50_000_000;

    /// Where lines go.
    interface Sink {
        void log(String line, long dropped);
    }

    private final Platform platform;
    private final Sink sink;
    private final Redactor.Lines discreet;
    private final StderrTail stderrTail;
    private final LineSplitter lines = new LineSplitter(LINE_BYTES, this);
    private long nextFree;
    private long dropped;

    /// @param secrets that nobody is told
    StderrReader(Platform platform, Sink sink, Redactor secrets) {
        this.platform = platform;
        this.sink = sink;
        this.discreet = secrets.lines();
        this.stderrTail = new StderrTail(RING_BYTES, secrets);
        this.nextFree = platform.ticker().nanos() - AT_ONCE * NANOS_A_LINE;
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
        // A line that is kept back may hold the first half of what the next one goes on with.
        String text = discreet.hide(new String(buffer, from, to - from, StandardCharsets.UTF_8));
        if (mayPass()) {
            String line = PrintableOutput.line(text);
            long before = dropped;
            dropped = 0;
            sink.log(line, before);
        } else {
            dropped++;
        }
    }

    @Override
    public void tooLong(OversizedLine line) {
        // It is not told, and may yet end with the first half of what the next one goes on with.
        discreet.hide(new String(line.end(), StandardCharsets.UTF_8));
        dropped++;
    }

    /// A bucket of fifty lines that fills up at one each 50 ms, kept as the time at which it would be empty.
    private boolean mayPass() {
        long now = platform.ticker().nanos();
        long earliest = now - AT_ONCE * NANOS_A_LINE;
        long from = nextFree - earliest < 0 ? earliest : nextFree;
        if (from - now >= 0) {
            return false;
        }
        nextFree = from + NANOS_A_LINE;
        return true;
    }
}
