package dev.fusebox.testkit.server;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/// The body of one answer, for a client that takes no stream: all but the answer is left out.
final class BodyOutbox implements Outbox {
    private final CompletableFuture<byte[]> body = new CompletableFuture<>();

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
        body.complete(frame);
    }

    @Override
    public void write(Pieces bytes, Duration apart) {
        var whole = new ByteArrayOutputStream();
        bytes.forEach(whole::writeBytes);
        body.complete(whole.toByteArray());
    }

    @Override
    public void writeLast(Pieces bytes) {
        write(bytes, Duration.ZERO);
    }

    @Override
    public void finish() {
        body.complete(new byte[0]);
    }

    /// Blocks until there is an answer; empty if there will be none.
    byte[] await() {
        return body.join();
    }
}
