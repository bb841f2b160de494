package dev.fusebox.gateway.pool;

import dev.fusebox.config.PoolRules;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.ProcessEntry;
import dev.fusebox.platform.ProcessTableUnavailable;
import dev.fusebox.platform.Timer;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The automatic size of a process pool, derived from the memory of the machine. Process sizes are measured
/// twice a minute in the background, a bounded number each time. Thread-safe; nothing blocks.
public final class PoolSizing implements AutoCloseable {
    private static final System.Logger LOG = LazyLoggers.of(PoolSizing.class);

    /// A process needs some time to reach its full size, and measuring takes work.
    private static final Duration ROUND = Duration.ofSeconds(30);

    /// Processes measured per round.
    private static final int MOST = 32;

    /// Weight of the default size, in processes, beside the measured ones: a single large process does not
    /// decide alone.
    private static final int UNKNOWN = 4;

    /// A change of less than a twentieth is ignored.
    private static final int PRECISION = 20;

    private final Platform platform;
    private final Pool pool;

    /// Bytes of each process tree, most recently measured last.
    private final Map<Long, Long> sizes = new LinkedHashMap<>();

    private @Nullable Bounds bounds;
    private long process = PoolRules.UNKNOWN_PROCESS;
    private int size;
    private boolean closed;
    private @Nullable Timer timer;

    /// The configured bounds. Immutable.
    ///
    /// @param rules with the number of places to use while process sizes are unknown
    /// @param memory bytes that all processes together may use; 0 if the size does not follow memory
    /// @param least the minimum number of places
    public record Bounds(PoolRules rules, long memory, int least) {}

    /// Leaves the pool unchanged until [#follow] is called.
    public PoolSizing(Platform platform, Pool pool) {
        this.platform = platform;
        this.pool = pool;
    }

    /// Keeps the pool within these bounds.
    public synchronized void follow(Bounds other) {
        bounds = other;
        size = 0;
        resize(other);
        plan();
    }

    private void plan() {
        boolean isFollowing = bounds != null && bounds.memory() > 0;
        if (isFollowing && timer == null && !closed) {
            timer = platform.timers().schedule(ROUND, this::round);
        }
    }

    private void round() {
        if (!platform.processes().keepsSessions()) {
            return; // and there is no other round
        }
        try {
            learn(measured(pool.processes()));
        } catch (ProcessTableUnavailable unseen) {
            LOG.log(Level.DEBUG, "cannot measure process sizes", unseen);
        } finally {
            again();
        }
    }

    private synchronized void again() {
        timer = null;
        plan();
    }

    /// @param leaders root processes of all trees
    private Map<Long, Long> measured(Collection<Long> leaders) {
        Set<Long> chosen = chosen(leaders);
        Map<Long, Long> measured = new HashMap<>();
        if (!chosen.isEmpty()) {
            for (ProcessEntry entry : platform.processes().list()) {
                if (chosen.contains(entry.session()) && !entry.zombie()) {
                    measured.merge(entry.session(), platform.processes().memoryOf(entry), Long::sum);
                }
            }
        }
        return measured;
    }

    /// The processes that were never measured, then those measured longest ago.
    private synchronized Set<Long> chosen(Collection<Long> leaders) {
        Set<Long> running = new HashSet<>(leaders);
        sizes.keySet().retainAll(running);
        running.removeAll(sizes.keySet());
        List<Long> first = Stream.concat(running.stream(), sizes.keySet().stream())
                .limit(MOST)
                .toList();
        return new HashSet<>(first);
    }

    private synchronized void learn(Map<Long, Long> measured) {
        measured.forEach((leader, bytes) -> {
            sizes.remove(leader);
            if (bytes > 0) {
                sizes.put(leader, bytes);
            }
        });
        if (!sizes.isEmpty()) {
            long sum = sizes.values().stream().mapToLong(Long::longValue).sum();
            process = (sum + UNKNOWN * PoolRules.UNKNOWN_PROCESS) / (sizes.size() + UNKNOWN);
        }
        if (bounds != null && !closed) {
            resize(bounds);
        }
    }

    private void resize(Bounds within) {
        int wanted = within.memory() == 0
                ? within.rules().size()
                : Math.max(PoolRules.sizeFor(within.memory(), process), within.least());
        if (size != 0 && Math.abs(wanted - size) * PRECISION < size) {
            return;
        }
        if (size != 0) {
            LOG.log(
                    Level.INFO,
                    "connection pool size changed from " + size + " to " + wanted + ": a process takes "
                            + (process >> 20) + " MiB");
        }
        size = wanted;
        pool.update(within.rules().withSize(wanted));
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (timer != null) {
            timer.cancel();
        }
    }
}
