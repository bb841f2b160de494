package dev.fusebox.platform;

import dev.fusebox.platform.Libc.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// The descriptors of one launch: three pipes, the wake-up event and the pidfd. For one thread.
final class LinuxPipes {
    private static final int NONE = -1;
    private static final int IN = 0;
    private static final int OUT = 1;
    private static final int ERR = 2;

    private final Arena arena;
    private final Errno errno;
    private final int[] ours = {NONE, NONE, NONE};
    private final int[] theirs = {NONE, NONE, NONE};
    private int wakeup = NONE;

    LinuxPipes(Arena arena, Errno errno) {
        this.arena = arena;
        this.errno = errno;
    }

    /// Returns false if there are not enough descriptors left; then some may be open.
    boolean open() {
        MemorySegment pair = arena.allocate(ValueLayout.JAVA_INT, 2);
        for (int standard = IN; standard <= ERR; standard++) {
            if (Libc.pipe(errno, pair) != 0) {
                return false;
            }
            int reading = pair.getAtIndex(ValueLayout.JAVA_INT, 0);
            int writing = pair.getAtIndex(ValueLayout.JAVA_INT, 1);
            ours[standard] = standard == IN ? writing : reading;
            theirs[standard] = standard == IN ? reading : writing;
        }
        wakeup = Libc.eventfd(errno);
        return wakeup >= 0 && Libc.neverBlock(errno, ours[IN]) == 0;
    }

    int theirs(int standard) {
        return theirs[standard];
    }

    /// Hands the descriptors over to the process that has the other ends.
    LaunchResult attach(int pid) {
        int pidfd = Libc.openPidfd(errno, pid);
        var process = new LinuxSpawnedProcess(
                pid, new LinuxSpawnedProcess.Descriptors(ours[IN], ours[OUT], ours[ERR], wakeup, pidfd));
        if (pidfd >= 0) {
            return new LaunchResult.Running(process);
        }
        process.killAndReap();
        closeOurs();
        return new LaunchResult.Failed(LaunchResult.Cause.SHORTAGE, "no descriptors left to watch a program");
    }

    void closeTheirs() {
        close(theirs);
    }

    void closeOurs() {
        close(ours);
        if (wakeup >= 0) {
            Libc.close(errno, wakeup);
            wakeup = NONE;
        }
    }

    void closeAll() {
        closeTheirs();
        closeOurs();
    }

    private void close(int[] descriptors) {
        for (int descriptor : descriptors) {
            if (descriptor >= 0) {
                Libc.close(errno, descriptor);
            }
        }
        Arrays.fill(descriptors, NONE);
    }
}
