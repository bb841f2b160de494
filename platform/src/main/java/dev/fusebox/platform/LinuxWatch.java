package dev.fusebox.platform;

import dev.fusebox.platform.Libc.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Our end of a process's input, with the wait for room in it, for a wake-up and for the end of the process.
///
/// Thread-safe; [#await] and [#close] are for one thread. [#await] blocks. The monitor guards which descriptors
/// are open: under it are only calls that do not block.
final class LinuxWatch {
    private static final int PROCESS = 0;
    private static final int WAKEUP = 1;
    private static final int ROOM = 2;
    private static final int NO_DESCRIPTOR = -1;

    private final LinuxSpawnedProcess.Descriptors descriptors;
    private final LinuxOutput in;
    private boolean inIsOpen = true;
    private boolean inIsWatched;
    private boolean inIsToBeClosed;
    private boolean isClosed;
    private @Nullable Memory memory;

    private record Memory(Arena arena, Errno errno, LinuxPoll poll, MemorySegment word) {}

    LinuxWatch(LinuxSpawnedProcess.Descriptors descriptors) {
        this.descriptors = descriptors;
        this.in = LinuxOutput.nonBlocking(descriptors.in());
    }

    synchronized int tryWrite(byte[] bytes, int from, int to) {
        return inIsOpen ? in.tryWrite(bytes, from, to) : NO_DESCRIPTOR;
    }

    /// Returns true if the process has ended.
    boolean await(boolean forRoom, long nanos) {
        Memory at = memory == null ? allocate() : memory;
        memory = at;
        at.poll.askForRoom(ROOM, beginWatching(forRoom));
        at.poll.await(millis(nanos));
        endWatching();
        if (at.poll.isReady(WAKEUP)) {
            Libc.read(at.errno, descriptors.wakeup(), at.word);
        }
        return at.poll.isReady(PROCESS);
    }

    private Memory allocate() {
        Arena arena = Arena.ofConfined();
        var poll = new LinuxPoll(arena, descriptors.pidfd(), descriptors.wakeup(), NO_DESCRIPTOR);
        return new Memory(arena, new Errno(arena), poll, arena.allocate(Long.BYTES, Long.BYTES));
    }

    /// Rounded up; otherwise the last millisecond would be a busy wait.
    private static int millis(long nanos) {
        long whole = TimeUnit.NANOSECONDS.toMillis(nanos) + 1;
        return nanos == Long.MAX_VALUE ? LinuxPoll.FOR_EVER : Math.clamp(whole, 0, Integer.MAX_VALUE);
    }

    private synchronized int beginWatching(boolean forRoom) {
        inIsWatched = forRoom && inIsOpen;
        return inIsWatched ? descriptors.in() : NO_DESCRIPTOR;
    }

    private synchronized void endWatching() {
        inIsWatched = false;
        if (inIsToBeClosed) {
            inIsToBeClosed = false;
            close(descriptors.in());
        }
    }

    synchronized void wake() {
        if (!isClosed) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment one = arena.allocate(Long.BYTES, Long.BYTES);
                one.set(ValueLayout.JAVA_LONG, 0, 1);
                Libc.write(new Errno(arena), descriptors.wakeup(), one);
            }
        }
    }

    /// A descriptor that is being polled is closed by the polling thread: its number could be reused for another
    /// file.
    synchronized void closeIn() {
        if (!inIsOpen) {
            return;
        }
        inIsOpen = false;
        if (inIsWatched) {
            inIsToBeClosed = true;
            wake();
        } else {
            close(descriptors.in());
        }
    }

    /// Returns true the first time.
    synchronized boolean close() {
        if (isClosed) {
            return false;
        }
        isClosed = true;
        close(descriptors.wakeup());
        if (memory != null) {
            memory.arena.close();
        }
        return true;
    }

    private static void close(int descriptor) {
        try (Arena arena = Arena.ofConfined()) {
            Libc.close(new Errno(arena), descriptor);
        }
    }
}
