package dev.fusebox.gateway.result;

import dev.fusebox.client.Principal;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Timer;
import java.time.Duration;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The texts that were cut off from results, in memory until their time is over. The oldest ones go when there are
/// too many, or when they take too much memory. Thread-safe; only the first [#keep] may block for a moment, for a
/// random number.
public final class ResultStore {
    /// Many times what clients read within ten minutes, the default of `results.keepMs`.
    static final int MAX_TEXTS = 1_000;

    /// Half of what large responses in flight may take.
    private static final int SHARE_OF_HEAP = 16;

    /// 128 bits, as a key has.
    private static final int ID_BYTES = 16;

    private final Platform platform;
    private final RandomGenerator secrets;
    private final long maxMemory;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private long memory;

    /// Who may read a text. Immutable.
    ///
    /// @param workspace the servers as the client saw them; compared by identity
    record Owner(Principal principal, Object workspace) {}

    /// A kept text. Immutable.
    ///
    /// @param until by the monotonic clock
    record Kept(DividedText text, Owner owner, long until) {}

    private record Entry(Kept kept, Timer timer) {}

    /// @param secrets source of the ids
    public ResultStore(Platform platform, RandomGenerator secrets) {
        this(platform, secrets, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
    }

    ResultStore(Platform platform, RandomGenerator secrets, long maxMemory) {
        this.platform = platform;
        this.secrets = secrets;
        this.maxMemory = maxMemory;
    }

    /// Keeps a text for this long. Returns its id; null if it alone needs more memory than there may be.
    @Nullable
    String keep(DividedText text, Owner owner, Duration time) {
        if (text.memory() > maxMemory) {
            return null;
        }
        byte[] random = new byte[ID_BYTES];
        secrets.nextBytes(random);
        String id = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        Kept kept = new Kept(text, owner, platform.ticker().nanos() + time.toNanos());
        synchronized (this) {
            // Within the lock: the timer must not fire before the entry exists.
            entries.put(id, new Entry(kept, platform.timers().schedule(time, () -> remove(id))));
            memory += text.memory();
            Iterator<Entry> oldest = entries.values().iterator();
            while (memory > maxMemory || entries.size() > MAX_TEXTS) {
                release(oldest.next());
                oldest.remove();
            }
        }
        return id;
    }

    /// The text of this id; null if there is none, or not for this owner.
    synchronized @Nullable Kept find(String id, Owner owner) {
        Entry entry = entries.get(id);
        if (entry == null || !entry.kept().owner().equals(owner)) {
            return null;
        }
        return entry.kept().until() - platform.ticker().nanos() > 0 ? entry.kept() : null;
    }

    /// How long a text is still kept, unless there is no memory for it.
    Duration left(Kept kept) {
        return Duration.ofNanos(Math.max(0, kept.until() - platform.ticker().nanos()));
    }

    /// Removes all texts of a workspace.
    synchronized void removeAll(Object workspace) {
        entries.values().removeIf(entry -> {
            boolean isOfWorkspace = entry.kept().owner().workspace().equals(workspace);
            if (isOfWorkspace) {
                release(entry);
            }
            return isOfWorkspace;
        });
    }

    private synchronized void remove(String id) {
        Entry entry = entries.remove(id);
        if (entry != null) {
            release(entry);
        }
    }

    private void release(Entry entry) {
        entry.timer().cancel();
        memory -= entry.kept().text().memory();
    }

    /// The number of kept texts.
    synchronized int size() {
        return entries.size();
    }

    /// The memory that they take, as far as it is counted.
    synchronized long memory() {
        return memory;
    }
}
