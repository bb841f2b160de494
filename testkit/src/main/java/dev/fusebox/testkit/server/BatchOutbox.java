package dev.fusebox.testkit.server;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Collects the answers to a batch and sends them together; everything else goes out at once.
final class BatchOutbox implements Outbox {
    private final Outbox below;
    private final int expected;
    private final List<String> answers = new ArrayList<>();
    private int ended;

    /// @param expected how many of the messages want an answer
    BatchOutbox(Outbox below, int expected) {
        this.below = below;
        this.expected = expected;
    }

    @Override
    public Pieces encode(Pieces frame) {
        return below.encode(frame);
    }

    @Override
    public void write(Pieces bytes, Duration apart) {
        below.write(bytes, apart);
    }

    @Override
    public void writeLast(Pieces bytes) {
        below.writeLast(bytes);
    }

    @Override
    public synchronized void answer(byte[] frame) {
        answers.add(new String(frame, StandardCharsets.UTF_8));
        finish();
    }

    @Override
    public synchronized void finish() {
        if (++ended == expected) {
            below.answer(ToolContent.array(answers).getBytes(StandardCharsets.UTF_8));
        }
    }
}
