package dev.fusebox.gateway.front;

import dev.fusebox.config.SessionBounds;
import dev.fusebox.gateway.era.GatewayService;
import dev.fusebox.gateway.session.SessionType;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Timer;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The registry of all HTTP sessions, of both transports under one bound. Idle sessions are closed after a while;
/// at the bound, the one that has been idle longest is evicted. Thread-safe; only [#awaitQuiet] blocks.
final class HttpSessions {
    /// The number of checks for idle sessions within one idle timeout.
    private static final int CHECKS = 16;

    /// The polling interval: modern requests do not notify anyone when they end.
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

    private final Platform platform;
    private final GatewayService service;
    private final RandomGenerator secrets;
    private final SessionBounds bounds;
    private final Semaphore permits;
    private final Map<String, HttpClientSession> all = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /// The timer of the next check for idle sessions; null before the first.
    private volatile @Nullable Timer idleCheck;

    /// @param secrets generates session ids, which must not be guessable
    HttpSessions(Platform platform, GatewayService service, RandomGenerator secrets) {
        this.platform = platform;
        this.service = service;
        this.secrets = secrets;
        this.bounds = service.bounds();
        this.permits = new Semaphore(bounds.most());
    }

    /// Starts the check for idle sessions, until all are closed.
    void watch() {
        Timer next = platform.timers().schedule(Duration.ofNanos(bounds.idle().toNanos() / CHECKS), this::checkIdle);
        idleCheck = next;
        if (closed) {
            next.cancel();
        }
    }

    private void checkIdle() {
        if (closed) {
            return;
        }
        try {
            closeIdle();
        } finally {
            watch();
        }
    }

    /// A new session of Streamable HTTP; null if the limit is reached and none is idle.
    ///
    /// @param path where the session is valid
    @Nullable
    HttpSession open(McpPath path) {
        return open(SessionType.HTTP_LEGACY, id -> new HttpSession(id, platform, path));
    }

    /// A new session of HTTP with server-sent events; null if the limit is reached and none is idle.
    @Nullable
    SseSession openSse() {
        return open(SessionType.SSE_LEGACY, id -> new SseSession(id, platform, service));
    }

    private <S extends HttpClientSession> @Nullable S open(SessionType type, Function<String, S> factory) {
        if (closed || !acquirePermit()) {
            return null;
        }
        S session = create(factory);
        service.settings().sessions().opened(type);
        if (closed) {
            close(session.id());
            return null;
        }
        return session;
    }

    /// Releases the permit if the session cannot be created.
    private <S extends HttpClientSession> S create(Function<String, S> factory) {
        boolean isCreated = false;
        try {
            S session = factory.apply(secret());
            all.put(session.id(), session);
            isCreated = true;
            return session;
        } finally {
            if (!isCreated) {
                permits.release();
            }
        }
    }

    private String secret() {
        byte[] secret = new byte[16];
        secrets.nextBytes(secret);
        return HexFormat.of().formatHex(secret);
    }

    /// The session of Streamable HTTP with this id, if it began at this path.
    @Nullable
    HttpSession find(String id, String path) {
        return all.get(id) instanceof HttpSession found && found.isAt(path) ? found : null;
    }

    @Nullable
    SseSession findSse(String id) {
        return all.get(id) instanceof SseSession found ? found : null;
    }

    /// False if there was none.
    boolean close(String id) {
        HttpClientSession session = all.remove(id);
        if (session != null) {
            permits.release();
            ended(session);
            session.close();
        }
        return session != null;
    }

    private void ended(HttpClientSession session) {
        boolean isSse = session instanceof SseSession;
        service.settings().sessions().ended(isSse ? SessionType.SSE_LEGACY : SessionType.HTTP_LEGACY);
    }

    private void closeIdle() {
        long limit = bounds.idle().toNanos();
        all.values().forEach(HttpClientSession::probe);
        all.values().stream()
                .filter(session -> session.idleNanos() > limit)
                .toList()
                .forEach(this::expire);
    }

    /// Ends all sessions of a path as soon as their responses are sent.
    void expireAll(String path) {
        all.values().stream()
                .filter(session -> session instanceof HttpSession mcp && mcp.isAt(path))
                .toList()
                .forEach(this::expire);
    }

    private void expire(HttpClientSession old) {
        if (all.remove(old.id(), old)) {
            permits.release();
            ended(old);
            old.closeWhenAnswered();
        }
    }

    /// Acquires a permit, or that of the session that has been idle longest. The thread that removes a session
    /// from the map gets its permit, so that concurrent callers never share one.
    private boolean acquirePermit() {
        while (!permits.tryAcquire()) {
            HttpClientSession oldest = longestIdle();
            if (oldest == null) {
                return false;
            }
            if (all.remove(oldest.id(), oldest)) {
                ended(oldest);
                oldest.closeWhenAnswered();
                return true;
            }
        }
        return true;
    }

    private @Nullable HttpClientSession longestIdle() {
        return all.values().stream()
                .filter(session -> session.idleNanos() > 0)
                .max(Comparator.comparingLong(HttpClientSession::idleNanos))
                .orElse(null);
    }

    int count() {
        return all.size();
    }

    /// Rejects new sessions and requests, and waits until none is in flight, at most for the limit.
    ///
    /// @param others other calls in flight
    void awaitQuiet(Duration limit, IntSupplier others) throws InterruptedException {
        closed = true;
        Thread self = Thread.currentThread();
        all.values().forEach(session -> {
            session.drain();
            session.onQuiet(() -> LockSupport.unpark(self));
        });
        long begun = platform.ticker().nanos();
        while (!isQuiet(others) && platform.ticker().nanos() - begun < limit.toNanos()) {
            platform.await(POLL_INTERVAL, () -> isQuiet(others));
        }
    }

    private boolean isQuiet(IntSupplier others) {
        return others.getAsInt() == 0 && all.values().stream().allMatch(session -> session.inFlight() == 0);
    }

    void closeAll() {
        closed = true;
        Timer next = idleCheck;
        if (next != null) {
            next.cancel();
        }
        all.keySet().forEach(this::close);
    }
}
