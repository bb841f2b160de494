package dev.fusebox.gateway.mcp;

import dev.fusebox.world.World;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// All sessions over HTTP. Sessions that nobody uses are closed after a while; when there are too many, the one that
/// has
/// been idle longest makes room. Thread-safe.
final class HttpSessions {
    private final World world;
    private final McpHttp.Served served;
    private final RandomGenerator secrets;
    private final Bounds bounds;
    private final Map<String, HttpSession> all = new ConcurrentHashMap<>();

    /// How many sessions there may be and how long an idle one lives.
    record Bounds(int most, Duration idle) {
        static final Bounds USUAL = new Bounds(10_000, Duration.ofMinutes(30));
    }

    /// @param secrets makes session ids, which nobody must be able to guess
    HttpSessions(World world, McpHttp.Served served, RandomGenerator secrets, Bounds bounds) {
        this.world = world;
        this.served = served;
        this.secrets = secrets;
        this.bounds = bounds;
    }

    /// A new session; null if all that there may be are in use.
    @Nullable
    HttpSession open(Revision asked) {
        closeIdle();
        if (all.size() >= bounds.most() && !makeRoom()) {
            return null;
        }
        byte[] secret = new byte[16];
        secrets.nextBytes(secret);
        HttpSession session = new HttpSession(HexFormat.of().formatHex(secret), world, served, asked);
        all.put(session.id(), session);
        return session;
    }

    @Nullable
    HttpSession find(String id) {
        return all.get(id);
    }

    /// False if there was none.
    boolean close(String id) {
        HttpSession session = all.remove(id);
        if (session != null) {
            session.close();
        }
        return session != null;
    }

    /// Closes what has been idle for too long. Called when sessions are opened and from time to time.
    void closeIdle() {
        long limit = bounds.idle().toNanos();
        all.values().stream()
                .filter(session -> session.idleNanos() > limit)
                .toList()
                .forEach(old -> close(old.id()));
    }

    private boolean makeRoom() {
        return all.values().stream()
                .filter(session -> session.idleNanos() > 0)
                .max(Comparator.comparingLong(HttpSession::idleNanos))
                .map(oldest -> close(oldest.id()))
                .orElse(false);
    }

    int count() {
        return all.size();
    }

    void closeAll() {
        all.keySet().forEach(this::close);
    }
}
