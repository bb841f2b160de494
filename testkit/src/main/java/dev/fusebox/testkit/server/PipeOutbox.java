package dev.fusebox.testkit.server;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/// A pipe to the client, with a frame on each line.
final class PipeOutbox implements Outbox {
    private final OutputStream out;
    private final Platform platform;
    private final ReentrantLock writing = new ReentrantLock();
    private boolean muted;

    PipeOutbox(OutputStream out, Platform platform) {
        this.out = out;
        this.platform = platform;
    }

    @Override
    public Pieces encode(Pieces frame) {
        return frame.and("\n");
    }

    @Override
    public void write(Pieces bytes, Duration apart) {
        writing.lock();
        try {
            if (!muted) {
                writeAll(bytes, apart);
            }
        } catch (IOException e) {
            muted = true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            writing.unlock();
        }
    }

    private void writeAll(Pieces bytes, Duration apart) throws IOException, InterruptedException {
        for (byte[] piece : bytes) {
            out.write(piece);
            out.flush();
            if (apart.isPositive()) {
                platform.pause(apart);
            }
        }
    }

    @Override
    public void writeLast(Pieces bytes) {
        writing.lock();
        try {
            write(bytes, Duration.ZERO);
            muted = true;
        } finally {
            writing.unlock();
        }
    }
}
