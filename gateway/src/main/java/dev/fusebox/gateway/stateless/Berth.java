package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Call;
import dev.fusebox.client.Outcome;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The place of a way to a server, which is built when it is first needed, and how many calls are on it. Thread-safe;
/// only [#call] blocks, as long as the caller has patience.
final class Berth {
    private static final Set<String> WORK =
            Set.of("tools/call", "prompts/get", "resources/read", "completion/complete");

    private final Supplier<Target> building;
    private final AtomicInteger calls = new AtomicInteger();
    private volatile @Nullable Target target;

    /// @param building must not block
    Berth(Supplier<Target> building) {
        this.building = building;
    }

    /// One whose way is there.
    static Berth of(Target built) {
        Berth berth = new Berth(() -> built);
        berth.target = built;
        return berth;
    }

    Target target() {
        Target known = target;
        return known == null ? built() : known;
    }

    private synchronized Target built() {
        Target known = target;
        if (known == null) {
            known = building.get();
            target = known;
        }
        return known;
    }

    boolean isBuilt() {
        return target != null;
    }

    /// One call more; whoever says so calls [#leave].
    void enter() {
        calls.incrementAndGet();
    }

    void leave() {
        calls.decrementAndGet();
    }

    int calls() {
        return calls.get();
    }

    /// Makes the call. Work counts as long as it lasts; to listen, and to read lists, keeps nobody away.
    Outcome call(Call call, Metadata client) {
        if (!isWork(call)) {
            return target().call(call, client);
        }
        enter();
        try {
            return target().call(call, client);
        } finally {
            leave();
        }
    }

    /// Whether another connection to the server would do as well.
    static boolean isWork(Call call) {
        return WORK.contains(call.request().method());
    }
}
