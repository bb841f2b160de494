package dev.fusebox.client.http;

import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.FailureCause;
import dev.fusebox.client.SendSlot;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.http.Origin;
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

/// The one way out: every connection of the gateway to another machine is made here, under one address policy,
/// with one set of limits. Keeps unused lines for the next request that goes the same way. Thread-safe; [#send]
/// blocks, and so does [#close], for a second at most.
///
/// ```
/// dialled --> in use --> idle --> in use --> ... --> closed
///                 '--- answered, and the stream's end still to come: idle too, used again only once it has come
/// ```
public final class OutboundHttpClient implements AutoCloseable {
    private static final Duration SWEEP = Duration.ofSeconds(1);
    /// How long the end of a stream may take after its answer, before the line is closed.
    private static final long TAIL_NANOS = Duration.ofMillis(500).toNanos();
    /// How long what has come already may take to be read: over TLS it may be less than a record.
    private static final Duration AT_HAND = Duration.ofMillis(250);
    /// How long to wait for the end of a stream that comes right after its answer, before a new line is the better
    /// way.
    private static final Duration ON_ITS_WAY = Duration.ofMillis(20);
    private static final int IDLE_PER_ORIGIN = 64;
    private static final int MOST_REDIRECTS = 3;
    private static final Duration FAREWELL = Duration.ofSeconds(1);

    private final Platform platform;
    private final OutboundSettings settings;
    private final DnsResolver resolver;
    private final SocketConnector socketConnector;
    private final Map<HttpTarget.Way, Deque<HttpConnection>> idle = new HashMap<>();
    private final AtomicInteger lines = new AtomicInteger();
    private final AtomicInteger farewells = new AtomicInteger();
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

    /// Lines that are open, in use or not.
    public int lines() {
        return lines.get();
    }

    /// A number that no request had before, on whatever connection: lines are shared, and an answer that comes
    /// late must fit nobody else's request.
    long nextId() {
        return lastId.incrementAndGet();
    }

    /// Sends a request and reads the head of its answer. From then on the keeper cuts the line of this request.
    StreamingResponse send(OutgoingRequest request, RequestTimer keeper) throws HttpFailure {
        OutgoingRequest next = request;
        int status = 0;
        for (int i = 0; i <= MOST_REDIRECTS; i++) {
            StreamingResponse streamingResponse = exchange(next, keeper);
            HttpTarget elsewhere = redirected(streamingResponse, next.target());
            if (elsewhere == null) {
                return streamingResponse;
            }
            streamingResponse.close();
            status = streamingResponse.status();
            next = next.to(elsewhere);
        }
        throw HttpFailure.redirected(request.target().origin() + " redirects in a circle, to paths of its own", status);
    }

    /// Only what keeps method, body and origin is followed (RFC 9110, 15.4.8 and 15.4.9); null for all else.
    private static @Nullable HttpTarget redirected(StreamingResponse streamingResponse, HttpTarget from) {
        String location = streamingResponse.responseHeaders().only("location");
        if ((streamingResponse.status() != 307 && streamingResponse.status() != 308) || location == null) {
            return null;
        }
        try {
            URI to = from.uri().resolve(location);
            return from.origin().equals(Origin.of(to)) ? from.at(to) : null;
        } catch (IllegalArgumentException noAddress) {
            return null;
        }
    }

    private StreamingResponse exchange(OutgoingRequest request, RequestTimer keeper) throws HttpFailure {
        HttpConnection httpConnection = httpConnection(request.target(), keeper);
        awaitTurn(request.slot(), httpConnection, keeper);
        keeper.hold(httpConnection::close);
        if (keeper.left() <= 0) {
            httpConnection.close();
            throw HttpFailure.notSent(FailureCategory.LOCAL, "the call's time was over before it could be sent");
        }
        try {
            httpConnection.write(request.head(), request.body(), request.slot()::leave);
            ResponseHead head = ResponseHead.read(httpConnection, settings.maxHeadBytes());
            ResponseBody body = ResponseBody.of(httpConnection, head);
            return new StreamingResponse(
                    head, body, settings.maxBodyBytes(), new Done(httpConnection, keeper, head, body));
        } catch (MalformedResponse wrong) {
            httpConnection.close();
            throw HttpFailure.nonsense(request.target().origin() + " did not answer as HTTP/1.1: " + wrong.getMessage())
                    .by(FailureCause.NOT_HTTP);
        } catch (IOException lost) {
            httpConnection.close();
            throw HttpFailure.lineLost(
                    "the connection to " + request.target().origin() + " was lost after the request was sent");
        } catch (RuntimeException ours) {
            httpConnection.close();
            throw ours;
        }
    }

    /// Requests of one client are written in the order in which they came, whatever lines they take.
    private void awaitTurn(SendSlot slot, HttpConnection httpConnection, RequestTimer keeper) {
        if (slot.isTurn()) {
            return;
        }
        Thread self = Thread.currentThread();
        keeper.hold(() -> {
            httpConnection.close();
            LockSupport.unpark(self);
        });
        if (!slot.await(platform, keeper::left)) {
            keeper.end();
        }
    }

    // ---- Lines

