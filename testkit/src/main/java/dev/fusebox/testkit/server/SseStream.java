package dev.fusebox.testkit.server;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// One stream of server-sent events. It outlives its connection: events go to whichever connection carries it, and
/// a later one gets what it missed. Only writing and [#awaitEnd] block.
///
/// ```
///   waiting --attach--> carried --drop, client gone--> waiting
///      |                   |
///      +------finish-------+--> finished
/// ```
final class SseStream implements Outbox {
    /// How long a client shall wait before it comes back: short, because tests wait for it.
    private static final int RETRY_MS = 50;

    private final String name;
    private final Platform platform;
    private final List<byte[]> events = new ArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable OutputStream carrier;
    private int released;
    private boolean finished;
    private boolean muted;

    /// @param name begins the id of every event
    SseStream(String name, Platform platform) {
        this.name = name;
        this.platform = platform;
    }

    /// Sends an event without a message, so that the client has an id to come back with.
    void prime() {
        emit("retry: " + RETRY_MS + "\ndata: \n\n");
    }

    @Override
    public void send(byte[] frame) {
        emit("data: " + new String(frame, StandardCharsets.UTF_8) + "\n\n");
    }

    private void emit(String fields) {
        lock.lock();
        try {
            String event = "id: " + name + "-" + events.size() + "\n" + fields;
            events.add(event.getBytes(StandardCharsets.UTF_8));
            carry(Pieces.of(event), Duration.ZERO);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Pieces encode(Pieces frame) {
        return Pieces.of("data: ").and(frame).and("\n\n");
    }

    /// What is written so is not kept for a later connection.
    @Override
    public void write(Pieces bytes, Duration apart) {
        lock.lock();
        try {
            carry(bytes, apart);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void writeLast(Pieces bytes) {
        lock.lock();
        try {
            carry(bytes, Duration.ZERO);
            muted = true;
        } finally {
            lock.unlock();
        }
    }

    private void carry(Pieces bytes, Duration apart) {
        OutputStream out = carrier;
        if (out == null || muted) {
            return;
        }
        // An interrupt would close the connection under the write; the call that was cancelled learns of it later.
        boolean interrupted = Thread.interrupted();
        try {
            copy(bytes, apart, out);
        } catch (IOException e) {
            release();
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void copy(Pieces bytes, Duration apart, OutputStream out) throws IOException, InterruptedException {
        for (byte[] piece : bytes) {
            out.write(piece);
            out.flush();
            if (apart.isPositive()) {
                platform.pause(apart);
            }
        }
    }

    /// Carries the stream on a connection from now on.
    ///
    /// @param from the first event the client has not seen
    /// @return a number to wait with
    int attach(OutputStream out, int from) {
        lock.lock();
        try {
            release();
            int connection = released;
            carrier = out;
            for (byte[] event : events.subList(Math.min(from, events.size()), events.size())) {
                carry(Pieces.of(event), Duration.ZERO);
            }
            return connection;
        } finally {
            lock.unlock();
        }
    }

    /// Blocks until the stream has ended, or the connection of this number carries it no more.
    void awaitEnd(int connection) throws InterruptedException {
        lock.lock();
        try {
            while (!finished && released == connection) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void finish() {
        lock.lock();
        try {
            finished = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void drop() {
        lock.lock();
        try {
            release();
        } finally {
            lock.unlock();
        }
    }

    private void release() {
        carrier = null;
        released++;
        changed.signalAll();
    }
}
