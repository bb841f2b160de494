package dev.fusebox.gateway.era;

import dev.fusebox.http.EventStream;
import dev.fusebox.http.HttpHeaders;
import dev.fusebox.http.HttpReply;
import org.jspecify.annotations.Nullable;

/// The response to one POST: plain JSON if there is only an answer, and an event stream as soon as a message
/// precedes it. Streams cannot be resumed in the modern era, so nothing is kept. Thread-safe.
public final class StreamedResponseChannel implements ResponseChannel {
    private static final HttpHeaders JSON = HttpHeaders.of("Content-Type", "application/json");
    private static final HttpHeaders UNBUFFERED = HttpHeaders.of("X-Accel-Buffering", "no");

    private final HttpReply reply;
    private @Nullable EventStream stream;
    private boolean finished;

    public StreamedResponseChannel(HttpReply reply) {
        this.reply = reply;
    }

    @Override
    public synchronized void send(byte[] frame) {
        if (!finished) {
            stream().event(null, frame);
        }
    }

    private EventStream stream() {
        EventStream open = stream;
        if (open == null) {
            open = reply.stream(200, UNBUFFERED);
            stream = open;
        }
        return open;
    }

    /// A plain answer is written outside of the monitor: a client that does not read must not block the
    /// server's reader, which calls this class with progress notifications.
    @Override
    public void finish(byte[] frame, Kind kind) {
        synchronized (this) {
            if (finished) {
                return;
            }
            finished = true;
            if (stream != null) {
                stream.event(null, frame);
                stream.close();
                return;
            }
        }
        reply.respond(status(kind), JSON, frame);
    }

    /// Revision 2026-07-28, sections "Server Validation" and "Protocol Version Header".
    private static int status(Kind kind) {
        return switch (kind) {
            case ANSWERED -> 200;
            case REFUSED -> 400;
            case UNKNOWN_METHOD -> 404;
        };
    }

    @Override
    public synchronized void abandon() {
        if (!finished) {
            stream().close();
            finished = true;
        }
    }

    /// Sends a comment, which clients ignore.
    @Override
    public synchronized void keepAlive() {
        if (!finished && stream != null) {
            stream.comment();
        }
    }
}
