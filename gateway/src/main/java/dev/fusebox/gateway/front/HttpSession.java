package dev.fusebox.gateway.front;

import dev.fusebox.gateway.session.ClientChannel;
import dev.fusebox.gateway.session.ProtocolRevision;
import dev.fusebox.http.EventStream;
import dev.fusebox.http.HttpHeaders;
import dev.fusebox.http.HttpReply;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.Message;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A client session over Streamable HTTP, with its message streams to the client. Thread-safe; nothing blocks.
final class HttpSession implements HttpClientSession, MessageBatch.Conversation {
    static final String ID_HEADER = "Mcp-Session-Id";

    private final String id;
    private final String path;
    private final Platform platform;
    private final LegacySession session;
    private final SessionStreams logs = new SessionStreams();
    private final AtomicInteger requestsInFlight = new AtomicInteger();
    private volatile long lastUse;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean begun;
    private volatile boolean closing;
    private volatile @Nullable Runnable onQuiet;

    /// @param path where the session is valid
    HttpSession(String id, Platform platform, McpPath path) {
        this.id = id;
        this.path = path.path();
        this.platform = platform;
        this.lastUse = platform.ticker().nanos();
        this.session = new LegacySession(platform, path.service(), new GeneralOutlet(logs.general()));
        session.onQuiet(this::quiet);
    }

    @Override
    public String id() {
        return id;
    }

    boolean isAt(String requested) {
        return path.equals(requested);
    }

    ProtocolRevision revision() {
        return session.revision();
    }

    /// The channel for the response to one request.
    ClientChannel clientChannel(HttpReply reply, HttpHeaders extra) {
        return new PostResponse(reply, extra, logs, session::revision);
    }

    @Override
    public Runnable begin(Message.Request request, ClientChannel clientChannel) {
        SessionRequest sessionRequest = new SessionRequest(clientChannel);
        Runnable work = begun(request, sessionRequest);
        begun = true;
        return () -> {
            try {
                work.run();
            } finally {
                sessionRequest.end();
            }
        };
    }

    /// A request that cannot be started no longer counts as use of the session.
    private Runnable begun(Message.Request request, SessionRequest sessionRequest) {
        try {
            return session.begin(request, sessionRequest);
        } catch (RuntimeException | Error ours) {
            sessionRequest.end();
            throw ours;
        }
    }

    @Override
    public void take(Message.Notification notification) {
        lastUse = platform.ticker().nanos();
        session.take(notification);
    }

    @Override
    public void take(Message.Answer answer) {
        lastUse = platform.ticker().nanos();
        session.take(answer);
    }

    /// Attaches the stream for messages that belong to no request.
    void listen(EventStream stream) {
        lastUse = platform.ticker().nanos();
        logs.general().attach(stream);
        if (revision().primesStreams()) {
            logs.general().prime();
        }
    }

    /// The events after the one that the client saw last; null if there are none.
    SessionStreams.@Nullable Resumption after(String lastEventId) {
        lastUse = platform.ticker().nanos();
        return logs.after(lastEventId);
    }

    /// A client that has disconnected has used the session until now.
    @Override
    public void probe() {
        if (logs.general().isAttached() && !logs.general().probe()) {
            lastUse = platform.ticker().nanos();
        }
    }

    @Override
    public long idleNanos() {
        boolean used = !begun || requestsInFlight.get() > 0 || logs.general().isAttached();
        return used ? 0 : Math.max(1, platform.ticker().nanos() - lastUse);
    }

    @Override
    public void drain() {
        session.drain();
    }

    @Override
    public void onQuiet(Runnable action) {
        onQuiet = action;
    }

    private void quiet() {
        Runnable action = onQuiet;
        if (action != null) {
            action.run();
        }
        if (closing) {
            close();
        }
    }

    @Override
    public int inFlight() {
        return session.inFlight();
    }

    @Override
    public void closeWhenAnswered() {
        closing = true;
        if (session.inFlight() == 0) {
            close();
        }
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            session.close();
            logs.endAll();
        }
    }

    /// The channel of a request that uses the session until its response is sent, so that a client that has read
    /// the response sees the session as idle.
    private final class SessionRequest implements ClientChannel {
        private final ClientChannel clientChannel;
        private final AtomicBoolean ended = new AtomicBoolean();

        SessionRequest(ClientChannel clientChannel) {
            this.clientChannel = clientChannel;
            requestsInFlight.incrementAndGet();
        }

        @Override
        public void send(byte[] frame) {
            clientChannel.send(frame);
        }

        @Override
        public void finish(byte[] answer) {
            end();
            clientChannel.finish(answer);
        }

        @Override
        public void abandon() {
            end();
            clientChannel.abandon();
        }

        void end() {
            if (ended.compareAndSet(false, true)) {
                lastUse = platform.ticker().nanos();
                requestsInFlight.decrementAndGet();
            }
        }
    }

    /// Messages that belong to no request are kept in the log until the client listens.
    private record GeneralOutlet(StreamLog log) implements ClientChannel {
        @Override
        public void send(byte[] frame) {
            log.add(frame);
        }

        @Override
        public void finish(byte[] answer) {
            log.add(answer);
        }

        @Override
        public void abandon() {
            // No request to abandon.
        }
    }
}
