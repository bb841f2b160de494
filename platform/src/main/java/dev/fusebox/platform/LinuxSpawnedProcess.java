package dev.fusebox.platform;

import dev.fusebox.platform.Libc.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A process on Linux. Thread-safe within the limits of [SpawnedProcess]; every wait also polls the process's
/// pidfd, so no wait outlives the process.
final class LinuxSpawnedProcess implements SpawnedProcess {
    static final int SIGINFO_BYTES = 128;
    static final int WNOHANG = 1;
    static final int WEXITED = 4;
    private static final int WNOWAIT = 0x01000000;
    private static final int CLD_EXITED = 1;

    /// The offsets of `si_code` and `si_status` in `siginfo_t` on 64-bit machines.
    private static final int CODE_AT = 8;

    private static final int STATUS_AT = 24;
    private static final int SIGNAL_BASE = 128;
    private static final Ended UNKNOWN = new Ended(255, 0);

    /// Standard output may be large and gets a bigger buffer; stderr is rarely urgent.
    private static final int OUT_BYTES = 16 << 10;

    private static final int ERR_BYTES = 4 << 10;

    record Descriptors(int in, int out, int err, int wakeup, int pidfd) {}

    private final int pid;
    private final int pidfd;
    private final LinuxReader out;
    private final LinuxReader err;
    private final LinuxWatch watch;
    private final AtomicInteger usersOfPidfd = new AtomicInteger(3);
    private final Object reapLock = new Object();
    private boolean isReaped;
    private @Nullable Ended ended;

    LinuxSpawnedProcess(int pid, Descriptors descriptors) {
        this.pid = pid;
        this.pidfd = descriptors.pidfd;
        this.out = new LinuxReader(descriptors.out, pidfd, OUT_BYTES);
        this.err = new LinuxReader(descriptors.err, pidfd, ERR_BYTES);
        this.watch = new LinuxWatch(descriptors);
    }

    @Override
    public long pid() {
        return pid;
    }

    @Override
    public int readOut(byte[] into) {
        return out.read(into);
    }

    @Override
    public int readErr(byte[] into) {
        return err.read(into);
    }

    @Override
    public int tryWrite(byte[] bytes, int from, int to) {
        return watch.tryWrite(bytes, from, to);
    }

    @Override
    public boolean await(boolean forRoom, long nanos) {
        return watch.await(forRoom, nanos);
    }

    @Override
    public void wake() {
        watch.wake();
    }

    /// Looks without reaping: while the process is a zombie, its number and its group's are not reused.
    @Override
    public @Nullable Ended ended() {
        synchronized (reapLock) {
            return ended == null ? peek(WNOHANG | WNOWAIT) : ended;
        }
    }

    private @Nullable Ended peek(int options) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment info = arena.allocate(SIGINFO_BYTES, Long.BYTES);
            var errno = new Errno(arena);
            int answer = Libc.waitFor(errno, pid, info, WEXITED | options);
            while (answer == -Libc.EINTR) {
                answer = Libc.waitFor(errno, pid, info, WEXITED | options);
            }
            if (answer != 0) {
                // Another part of this process has reaped it; the exit status is lost.
                isReaped = true;
                return UNKNOWN;
            }
            int code = info.get(ValueLayout.JAVA_INT, CODE_AT);
            int status = info.get(ValueLayout.JAVA_INT, STATUS_AT);
            if (code != 0) {
                ended = code == CLD_EXITED ? new Ended(status, 0) : new Ended(SIGNAL_BASE + status, status);
            }
            return ended;
        }
    }

    @Override
    public void signal(Signal signal) {
        kill(pid, signal);
    }

    @Override
    public void signalGroup(Signal signal) {
        kill(-pid, signal);
    }

    private void kill(int target, Signal signal) {
        synchronized (reapLock) {
            if (isReaped) {
                return;
            }
            try (Arena arena = Arena.ofConfined()) {
                Libc.kill(new Errno(arena), target, signal.number());
            }
        }
    }

    @Override
    public void closeIn() {
        watch.closeIn();
    }

    @Override
    public void closeOut() {
        if (out.close()) {
            leavePidfd();
        }
    }

    @Override
    public void closeErr() {
        if (err.close()) {
            leavePidfd();
        }
    }

    @Override
    public void closeWatch() {
        if (watch.close()) {
            leavePidfd();
        }
    }

    private void leavePidfd() {
        if (usersOfPidfd.decrementAndGet() == 0) {
            try (Arena arena = Arena.ofConfined()) {
                Libc.close(new Errno(arena), pidfd);
            }
        }
    }

    @Override
    public void reap() {
        reap(WNOHANG);
    }

    /// Waits for the end of a process that was just killed.
    void killAndReap() {
        signalGroup(Signal.KILL);
        reap(0);
    }

    private void reap(int deadline) {
        synchronized (reapLock) {
            if (!isReaped) {
                isReaped = peek(deadline) != null;
            }
        }
    }
}
