package dev.fusebox.http;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// One request and its response. Thread-safe; [#respond] blocks.
///
/// It is complete when the handler has returned and the response has been sent, in either order; the thread that
/// ends the second of the two continues with the connection.
final class HttpExchange implements HttpReply {
    private static final Runnable GONE = () -> {};
    private static final Runnable ANSWERED = () -> {};

    private final HttpServerConnection connection;
    private final HttpRequest request;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final AtomicInteger openEnds = new AtomicInteger(2);
    /// Null, then the action, then the marker of how it ended.
    private final AtomicReference<@Nullable Runnable> onGone = new AtomicReference<>();

    private volatile @Nullable QueuedEventStream stream;

    HttpExchange(HttpServerConnection connection, HttpRequest request) {
        this.connection = connection;
        this.request = request;
    }

    HttpRequest request() {
        return request;
    }

    @Override
    public boolean respond(int status, HttpHeaders headers, byte[] body) {
        boolean closes = closes();
        byte[] head = ResponseHeadWriter.of(status, headers, closes).withLength(body.length);
        begin();
        // Before the write: a client that disconnects because it has its response has not left too early.
        boolean isThere = answered();
        boolean stayed = connection.send(head, request.isHead() ? ResponseHeadWriter.NO_BODY : body) && isThere;
        if (closes) {
            connection.closeAfterResponse();
        }
        if (endOne()) {
            connection.start(connection::run);
        }
        return stayed;
    }

    @Override
    public EventStream stream(int status, HttpHeaders headers) {
        return stream(status, headers, connection.limits().maxWaitingBytes());
    }

    @Override
    public EventStream stream(int status, HttpHeaders headers, int maxWaitingBytes) {
        boolean closes = closes();
        byte[] head = ResponseHeadWriter.of(status, headers, closes).ofStream(!request.isOfVersion10());
        begin();
        if (closes) {
            connection.closeAfterResponse();
        }
        var opened = new QueuedEventStream(this, connection, maxWaitingBytes);
        stream = opened;
        opened.open(head);
        connection.watch();
        if (isClientGone()) {
            connection.end();
        }
        return opened;
    }

    private boolean closes() {
        return request.wantsClose() || connection.isClosing();
    }

    private void begin() {
        if (!begun.compareAndSet(false, true)) {
            throw new IllegalStateException("second response to " + request);
        }
    }

    @Override
    public void onClientGone(Runnable action) {
        if (onGone.compareAndSet(null, action)) {
            connection.watch();
            return;
        }
        Runnable found = onGone.get();
        if (GONE.equals(found)) {
            action.run();
        } else if (!ANSWERED.equals(found)) {
            throw new IllegalStateException("second disconnect action for " + request);
        }
    }

    @Override
    public boolean isClientGone() {
        return GONE.equals(onGone.get());
    }

    /// Called whenever the client is found to have disconnected; takes effect once.
    void clientGone() {
        Runnable before = onGone.getAndUpdate(found -> ANSWERED.equals(found) ? found : GONE);
        if (GONE.equals(before) || ANSWERED.equals(before)) {
            return;
        }
        if (before != null) {
            connection.guarded("the disconnect action of a handler failed", before);
        }
        if (stream != null) {
            connection.end();
        }
    }

    /// Ends the notification about a disconnect; returns whether the client was connected until then.
    boolean answered() {
        return !GONE.equals(onGone.getAndUpdate(found -> GONE.equals(found) ? found : ANSWERED));
    }

    /// The stream has been sent to its end; returns true if the caller continues with the connection.
    boolean streamed() {
        return endOne();
    }

    /// The handler has returned; returns true if the caller continues with the connection.
    boolean handled() {
        if (!begun.get()) {
            respond(500, HttpHeaders.none(), ResponseHeadWriter.NO_BODY);
        }
        return endOne();
    }

    /// The handler has thrown, so a partial response cannot be trusted. Returns the same as [#handled].
    boolean failed() {
        if (begun.get() && openEnds.get() == 2) {
            connection.end();
        }
        return handled();
    }

    private boolean endOne() {
        return openEnds.decrementAndGet() == 0;
    }
}
