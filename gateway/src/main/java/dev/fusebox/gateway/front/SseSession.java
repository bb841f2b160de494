package dev.fusebox.gateway.front;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.gateway.era.GatewayService;
import dev.fusebox.gateway.era.ModernFrontEnd;
import dev.fusebox.gateway.session.ClientChannel;
import dev.fusebox.gateway.session.Heartbeat;
import dev.fusebox.gateway.session.ProtocolRevision;
import dev.fusebox.http.EventStream;
import dev.fusebox.http.HttpHeaders;
import dev.fusebox.http.HttpReply;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.Message;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A client session of HTTP with server-sent events (revision 2024-11-05, section "HTTP with SSE"). All messages
/// to the client use one stream, and the session lasts as long as that stream. Thread-safe; nothing blocks except
/// the task that [#take] returns.
final class SseSession implements HttpClientSession {
    /// Bytes. The same limit as for a client on standard output, whose pipe has the same traffic.
    private static final int MAX_WAITING = 64 << 20;

    /// The revisions that a modern client may use here instead, newest first.
    private static final List<String> SUPPORTED = Arrays.stream(ProtocolRevision.values())
            .map(ProtocolRevision::toString)
            .toList()
            .reversed();

    private final String id;
    private final LegacySession session;
    private final Heartbeat heartbeat;
    private final ClientChannel out = new StreamChannel();
    private volatile @Nullable EventStream stream;
    private volatile @Nullable Runnable onQuiet;
    private int working;
    private boolean ended;

    SseSession(String id, Platform platform, GatewayService service) {
        this.id = id;
        this.session = new LegacySession(platform, service, out);
        this.heartbeat = new Heartbeat(platform.timers(), this::probe);
    }

    @Override
    public String id() {
        return id;
    }

    ProtocolRevision revision() {
        return session.revision();
    }

    /// Opens the stream, and sends the client the endpoint for its messages. Called once.
    void open(HttpReply reply) {
        EventStream opened = reply.stream(200, HttpHeaders.none(), MAX_WAITING);
        // Attached first: a client that knows the endpoint gets responses on the stream.
        if (attach(opened)) {
            opened.close();
            return;
        }
        opened.named("endpoint", SseEndpoint.addressOf(id).getBytes(UTF_8));
        heartbeat.start();
        if (isEnded()) {
            heartbeat.stop();
        }
    }

    /// True if the session has already ended.
    private synchronized boolean attach(EventStream opened) {
        stream = opened;
        return ended;
    }

    private synchronized boolean isEnded() {
        return ended;
    }

    /// Registers a message of the client and returns the task that handles it, which must be run; null if the
    /// session has ended. From now on a request outside of a batch is in flight and can be cancelled.
    @Nullable
    Runnable take(Message message) {
        if (!enter()) {
            return null;
        }
        Runnable work = work(message);
        return () -> {
            try {
                work.run();
            } finally {
                leave();
            }
        };
    }

    private Runnable work(Message message) {
        switch (message) {
            case Message.Request request
            when ModernFrontEnd.isModern(request) -> {
                return () -> out.finish(ModernFrontEnd.refusal(request, SUPPORTED));
            }
            case Message.Request request -> {
                return session.begin(request, out);
            }
            case Message.Batch batch -> {
                return new MessageBatch(session, out).begin(batch)::work;
            }
            case Message.Notification notification -> session.take(notification);
            case Message.Answer answer -> session.take(answer);
            case Message.Malformed bad -> throw new IllegalArgumentException("cannot handle " + bad.reason());
        }
        return () -> {};
    }

    private synchronized boolean enter() {
        working += ended ? 0 : 1;
        return !ended;
    }

    private void leave() {
        boolean isLast;
        boolean isOver;
        synchronized (this) {
            working--;
            isLast = working == 0;
            isOver = isLast && ended;
        }
        if (isOver) {
            endStream();
        }
        Runnable quiet = onQuiet;
        if (isLast && quiet != null) {
            quiet.run();
        }
    }

    @Override
    public synchronized int inFlight() {
        return working;
    }

    @Override
    public void drain() {
        session.drain();
    }

    @Override
    public void onQuiet(Runnable action) {
        onQuiet = action;
    }

    /// A client that has disconnected is detected by writing a comment to its connection.
    @Override
    public void probe() {
        EventStream to = stream;
        if (to != null) {
            to.comment();
        }
    }

    /// An open stream counts as use, whether its client sends anything or not.
    @Override
    public long idleNanos() {
        return 0;
    }

    /// The client has disconnected: its calls are cancelled.
    void giveUp() {
        session.giveUp();
    }

    @Override
    public void closeWhenAnswered() {
        close();
    }

    /// Calls in flight are answered, then the stream ends.
    @Override
    public void close() {
        boolean isOver;
        synchronized (this) {
            ended = true;
            isOver = working == 0;
        }
        heartbeat.stop();
        session.close();
        if (isOver) {
            endStream();
        }
    }

    private void endStream() {
        EventStream last = stream;
        if (last != null) {
            last.close();
        }
    }

    /// All messages use the one stream.
    private final class StreamChannel implements ClientChannel {
        @Override
        public void send(byte[] frame) {
            EventStream to = stream;
            if (to != null) {
                to.named("message", frame);
            }
        }

        @Override
        public void finish(byte[] answer) {
            send(answer);
        }

        @Override
        public void abandon() {
            // A cancelled call is not answered.
        }
    }
}
