package dev.fusebox.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/// The outgoing bytes of one connection. Used by one thread at a time; writing blocks while the client does not
/// read, until the deadline closes the connection.
final class ConnectionOutput {
    /// The JDK keeps a direct buffer as large as the largest write for each carrier thread.
    private static final int SLICE = 128 << 10;

    private final WritableByteChannel channel;
    private final ConnectionDeadlines deadlines;

    ConnectionOutput(WritableByteChannel channel, ConnectionDeadlines deadlines) {
        this.channel = channel;
        this.deadlines = deadlines;
    }

    /// Writes everything; returns false if the connection is gone. An earlier interrupt does no harm and is kept.
    boolean write(byte[] bytes, int length) {
        // The JDK closes a channel that an interrupted thread uses.
        boolean interrupted = Thread.interrupted();
        try {
            for (int at = 0; at < length; at += SLICE) {
                slice(ByteBuffer.wrap(bytes, at, Math.min(SLICE, length - at)));
            }
            return true;
        } catch (IOException e) {
            return false;
        } finally {
            deadlines.writeInTime();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void slice(ByteBuffer slice) throws IOException {
        deadlines.write();
        while (slice.hasRemaining()) {
            channel.write(slice);
        }
    }
}
