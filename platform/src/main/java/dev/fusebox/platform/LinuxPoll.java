package dev.fusebox.platform;

import dev.fusebox.platform.Libc.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A `poll(2)` over several descriptors. For one thread.
final class LinuxPoll {
    static final int FOR_EVER = -1;

    private static final short POLLIN = 1;
    private static final short POLLOUT = 4;

    /// `struct pollfd`: descriptor, requested events, returned events.
    private static final int ENTRY_BYTES = 8;

    private static final int ASKED_AT = 4;
    private static final int THERE_AT = 6;

    private final MemorySegment entries;
    private final Errno errno;
    private final int count;

    LinuxPoll(Arena arena, int... descriptors) {
        this.errno = new Errno(arena);
        this.count = descriptors.length;
        this.entries = arena.allocate((long) ENTRY_BYTES * count, Long.BYTES);
        for (int i = 0; i < count; i++) {
            ask(i, descriptors[i], POLLIN);
        }
    }

    /// Polls this descriptor for writing instead; none if it is negative.
    void askForRoom(int index, int descriptor) {
        ask(index, descriptor, POLLOUT);
    }

    private void ask(int index, int descriptor, short events) {
        entries.set(ValueLayout.JAVA_INT, (long) ENTRY_BYTES * index, descriptor);
        entries.set(ValueLayout.JAVA_SHORT, (long) ENTRY_BYTES * index + ASKED_AT, events);
    }

    void await(int millis) {
        int answer = Libc.poll(errno, entries, count, millis);
        while (answer == -Libc.EINTR) {
            answer = Libc.poll(errno, entries, count, millis);
        }
        if (answer < 0) {
            throw new IllegalStateException("cannot wait for a process: error " + -answer);
        }
    }

    boolean isReady(int index) {
        return entries.get(ValueLayout.JAVA_SHORT, (long) ENTRY_BYTES * index + THERE_AT) != 0;
    }
}
