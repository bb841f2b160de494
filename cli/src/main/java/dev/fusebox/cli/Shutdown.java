package dev.fusebox.cli;

import dev.fusebox.client.process.Children;
import dev.fusebox.world.Signals;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// When the gateway has to end, and with which code: at the client's leaving or at the first signal in order, at the
/// second
/// signal at once. Thread-safe; only [#await] blocks.
final class Shutdown {
    private static final int AFTER_TERM = 143;

    private final CountDownLatch begun = new CountDownLatch(1);
    private final AtomicReference<@Nullable Exit> exit = new AtomicReference<>();
    private final AtomicBoolean signalled = new AtomicBoolean();
    private final Children children;

    Shutdown(Children children) {
        this.children = children;
        Signals.on("TERM", () -> signalled(Exit.DONE, AFTER_TERM));
        Signals.on("INT", () -> signalled(Exit.INTERRUPTED, Exit.INTERRUPTED.code()));
    }

    /// A first signal after the client has left ends everything at once, too: nobody waits for an answer any more.
    private void signalled(Exit first, int second) {
        boolean again = !signalled.compareAndSet(false, true);
        if (!begin(first)) {
            children.kill();
            Runtime.getRuntime().halt(again ? second : first.code());
        }
    }

    /// Begins to end; false if that has begun before.
    boolean begin(Exit with) {
        boolean first = exit.compareAndSet(null, with);
        begun.countDown();
        return first;
    }

    void await() throws InterruptedException {
        begun.await();
    }

    Exit exit() {
        Exit known = exit.get();
        return known == null ? Exit.DONE : known;
    }
}
