package dev.fusebox.gateway.mcp;

import dev.fusebox.gateway.http.Headers;
import dev.fusebox.gateway.http.HttpReply;
import dev.fusebox.gateway.served.Outlet;
import dev.fusebox.gateway.served.Revision;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The answer to one POST: plain JSON if the answer is all there is, and a stream of events as soon as something comes
/// before it. Thread-safe.
final class PostOutlet implements Outlet {
    private final HttpReply reply;
    private final Headers extra;
    private final EventLogs logs;
    private final Supplier<Revision> revision;
    private @Nullable EventLog log;
    private boolean finished;

    /// @param extra headers of the session
    /// @param revision says whether a stream begins with an event that says nothing
    PostOutlet(HttpReply reply, Headers extra, EventLogs logs, Supplier<Revision> revision) {
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

    private EventLog stream() {
        EventLog open = log;
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

    /// A plain answer is written outside of the monitor: a client that does not read must not hold up the server's
    /// reader, which comes here with progress.
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

    /// A stream without an answer is how a client learns that none will come.
    @Override
    public synchronized void abandon() {
        if (!finished) {
            logs.end(stream());
            finished = true;
        }
    }
}