    private HttpConnection httpConnection(HttpTarget target, RequestTimer keeper) throws HttpFailure {
        for (HttpConnection known = poll(target); known != null; known = poll(target)) {
            if (isReusable(known)) {
                return known;
            }
            known.close();
        }
        if (isClosed()) {
            throw HttpFailure.shortage("the gateway is ending");
        }
        if (lines.incrementAndGet() > settings.maxLines()) {
            lines.decrementAndGet();
            throw HttpFailure.shortage("more than " + settings.maxLines() + " connections to servers at once");
        }
        boolean dialled = false;
        try {
            HttpConnection httpConnection = socketConnector.dial(target, keeper, lines::decrementAndGet);
            dialled = true;
            return httpConnection;
        } finally {
            if (!dialled) {
                lines.decrementAndGet();
            }
        }
    }

    private synchronized boolean isClosed() {
        return isClosed;
    }

    /// A line that was dialled for the operator may lead where no other may go: foreign ones are not shared.
    private synchronized @Nullable HttpConnection poll(HttpTarget target) {
        Deque<HttpConnection> known = target.isForeign() ? null : idle.get(target.way());
        return known == null ? null : known.pollFirst();
    }

    private boolean isReusable(HttpConnection httpConnection) {
        boolean isFresh = httpConnection.suspendedFor(platform.ticker().nanos()) <= mostIdle(httpConnection);
        return isFresh && (!httpConnection.hasRest() || isFinishedInTime(httpConnection)) && httpConnection.isQuiet();
    }

    private boolean isFinishedInTime(HttpConnection httpConnection) {
        try (RequestTimer brief = RequestTimer.start(platform, httpConnection.hasBytes() ? AT_HAND : ON_ITS_WAY)) {
            brief.hold(httpConnection::close);
            return httpConnection.finish() && brief.letGo();
        }
    }

    /// What becomes of a line after its answer, once.
    private final class Done implements StreamingResponse.Return {
        private final HttpConnection httpConnection;
        private final RequestTimer keeper;
        private final ResponseHead head;
        private final ResponseBody body;
        private boolean isDone;

        Done(HttpConnection httpConnection, RequestTimer keeper, ResponseHead head, ResponseBody body) {
            this.httpConnection = httpConnection;
            this.keeper = keeper;
            this.head = head;
            this.body = body;
        }

        @Override
        public void cut() {
            if (isDone) {
                return;
            }
            isDone = true;
            keeper.letGo();
            httpConnection.close();
        }

        @Override
        public void giveBack() {
            if (isDone) {
                return;
            }
            isDone = true;
            boolean usable = keeper.letGo() && httpConnection.isShared() && head.keepsLine() && body.hasOwnEnd();
            if (usable) {
                httpConnection.park(
                        body.isFinished() ? null : body, platform.ticker().nanos(), kept());
            }
            if (!usable || !keep(httpConnection)) {
                httpConnection.close();
            }
        }

        /// A second less than the server says: its end of the line may be on its way.
        private long kept() {
            Long seconds = head.keptSeconds();
            return seconds == null
                    ? Long.MAX_VALUE
                    : Duration.ofSeconds(seconds - 1).toNanos();
        }
    }

    private boolean keep(HttpConnection httpConnection) {
        boolean first;
        synchronized (this) {
            Deque<HttpConnection> known = idle.computeIfAbsent(httpConnection.way(), way -> new ArrayDeque<>());
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

    /// Closes lines that were idle for too long, and those whose stream did not end after its answer.
    private void sweep() {
        long now = platform.ticker().nanos();
        List<HttpConnection> suspects = new ArrayList<>();
        boolean again;
        synchronized (this) {
            for (Deque<HttpConnection> known : idle.values()) {
                known.removeIf(httpConnection -> isSuspect(httpConnection, now) && suspects.add(httpConnection));
            }
            idle.values().removeIf(Deque::isEmpty);
            again = !idle.isEmpty();
            isSweeping = again;
        }
        if (again) {
            platform.timers().schedule(SWEEP, this::sweep);
        }
        Thread.ofVirtual().name("fusebox-http-sweep").start(() -> suspects.forEach(this::judge));
    }

    private boolean isSuspect(HttpConnection httpConnection, long now) {
        long tail = httpConnection.hasRest() ? TAIL_NANOS : Long.MAX_VALUE;
        return httpConnection.suspendedFor(now) > Math.min(tail, mostIdle(httpConnection));
    }

    private long mostIdle(HttpConnection httpConnection) {
        return Math.min(settings.idle().toNanos(), httpConnection.keptNanos());
    }

    private void judge(HttpConnection httpConnection) {
        if (!isReusable(httpConnection) || !keep(httpConnection)) {
            httpConnection.close();
        }
    }

    // ---- The end

    /// Runs something that nobody waits for but [#close].
    void farewell(Runnable work) {
        farewells.incrementAndGet();
        Thread.ofVirtual().name("fusebox-http-farewell").start(() -> {
            try {
                work.run();
            } finally {
                farewells.decrementAndGet();
            }
        });
    }

    /// Lets those who say goodbye to their servers do so, for a second, and closes what is unused.
    @Override
    public void close() {
        long start = platform.ticker().nanos();
        try {
            while (farewells.get() > 0 && platform.ticker().nanos() - start < FAREWELL.toNanos()) {
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
