package dev.fusebox.gateway.front;

import dev.fusebox.gateway.session.ClientChannel;
import dev.fusebox.gateway.session.ProtocolRevision;
import dev.fusebox.http.HttpHeaders;
import dev.fusebox.http.HttpReply;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The response to one POST: plain JSON if the response is the only message, else an event stream, which is opened
/// by the first message before the response. Thread-safe; [#finish] blocks as a write to the client does.
final class PostResponse implements ClientChannel {
    private final HttpReply reply;
    private final HttpHeaders extra;
    private final SessionStreams logs;
    private final Supplier<ProtocolRevision> revision;
    private @Nullable StreamLog log;
    private boolean finished;

    /// @param extra headers of the session
    /// @param revision decides whether a stream begins with an empty event
    PostResponse(HttpReply reply, HttpHeaders extra, SessionStreams logs, Supplier<ProtocolRevision> revision) {
        this.reply = reply;
        this.extra = extra;
        this.logs = logs;
        this.revision = revision;
    }

    @Override
    public synchronized void send(byte[] frame) {
        if (!finished) {
            stream().add(frame);
        }
    }

    private StreamLog stream() {
        StreamLog open = log;
        if (open == null) {
            open = logs.open();
            open.attach(reply.stream(200, extra), 0);
            if (revision.get().primesStreams()) {
                open.prime();
            }
            log = open;
        }
        return open;
    }

    /// A plain response is written outside of the monitor: a client that does not read must not block the server's
    /// reader thread, which delivers progress here.
    @Override
    public void finish(byte[] answer) {
        synchronized (this) {
            if (finished) {
                return;
            }
            finished = true;
            if (log != null) {
                log.add(answer);
                logs.end(log);
                return;
            }
        }
        reply.respond(200, extra.with("Content-Type", "application/json"), answer);
    }

    /// The end of a stream without a response signals that none will come.
    @Override
    public synchronized void abandon() {
        if (!finished) {
            logs.end(stream());
            finished = true;
        }
    }
}
