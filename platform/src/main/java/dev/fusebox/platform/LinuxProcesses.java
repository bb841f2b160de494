package dev.fusebox.platform;

import dev.fusebox.platform.Libc.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Processes on Linux: sessions by `posix_spawn`, exits and signals by pidfd, the rest from `/proc`. Thread-safe;
/// blocks as [Processes] documents.
final class LinuxProcesses implements Processes {
    private final ProcFs procFs = new ProcFs();
    private volatile @Nullable ProcessEntry lastSelf;

    /// Whether this machine has what is needed: Linux 5.3 with `/proc`, on an architecture that [Libc] supports.
    static boolean works() {
        boolean isKnown = System.getProperty("os.name", "").equals("Linux")
                && System.getProperty("os.arch", "").matches("amd64|x86_64|aarch64");
        return isKnown && new ProcFs().entry(ProcessHandle.current().pid()) != null && hasPidfd();
    }

    private static boolean hasPidfd() {
        try (Arena arena = Arena.ofConfined()) {
            var errno = new Errno(arena);
            int pidfd = Libc.openPidfd(errno, ProcessHandle.current().pid());
            if (pidfd >= 0) {
                Libc.close(errno, pidfd);
            }
            return pidfd >= 0 && LinuxLaunch.isPossible();
        }
    }

    @Override
    public LaunchResult launch(Program program) {
        try (Arena arena = Arena.ofConfined()) {
            return new LinuxLaunch(arena, program).run();
        }
    }

    @Override
    public void replaceSelf(Program program) {
        try (Arena arena = Arena.ofConfined()) {
            new LinuxLaunch(arena, program).replaceSelf();
        }
    }

    @Override
    public List<ProcessEntry> list() {
        return procFs.entries();
    }

    @Override
    public @Nullable String variable(ProcessEntry process, String name) {
        return procFs.variable(process.pid(), name);
    }

    @Override
    public boolean signal(ProcessEntry process, Signal signal) {
        try (Arena arena = Arena.ofConfined()) {
            var errno = new Errno(arena);
            int pidfd = Libc.openPidfd(errno, process.pid());
            if (pidfd < 0) {
                return false;
            }
            // The pidfd refers to the present owner of the number; only afterwards can it be checked that this is
            // the right one.
            ProcessEntry now = procFs.entry(process.pid());
            boolean isSame = now != null && now.start() == process.start();
            boolean sent = isSame && Libc.signalPidfd(errno, pidfd, signal.number()) >= 0;
            Libc.close(errno, pidfd);
            return sent;
        }
    }

    @Override
    public void reap(ProcessEntry zombie) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment info = arena.allocate(LinuxSpawnedProcess.SIGINFO_BYTES, Long.BYTES);
            Libc.waitFor(
                    new Errno(arena), zombie.pid(), info, LinuxSpawnedProcess.WEXITED | LinuxSpawnedProcess.WNOHANG);
        }
    }

    @Override
    public ProcessEntry self() {
        ProcessEntry now = procFs.entry(ProcessHandle.current().pid());
        // Without a free descriptor `/proc` cannot be read; of the last known entry, only the parent may have
        // changed.
        ProcessEntry self = now == null ? lastSelf : now;
        lastSelf = self;
        if (self == null) {
            throw new IllegalStateException("this process is missing in /proc; is /proc still mounted?");
        }
        return self;
    }

    @Override
    public boolean adoptOrphans() {
        try (Arena arena = Arena.ofConfined()) {
            return Libc.becomeSubreaper(new Errno(arena)) == 0;
        }
    }

    @Override
    public boolean lowerPriority(int steps) {
        try (Arena arena = Arena.ofConfined()) {
            return Libc.addNiceness(new Errno(arena), steps) >= 0;
        }
    }

    @Override
    public long processorNanos() {
        return ProcFs.threadNanos();
    }

    @Override
    public boolean denyInspection() {
        try (Arena arena = Arena.ofConfined()) {
            return Libc.denyInspection(new Errno(arena)) == 0;
        }
    }

    @Override
    public long memory() {
        return SystemMemory.limit();
    }

    @Override
    public long memoryOf(ProcessEntry process) {
        return SystemMemory.ofProcess(process.pid());
    }

    @Override
    public boolean keepsSessions() {
        return true;
    }
}
