package dev.fusebox.client.http;

import dev.fusebox.client.ErrorId;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.SendSlot;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// HTTP client for all connections of the gateway to other machines, with one address policy and one set of
/// limits. Pools idle connections by [HttpTarget.ConnectionKey]. Thread-safe; [#send] blocks, and so does
/// [#close], for a second at most.
///
/// ```
/// connected --> in use --> idle --> in use --> ... --> closed
///                   '--- response read, and the end of its body still to come: idle too, reused once the end has come
/// ```
public final class OutboundHttpClient implements AutoCloseable {
    private static final Duration SWEEP = Duration.ofSeconds(1);
    /// How long the end of a body may take after its response was read, before the connection is closed.
    private static final long LATE_END_NANOS = Duration.ofMillis(500).toNanos();
    /// How long it may take to read what has arrived already: over TLS it may be less than a record.
    private static final Duration BUFFERED_END_LIMIT = Duration.ofMillis(250);
    /// How long to wait for the end of a body right after its response, before a new connection is the better
    /// choice.
    private static final Duration END_LIMIT = Duration.ofMillis(20);
    private static final int IDLE_PER_ORIGIN = 64;
    private static final int MAX_REDIRECTS = 3;
    private static final Duration FINAL_REQUESTS_LIMIT = Duration.ofSeconds(1);

    private final Platform platform;
    private final OutboundSettings settings;
    private final DnsResolver resolver;
    private final SocketConnector socketConnector;
    private final Map<HttpTarget.ConnectionKey, Deque<HttpConnection>> idle = new HashMap<>();
    private final AtomicInteger openConnections = new AtomicInteger();
    private final AtomicInteger finalRequests = new AtomicInteger();
    private final AtomicLong lastId = new AtomicLong();
    private boolean isSweeping;
    private boolean isClosed;

    private OutboundHttpClient(Platform platform, OutboundSettings settings, DnsResolver resolver) {
        this.platform = platform;
        this.settings = settings;
        this.resolver = resolver;
        this.socketConnector = new SocketConnector(platform, settings, resolver);
    }

    public static OutboundHttpClient open(Platform platform, OutboundSettings settings) {
        return with(platform, settings, InetAddress::getAllByName);
    }

    static OutboundHttpClient with(Platform platform, OutboundSettings settings, DnsResolver.Lookup lookup) {
        return new OutboundHttpClient(platform, settings, new DnsResolver(platform, lookup));
    }

    OutboundSettings settings() {
        return settings;
    }

    /// Open connections, in use or idle.
    public int openConnections() {
        return openConnections.get();
    }

    /// A request id that is unique over all connections: they are shared, and a late response must not match
    /// another request.
    long nextId() {
        return lastId.incrementAndGet();
    }

    /// Sends a request and reads the head of its response. From then on the timer closes the connection when it
    /// expires.
    StreamingResponse send(OutgoingRequest request, RequestTimer timer) throws HttpFailure {
        OutgoingRequest next = request;
        int status = 0;
        for (int i = 0; i <= MAX_REDIRECTS; i++) {
            StreamingResponse streamingResponse = exchange(next, timer);
            HttpTarget elsewhere = redirected(streamingResponse, next.target());
            if (elsewhere == null) {
                return streamingResponse;
            }
            streamingResponse.close();
            status = streamingResponse.status();
            next = next.to(elsewhere);
        }
        throw HttpFailure.redirected(
                "too many redirects within " + request.target().origin(), status);
    }

    /// The target of a redirect that keeps method, body and origin (RFC 9110, 15.4.8 and 15.4.9); null for all
    /// others.
    private static @Nullable HttpTarget redirected(StreamingResponse streamingResponse, HttpTarget from) {
        String location = streamingResponse.responseHeaders().only("location");
        if ((streamingResponse.status() != 307 && streamingResponse.status() != 308) || location == null) {
            return null;
        }
        try {
            URI to = from.uri().resolve(location);
            return from.origin().equals(HttpTarget.originOf(to)) ? from.at(to) : null;
        } catch (IllegalArgumentException noAddress) {
            return null;
        }
    }

