package dev.fusebox.platform;

import dev.fusebox.platform.Libc.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/// Our end of a pipe into which a process writes. For one thread; [#read] blocks.
final class LinuxReader {
    private final int descriptor;
    private final int pidfd;
    private final int size;
    private @Nullable Memory memory;
    private boolean isClosed;

    LinuxReader(int descriptor, int pidfd, int size) {
        this.descriptor = descriptor;
        this.pidfd = pidfd;
        this.size = size;
    }

    /// Native memory, for the life of the reading thread.
    private record Memory(Arena arena, Errno errno, LinuxPoll poll, MemorySegment buffer) {}

    /// Blocks until there are bytes; returns -1 at the end, or when the process has ended and the pipe is empty.
    int read(byte[] into) {
        if (isClosed) {
            return -1;
        }
        Memory at = memory == null ? allocate() : memory;
        memory = at;
        at.poll.await(LinuxPoll.FOR_EVER);
        if (!at.poll.isReady(0)) {
            // The process has ended, and may have written after the pipe was looked at: that is in the pipe by now.
            at.poll.await(0);
        }
        return at.poll.isReady(0) ? readNow(at, into) : -1;
    }

    private Memory allocate() {
        Arena arena = Arena.ofConfined();
        var poll = new LinuxPoll(arena, descriptor, pidfd);
        return new Memory(arena, new Errno(arena), poll, arena.allocate(size));
    }

    private int readNow(Memory at, byte[] into) {
        MemorySegment part = at.buffer.asSlice(0, Math.min(size, into.length));
        int length = Libc.read(at.errno, descriptor, part);
        while (length == -Libc.EINTR) {
            length = Libc.read(at.errno, descriptor, part);
        }
        if (length <= 0) {
            return -1;
        }
        MemorySegment.copy(at.buffer, ValueLayout.JAVA_BYTE, 0, into, 0, length);
        return length;
    }

    /// Returns true the first time.
    boolean close() {
        if (isClosed) {
            return false;
        }
        isClosed = true;
        try (Arena arena = Arena.ofConfined()) {
            Libc.close(new Errno(arena), descriptor);
        }
        if (memory != null) {
            memory.arena.close();
        }
        return true;
    }
}
