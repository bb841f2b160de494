package dev.fusebox.testkit.server;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/// The body of one answer, for a client that takes no stream: all but the answer is left out.
final class BodyOutbox implements Outbox {
    private final BlockingQueue<byte[]> body = new LinkedBlockingQueue<>();

    @Override
    public Pieces encode(Pieces frame) {
        return frame;
    }

    @Override
    public void send(byte[] frame) {
        // There is room for the answer only.
    }

    @Override
    public void answer(byte[] frame) {
        body.add(frame);
    }

    @Override
    public void write(Pieces bytes, Duration apart) {
        var whole = new ByteArrayOutputStream();
        bytes.forEach(whole::writeBytes);
        body.add(whole.toByteArray());
    }

    @Override
    public void writeLast(Pieces bytes) {
        write(bytes, Duration.ZERO);
    }

    @Override
    public void finish() {
        body.add(new byte[0]);
    }

    /// Blocks until there is an answer, and until the server is closed; empty if there will be none.
    byte[] await() throws InterruptedException {
        return body.take();
    }
}
