package dev.fusebox.platform;

import dev.fusebox.platform.Libc.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A descriptor of Linux that is written to without blocking. Immutable, thread-safe.
final class LinuxOutput implements TryWritable {
    private static final int NO_READER = -1;

    /// The capacity of a pipe on Linux.
    private static final int STAGE_BYTES = 64 << 10;

    private final int descriptor;
    private final Write write;

    /// A call of the C library that writes without blocking, and returns the number of bytes or a negative error.
    private interface Write {
        int call(Errno errno, int descriptor, MemorySegment from);
    }

    private LinuxOutput(int descriptor, Write write) {
        this.descriptor = descriptor;
        this.write = write;
    }

    /// A descriptor in non-blocking mode.
    static LinuxOutput nonBlocking(int descriptor) {
        return new LinuxOutput(descriptor, Libc::write);
    }

    /// A socket in any mode.
    static LinuxOutput socket(int descriptor) {
        return new LinuxOutput(descriptor, Libc::send);
    }

    /// A file that is opened once more for this purpose; an output that takes nothing if that fails.
    static TryWritable secondOpening(String path) {
        try (Arena arena = Arena.ofConfined()) {
            int descriptor = Libc.openForWriting(new Errno(arena), arena.allocateFrom(path));
            return descriptor < 0 ? (bytes, from, to) -> 0 : nonBlocking(descriptor);
        }
    }

    @Override
    public int tryWrite(byte[] bytes, int from, int to) {
        try (Arena arena = Arena.ofConfined()) {
            var errno = new Errno(arena);
            MemorySegment stage = arena.allocate(Math.clamp(to - from, 1, STAGE_BYTES));
            int at = from;
            int written = 1;
            while (at < to && written > 0) {
                int length = (int) Math.min(stage.byteSize(), to - at);
                MemorySegment.copy(bytes, at, stage, ValueLayout.JAVA_BYTE, 0, length);
                written = write.call(errno, descriptor, stage.asSlice(0, length));
                at += Math.max(0, written);
            }
            boolean isBroken = written < 0 && written != -Libc.EAGAIN && written != -Libc.EINTR;
            return isBroken ? NO_READER : at - from;
        }
    }
}
