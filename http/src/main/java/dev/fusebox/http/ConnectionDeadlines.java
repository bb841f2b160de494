package dev.fusebox.http;

import dev.fusebox.platform.Ticker;
import java.time.Duration;

/// The deadlines by which a client must have sent or read what is due. Thread-safe; never blocks.
///
/// Two fields that are written as a request progresses, and checked by [ConnectionSweeper] now and then: no timer
/// is created and cancelled for each step of each request.
final class ConnectionDeadlines {
    /// The origin of the ticker is arbitrary: deadlines are odd numbers, so zero is free to mean none.
    private static final long NONE = 0;

    private final Ticker ticker;
    private final HttpTimes times;
    private volatile long readBy = NONE;
    private volatile long writeBy = NONE;

    ConnectionDeadlines(Ticker ticker, HttpTimes times) {
        this.ticker = ticker;
        this.times = times;
    }

    void head() {
        readBy = in(times.head());
    }

    void body() {
        readBy = in(times.body());
    }

    void idle() {
        readBy = in(times.idle());
    }

    /// For a client to notice that the connection is being closed.
    void closing() {
        readBy = in(times.closing());
    }

    /// The client owes nothing; the server has to act.
    void readInTime() {
        readBy = NONE;
    }

    void write() {
        writeBy = in(times.clientWrite());
    }

    void writeInTime() {
        writeBy = NONE;
    }

    private long in(Duration limit) {
        return (ticker.nanos() + limit.toNanos()) | 1;
    }

    /// Whether one of them will have passed before the next check.
    boolean isOver(long nextLook) {
        return isBefore(readBy, nextLook) || isBefore(writeBy, nextLook);
    }

    private static boolean isBefore(long deadline, long time) {
        return deadline != NONE && deadline - time < 0;
    }
}
