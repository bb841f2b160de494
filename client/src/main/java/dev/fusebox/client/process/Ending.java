package dev.fusebox.client.process;

import dev.fusebox.world.Spawned.Ended;
import dev.fusebox.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Makes one end of the several ways in which a child may end. Thread-safe.
///
/// ```
/// process ended ------------------------------.
/// a pipe closed, and the process lives on -----+--> all is delivered (80 ms of silence) --> Exit, once --> listener
/// line without end, unread input, our fault --'      and, in any case, the ladder for the tree
/// ```
final class Ending {
    /// How long the last lines of the output may stay away. The caller of a dead server is told within 100 ms.
    private static final Duration LAST_LINES = Duration.ofMillis(80);

    /// How long they may take where they come one after the other. The errors may take as long in any case: they say
    /// why it ended.
    private static final Duration ALL_LINES = Duration.ofSeconds(1);

    /// A process that ends closes its pipes a moment before it is gone.
    static final Duration CLOSED_BEFORE_ENDED = Duration.ofMillis(60);

    private static final int TAIL_LINES = 10;
    private static final int TAIL_BYTES = 1 << 10;

    /// Stacks and the advice of package managers are longer than what is shown.
    private static final int REASON_LINES = 200;

    private static final int REASON_BYTES = 16 << 10;

    private final World world;
    private final Reading reading;
    private final Told listener;
    private final Ladder ladder;
    private final Milestone processEnded;
    private final Milestone known;
    private final long start;
    private final AtomicBoolean isTaken = new AtomicBoolean();
    private volatile boolean isStopping;
    private volatile @Nullable Ended ended;
    private volatile @Nullable Exit exit;

    Ending(World world, Reading reading, Told listener, Ladder ladder) {
        this.world = world;
        this.reading = reading;
        this.listener = listener;
        this.ladder = ladder;
        this.processEnded = ladder.leaderEnded();
        this.known = new Milestone(world);
        this.start = world.ticker().nanos();
    }

    World world() {
        return world;
    }

    Ladder ladder() {
        return ladder;
    }

    void stopping() {
        isStopping = exit == null || isStopping;
    }

    /// From the watching thread.
    void processEnded(@Nullable Ended how) {
        ended = how;
        processEnded.reach();
        end(Exit.Cause.ENDED);
    }

    /// From the output's thread: there will be no more output, or none of use. A child in the middle of a line is not
    /// about to end, and nothing more may be sent to it.
    void outputLost(Exit.Cause cause) {
        if (cause != Exit.Cause.ENDLESS_LINE) {
            processEnded.awaitUninterrupted(CLOSED_BEFORE_ENDED);
        }
        // Asked directly as well: on a busy machine the watching thread may be late.
        if (!reading.isProcessOver()) {
            end(cause);
        }
    }

    /// The first one decides.
    void end(Exit.Cause cause) {
        if (!isTaken.compareAndSet(false, true)) {
            return;
        }
        if (cause == Exit.Cause.ENDED) {
            reading.awaitAll(LAST_LINES, ALL_LINES);
        }
        Exit made = exit(cause);
        exit = made;
        known.reach();
        ladder.start();
        listener.exited(made);
    }

    private Exit exit(Exit.Cause cause) {
        Ended how = ended;
        Duration uptime = Duration.ofNanos(world.ticker().nanos() - start);
        List<String> tail = reading.errors().tail(TAIL_LINES, TAIL_BYTES);
        return new Exit(
                cause,
                how == null ? null : (Integer) how.code(),
                how == null ? null : SignalName.of(how.signal()),
                uptime,
                isStopping,
                tail,
                CrashReason.of(reading.errors().tail(REASON_LINES, REASON_BYTES)));
    }

    Optional<Exit> await(Duration limit) throws InterruptedException {
        known.await(limit);
        return Optional.ofNullable(exit);
    }
}
