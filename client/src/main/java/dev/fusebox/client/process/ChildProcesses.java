package dev.fusebox.client.process;

import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// Registry of all child processes of one gateway. Opened once, closed at shutdown. Thread-safe; [#startResult],
/// [#close] and [#kill] block.
///
/// On Linux each child leads a session of its own and carries an [OwnerTag] in its environment; termination finds
/// the process tree by both, and a reaper process does the same if the gateway is killed. Elsewhere a tree
/// consists of the current descendants of the child, and nothing is terminated after the gateway.
public final class ChildProcesses implements AutoCloseable {
    private static final int MAX_CONCURRENT_STARTS = 4;

    /// 1.55 s for the termination sequence, and what 300 trees at once take on a slow machine.
    private static final Duration TERMINATION_LIMIT = Duration.ofSeconds(10);

    private static final Duration PENDING_STARTS_LIMIT = Duration.ofSeconds(2);

    private final Platform platform;
    private final OwnerTag ownerTag;
    private final ProcessTable processTable;
    private final StartLimiter startLimiter;
    private final ReaperProcess reaperProcess;
    private final ZombieReaper zombieReaper;
    private final AtomicLong numbers = new AtomicLong();
    private final Set<Long> leaders = ConcurrentHashMap.newKeySet();
    private final Set<ChildProcess> live = ConcurrentHashMap.newKeySet();
    private final CompletionSignal startsEnded;
    private final Object lock = new Object();
    private int startsRunning;
    private boolean isClosing;
    private volatile Duration startupGrace = Duration.ZERO;

    private ChildProcesses(Platform platform, int startsAtOnce) {
        this.platform = platform;
        this.ownerTag = new OwnerTag(platform);
        this.processTable = new ProcessTable(platform.processes());
        this.startLimiter = new StartLimiter(platform, startsAtOnce);
        this.reaperProcess = new ReaperProcess(platform, ownerTag);
        this.zombieReaper = new ZombieReaper(platform, processTable, leaders);
        this.startsEnded = new CompletionSignal(platform);
    }

    /// Starts no process yet. On Linux this process becomes the parent of orphans below it with the first start.
    public static ChildProcesses open(Platform platform) {
        return open(platform, MAX_CONCURRENT_STARTS);
    }

    /// The same with another limit of concurrent starts.
    ///
    /// @param startsAtOnce number of processes that may be starting at the same time; handshakes do not count
    public static ChildProcesses open(Platform platform, int startsAtOnce) {
        ChildProcesses children = new ChildProcesses(platform, startsAtOnce);
        children.zombieReaper.watchIfInit();
        return children;
    }

    /// Sets how long a child that is stopped before it has sent a message may take to exit by itself once its
    /// stdin is closed, so that a package runner finishes its installation. [#kill] and the reaper process do not
    /// wait.
    public void startupGrace(Duration limit) {
        startupGrace = limit;
    }

    /// How long that is; zero if there is no grace.
    public Duration startupGrace() {
        return startupGrace;
    }

    /// Starts a child. Blocks until it has a start permit and runs or has failed, within the limit of the spec.
    public StartResult startResult(ChildSpec spec, ChildListener listener) throws InterruptedException {
        Duration limit = spec.limits().start();
        long begin = platform.ticker().nanos();
        platform.processes().adoptOrphans();
        if (!startLimiter.acquire(limit)) {
            return new StartResult.NotStarted(
                    StartResult.Kind.OUR_SHORTAGE,
                    "timed out after " + limit.toMillis() + " ms waiting for other servers to start");
        }
        var processStart = new ProcessStart(this, spec, new SafeListener(listener), numbers.incrementAndGet());
        return processStart.begin(limit.minusNanos(platform.ticker().nanos() - begin));
    }

    /// Rejects all starts from now on, pending ones included; running children are not affected.
    public void rejectStarts() {
        synchronized (lock) {
            isClosing = true;
        }
    }

    /// The children whose process trees are not known to be gone.
    public List<ChildProcess> live() {
        return List.copyOf(live);
    }

    /// The id of the reaper process; 0 if there is none.
    public long reaperPid() {
        return reaperProcess.pid();
    }

    /// Rejects starts, terminates all process trees at the same time with SIGTERM first, and returns when they are
    /// gone.
    @Override
    public void close() {
        rejectStartsAndAwait();
        live.forEach(ChildProcess::stop);
        awaitAllGone();
        reaperProcess.close();
    }

    /// Kills all process trees by SIGKILL at once; also while [#close] waits in another thread.
    public void kill() {
        rejectStartsAndAwait();
        live.forEach(ChildProcess::kill);
        awaitAllGone();
        reaperProcess.close();
    }

    private void rejectStartsAndAwait() {
        boolean isQuiet;
        synchronized (lock) {
            isClosing = true;
            isQuiet = startsRunning == 0;
        }
        zombieReaper.close();
        if (!isQuiet) {
            startsEnded.awaitUninterrupted(PENDING_STARTS_LIMIT);
        }
    }

    private void awaitAllGone() {
        long begin = platform.ticker().nanos();
        Duration limit = TERMINATION_LIMIT.plus(startupGrace);
        for (ChildProcess child : live) {
            try {
                child.awaitGone(limit.minusNanos(platform.ticker().nanos() - begin));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /// False if starts are rejected. A caller that gets true must call [#endStart].
    boolean beginStart() {
        synchronized (lock) {
            startsRunning += isClosing ? 0 : 1;
            return !isClosing;
        }
    }

    void endStart() {
        synchronized (lock) {
            startsRunning--;
            if (!isClosing || startsRunning > 0) {
                return;
            }
        }
        startsEnded.reach();
    }

    void releaseStartPermit() {
        startLimiter.release();
    }

    void add(ChildProcess child) {
        leaders.add(child.pid());
        live.add(child);
        zombieReaper.watch();
    }

    void remove(ChildProcess child) {
        live.remove(child);
        leaders.remove(child.pid());
    }

    Platform platform() {
        return platform;
    }

    OwnerTag ownerTag() {
        return ownerTag;
    }

    ProcessTable processTable() {
        return processTable;
    }

    ReaperProcess reaperProcess() {
        return reaperProcess;
    }
}
