package dev.fusebox.client.process;

import dev.fusebox.platform.Platform;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// All child processes of one gateway. Made once, closed at the end. Thread-safe; [#startResult] and the ways to
/// close block.
///
/// On Linux each child leads a session of its own, carries a mark in its environment, and is found by both when
/// its tree is ended; a janitor beside us does the same if we are killed. Elsewhere a tree is what descends from
/// the child at the time, and nothing is ended after us.
public final class ChildProcesses implements AutoCloseable {
    private static final int STARTS_AT_ONCE = 4;

    /// 1.55 s for the ladder, and what 300 trees at once take on a slow machine.
    private static final Duration ALL_GONE_WITHIN = Duration.ofSeconds(10);

    private static final Duration STARTS_END_WITHIN = Duration.ofSeconds(2);

    private final Platform platform;
    private final OwnerTag ownerTag;
    private final ProcessTable processTable;
    private final StartLimiter gate;
    private final ReaperProcess reaperProcess;
    private final ZombieReaper zombieReaper;
    private final AtomicLong numbers = new AtomicLong();
    private final Set<Long> leaders = ConcurrentHashMap.newKeySet();
    private final Set<ChildProcess> live = ConcurrentHashMap.newKeySet();
    private final CompletionSignal startsEnded;
    private final Object lock = new Object();
    private int startsRunning;
    private boolean isClosing;
    private volatile Duration finishing = Duration.ZERO;

    private ChildProcesses(Platform platform, int startsAtOnce) {
        this.platform = platform;
        this.ownerTag = new OwnerTag(platform);
        this.processTable = new ProcessTable(platform.processes());
        this.gate = new StartLimiter(platform, startsAtOnce);
        this.reaperProcess = new ReaperProcess(platform, ownerTag);
        this.zombieReaper = new ZombieReaper(platform, processTable, leaders);
        this.startsEnded = new CompletionSignal(platform);
    }

    /// Starts no process yet. On Linux this process becomes the parent of orphans below it with the first start.
    public static ChildProcesses open(Platform platform) {
        return open(platform, STARTS_AT_ONCE);
    }

    /// The same with another bound on starts.
    ///
    /// @param startsAtOnce how many processes may be on their way at the same time; handshakes do not count
    public static ChildProcesses open(Platform platform, int startsAtOnce) {
        ChildProcesses children = new ChildProcesses(platform, startsAtOnce);
        children.zombieReaper.watchIfFirst();
        return children;
    }

    /// From now on a child that is to be ended before it has sent a message has this long to end by itself once
    /// its input is closed, so that a package runner finishes its installation. [#kill] and the janitor do not
    /// wait.
    public void lettingFinish(Duration limit) {
        finishing = limit;
    }

    /// How long that is; zero if it is ended at once.
    public Duration finishing() {
        return finishing;
    }

    /// Starts a child. Blocks for its turn and until it runs or cannot, within the limit of the spec.
    public StartResult startResult(ChildSpec spec, ChildListener listener) throws InterruptedException {
        Duration limit = spec.limits().start();
        long begin = platform.ticker().nanos();
        platform.processes().adoptOrphans();
        if (!gate.enter(limit)) {
            return new StartResult.NotStarted(
                    StartResult.Kind.OUR_SHORTAGE,
                    "timed out after " + limit.toMillis() + " ms waiting for other servers to start");
        }
        var processStart = new ProcessStart(this, spec, new SafeListener(listener), numbers.incrementAndGet());
        return processStart.begin(limit.minusNanos(platform.ticker().nanos() - begin));
    }

    /// Nothing is started from now on, whatever was about to be; what runs stays.
    public void startNoMore() {
        synchronized (lock) {
            isClosing = true;
        }
    }

    /// Those whose trees are not known to be gone.
    public List<ChildProcess> live() {
        return List.copyOf(live);
    }

    /// Number of the janitor's process; 0 if there is none.
    public long reaperPid() {
        return reaperProcess.pid();
    }

    /// Ends all trees at the same time, politely; starts nothing from now on. Returns when they are gone.
    @Override
    public void close() {
        refuseStarts();
        live.forEach(ChildProcess::stop);
        awaitAllGone();
        reaperProcess.close();
    }

    /// Ends all trees by SIGKILL at once; also while [#close] waits in another thread.
    public void kill() {
        refuseStarts();
        live.forEach(ChildProcess::kill);
        awaitAllGone();
        reaperProcess.close();
    }

    private void refuseStarts() {
        boolean isQuiet;
        synchronized (lock) {
            isClosing = true;
            isQuiet = startsRunning == 0;
        }
        zombieReaper.close();
        if (!isQuiet) {
            startsEnded.awaitUninterrupted(STARTS_END_WITHIN);
        }
    }

    private void awaitAllGone() {
        long begin = platform.ticker().nanos();
        Duration limit = ALL_GONE_WITHIN.plus(finishing);
        for (ChildProcess child : live) {
            try {
                child.awaitGone(limit.minusNanos(platform.ticker().nanos() - begin));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /// False if nothing may start any more. Whoever gets true calls [#endStart].
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

    void leaveGate() {
        gate.leave();
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