    private StreamingResponse exchange(OutgoingRequest request, RequestTimer timer) throws HttpFailure {
        HttpConnection httpConnection = httpConnection(request.target(), timer);
        awaitTurn(request.slot(), httpConnection, timer);
        timer.onExpiry(httpConnection::close);
        if (timer.left() <= 0) {
            httpConnection.close();
            throw HttpFailure.notSent(FailureCategory.LOCAL, "the call timed out before it was sent");
        }
        try {
            write(request, httpConnection);
            ResponseHead head = ResponseHead.read(httpConnection, settings.maxHeadBytes(), request.isUpgrade());
            ResponseBody body = ResponseBody.of(httpConnection, head);
            return new StreamingResponse(
                    head, body, settings.maxBodyBytes(), new ConnectionRelease(httpConnection, timer, head, body));
        } catch (MalformedResponse wrong) {
            httpConnection.close();
            throw HttpFailure.of(
                    ErrorId.NOT_HTTP,
                    "invalid HTTP/1.1 response from " + request.target().shownOrigin() + ": " + wrong.getMessage());
        } catch (IOException lost) {
            httpConnection.close();
            throw HttpFailure.connectionLost(
                    "connection to " + request.target().shownOrigin() + " lost after the request was sent");
        } catch (RuntimeException ours) {
            httpConnection.close();
            throw ours;
        }
    }

    /// A server may reject a request before it has read all of it, and close the connection: then its response is
    /// read.
    private static void write(OutgoingRequest request, HttpConnection httpConnection) throws IOException {
        try {
            httpConnection.write(request.head(), request.body(), request.slot()::release);
        } catch (IOException unread) {
            if (!httpConnection.hasBytes()) {
                throw unread;
            }
        }
    }

    /// Requests of one client are written in the order in which they came, on whatever connections.
    private void awaitTurn(SendSlot slot, HttpConnection httpConnection, RequestTimer timer) {
        if (slot.isTurn()) {
            return;
        }
        Thread self = Thread.currentThread();
        timer.onExpiry(() -> {
            httpConnection.close();
            LockSupport.unpark(self);
        });
        if (!slot.await(platform, timer::left)) {
            timer.expire();
        }
    }

    // ---- Connections

    private HttpConnection httpConnection(HttpTarget target, RequestTimer timer) throws HttpFailure {
        for (HttpConnection known = poll(target); known != null; known = poll(target)) {
            if (isReusable(known)) {
                return known;
            }
            known.close();
        }
        return connect(target, timer);
    }

    /// Opens a connection that was not used before, and sends nothing.
    HttpConnection connect(HttpTarget target, RequestTimer timer) throws HttpFailure {
        if (isClosed()) {
            throw HttpFailure.overloaded("the gateway is shutting down");
        }
        if (openConnections.incrementAndGet() > settings.maxConnections()) {
            openConnections.decrementAndGet();
            throw HttpFailure.overloaded("limit of " + settings.maxConnections() + " connections to servers reached");
        }
        boolean isConnected = false;
        try {
            HttpConnection httpConnection = socketConnector.connect(target, timer, openConnections::decrementAndGet);
            isConnected = true;
            return httpConnection;
        } finally {
            if (!isConnected) {
                openConnections.decrementAndGet();
            }
        }
    }

    private synchronized boolean isClosed() {
        return isClosed;
    }

    /// A connection for a target of the operator may lead to addresses that are forbidden for others, so
    /// connections of foreign targets are not pooled.
    private synchronized @Nullable HttpConnection poll(HttpTarget target) {
        Deque<HttpConnection> known = target.isForeign() ? null : idle.get(target.connectionKey());
        return known == null ? null : known.pollFirst();
    }

    private boolean isReusable(HttpConnection httpConnection) {
        boolean isFresh = httpConnection.idleFor(platform.ticker().nanos()) <= maxIdleNanos(httpConnection);
        return isFresh
                && (!httpConnection.hasUnreadEnd() || isFinishedInTime(httpConnection))
                && httpConnection.isQuiet();
    }

    private boolean isFinishedInTime(HttpConnection httpConnection) {
        try (RequestTimer brief =
                RequestTimer.start(platform, httpConnection.hasBytes() ? BUFFERED_END_LIMIT : END_LIMIT)) {
            brief.onExpiry(httpConnection::close);
            return httpConnection.readEnd() && brief.disarm();
        }
    }

