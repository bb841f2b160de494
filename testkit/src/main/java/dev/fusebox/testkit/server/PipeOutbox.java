package dev.fusebox.testkit.server;

import dev.fusebox.world.World;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/// A pipe to the client, with a frame on each line.
final class PipeOutbox implements Outbox {
    private final OutputStream out;
    private final World world;
    private final ReentrantLock writing = new ReentrantLock();
    private boolean muted;

    PipeOutbox(OutputStream out, World world) {
        this.out = out;
        this.world = world;
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
                world.pause(apart);
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