    /// Returns a connection to the pool after its response, or closes it; once.
    private final class ConnectionRelease implements StreamingResponse.Release {
        private final HttpConnection httpConnection;
        private final RequestTimer timer;
        private final ResponseHead head;
        private final ResponseBody body;
        private boolean isReleased;

        ConnectionRelease(HttpConnection httpConnection, RequestTimer timer, ResponseHead head, ResponseBody body) {
            this.httpConnection = httpConnection;
            this.timer = timer;
            this.head = head;
            this.body = body;
        }

        @Override
        public void abort() {
            if (isReleased) {
                return;
            }
            isReleased = true;
            timer.disarm();
            httpConnection.close();
        }

        @Override
        public DuplexStream take() {
            isReleased = true;
            timer.disarm();
            return httpConnection;
        }

        @Override
        public void reuse() {
            if (isReleased) {
                return;
            }
            isReleased = true;
            boolean usable = timer.disarm() && httpConnection.isShared() && head.keepsConnection() && body.hasOwnEnd();
            if (usable) {
                httpConnection.markIdle(
                        body.isFinished() ? null : body, platform.ticker().nanos(), keepAliveNanos());
            }
            if (!usable || !keep(httpConnection)) {
                httpConnection.close();
            }
        }

        /// A second less than announced, since the server may already be closing its end.
        private long keepAliveNanos() {
            Long seconds = head.keepAliveSeconds();
            return seconds == null
                    ? Long.MAX_VALUE
                    : Duration.ofSeconds(seconds - 1).toNanos();
        }
    }

    private boolean keep(HttpConnection httpConnection) {
        boolean first;
        synchronized (this) {
            Deque<HttpConnection> known =
                    idle.computeIfAbsent(httpConnection.connectionKey(), key -> new ArrayDeque<>());
            if (isClosed || known.size() >= IDLE_PER_ORIGIN) {
                return false;
            }
            known.addFirst(httpConnection);
            first = !isSweeping;
            isSweeping = true;
        }
        if (first) {
            platform.timers().schedule(SWEEP, this::sweep);
        }
        return true;
    }

    /// Closes connections that were idle for too long, or whose body did not end in time.
    private void sweep() {
        long now = platform.ticker().nanos();
        List<HttpConnection> stale = new ArrayList<>();
        boolean again;
        synchronized (this) {
            for (Deque<HttpConnection> known : idle.values()) {
                known.removeIf(httpConnection -> isStale(httpConnection, now) && stale.add(httpConnection));
            }
            idle.values().removeIf(Deque::isEmpty);
            again = !idle.isEmpty();
            isSweeping = again;
        }
        if (again) {
            platform.timers().schedule(SWEEP, this::sweep);
        }
        Thread.ofVirtual().name("fusebox-http-sweep").start(() -> stale.forEach(this::recheck));
    }

    private boolean isStale(HttpConnection httpConnection, long now) {
        long tail = httpConnection.hasUnreadEnd() ? LATE_END_NANOS : Long.MAX_VALUE;
        return httpConnection.idleFor(now) > Math.min(tail, maxIdleNanos(httpConnection));
    }

    private long maxIdleNanos(HttpConnection httpConnection) {
        return Math.min(settings.idle().toNanos(), httpConnection.keepAliveNanos());
    }

    private void recheck(HttpConnection httpConnection) {
        if (!isReusable(httpConnection) || !keep(httpConnection)) {
            httpConnection.close();
        }
    }

    // ---- The end

    /// Runs a request that only [#close] waits for.
    void runFinalRequest(Runnable work) {
        finalRequests.incrementAndGet();
        Thread.ofVirtual().name("fusebox-session-delete").start(() -> {
            try {
                work.run();
            } finally {
                finalRequests.decrementAndGet();
            }
        });
    }

    /// Waits for the final requests, for a second at most, and closes the idle connections.
    @Override
    public void close() {
        long start = platform.ticker().nanos();
        try {
            while (finalRequests.get() > 0 && platform.ticker().nanos() - start < FINAL_REQUESTS_LIMIT.toNanos()) {
                platform.pause(Duration.ofMillis(5));
            }
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        List<HttpConnection> left = new ArrayList<>();
        synchronized (this) {
            isClosed = true;
            idle.values().forEach(left::addAll);
            idle.clear();
        }
        left.forEach(HttpConnection::close);
        resolver.close();
    }
}
