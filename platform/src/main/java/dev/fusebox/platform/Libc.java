package dev.fusebox.platform;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Optional;

/// Bindings of the C library functions that the JDK does not offer, for Linux on x86-64 and aarch64. Thread-safe.
///
/// All calls use one method handle that takes six machine words: both architectures pass integers and pointers
/// that way, and a function ignores the words that it does not take. Linking one handle instead of twenty takes a
/// third of the time. A failed call returns its error as a negative number.
final class Libc {
    static final int ENOENT = 2;
    static final int EINTR = 4;
    static final int ENOEXEC = 8;
    static final int EAGAIN = 11;
    static final int ENOMEM = 12;
    static final int EACCES = 13;
    static final int ENOTDIR = 20;
    static final int ENFILE = 23;
    static final int EMFILE = 24;

    /// `O_CLOEXEC`, also for `eventfd`.
    private static final int CLOSE_ON_EXEC = 0x80000;

    private static final int NONBLOCK = 0x800;
    private static final int SET_FLAGS = 4;
    private static final int SYS_PIDFD_SEND_SIGNAL = 424;
    private static final int SYS_PIDFD_OPEN = 434;
    private static final int PR_SET_DUMPABLE = 4;
    private static final int PR_SET_CHILD_SUBREAPER = 36;
    private static final int P_PID = 1;
    private static final int AF_NETLINK = 16;
    private static final int SOCK_RAW = 3;
    private static final int NETLINK_SOCK_DIAG = 4;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int WRITE_ONLY = 1;

    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG;
    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
    private static final VarHandle ERRNO_VALUE =
            Linker.Option.captureStateLayout().varHandle(MemoryLayout.PathElement.groupElement("errno"));
    /// Only the calls below use it, and they match its shape.
    @SuppressWarnings("restricted")
    private static final MethodHandle CALL =
            LINKER.downcallHandle(FunctionDescriptor.of(WORD, WORD, WORD, WORD, WORD, WORD, WORD), ERRNO);

    private static final MemorySegment ACCESS = find("access");
    private static final MemorySegment CLOSE = find("close");
    private static final MemorySegment EVENTFD = find("eventfd");
    private static final MemorySegment FCNTL = find("fcntl");
    private static final MemorySegment KILL = find("kill");
    private static final MemorySegment NICE = find("nice");
    private static final MemorySegment OPEN = find("open");
    private static final MemorySegment PIPE2 = find("pipe2");
    private static final MemorySegment POLL = find("poll");
    private static final MemorySegment PRCTL = find("prctl");
    private static final MemorySegment READ = find("read");
    private static final MemorySegment RECV = find("recv");
    private static final MemorySegment SEND = find("send");
    private static final MemorySegment SOCKET = find("socket");
    private static final MemorySegment SYSCALL = find("syscall");
    private static final MemorySegment WAITID = find("waitid");
    private static final MemorySegment WRITE = find("write");

    /// The memory in which the C library stores its error: one for each thread that may be in a call at the same
    /// time.
    static final class Errno {
        private final MemorySegment segment;

        Errno(Arena arena) {
            segment = arena.allocate(Linker.Option.captureStateLayout());
        }

        private int value() {
            return (int) ERRNO_VALUE.get(segment, 0L);
        }
    }

    /// The arguments of a function; a word that was not given is zero.
    record Arguments(long a, long b, long c, long d, long e, long f) {
        Arguments(long a) {
            this(a, 0, 0, 0);
        }

        Arguments(long a, long b) {
            this(a, b, 0, 0);
        }

        Arguments(long a, long b, long c) {
            this(a, b, c, 0);
        }

        Arguments(long a, long b, long c, long d) {
            this(a, b, c, d, 0, 0);
        }
    }

    private Libc() {}

    static MemorySegment find(String function) {
        return LINKER.defaultLookup().findOrThrow(function);
    }

    static Optional<MemorySegment> findIfThere(String function) {
        return LINKER.defaultLookup().find(function);
    }

    static int access(Errno errno, MemorySegment path, int mode) {
        return call(ACCESS, errno, new Arguments(path.address(), mode));
    }

    static int close(Errno errno, int descriptor) {
        return call(CLOSE, errno, new Arguments(descriptor));
    }

    static int eventfd(Errno errno) {
        return call(EVENTFD, errno, new Arguments(0, CLOSE_ON_EXEC | NONBLOCK));
    }

    static int neverBlock(Errno errno, int descriptor) {
        return call(FCNTL, errno, new Arguments(descriptor, SET_FLAGS, NONBLOCK));
    }

    static int kill(Errno errno, long target, int signal) {
        return call(KILL, errno, new Arguments(target, signal));
    }

    static int pipe(Errno errno, MemorySegment pair) {
        return call(PIPE2, errno, new Arguments(pair.address(), CLOSE_ON_EXEC));
    }

    static int poll(Errno errno, MemorySegment polled, int count, int millis) {
        return call(POLL, errno, new Arguments(polled.address(), count, millis));
    }

    static int becomeSubreaper(Errno errno) {
        return call(PRCTL, errno, new Arguments(PR_SET_CHILD_SUBREAPER, 1));
    }

    /// Effective until the process executes another program.
    static int denyInspection(Errno errno) {
        return call(PRCTL, errno, new Arguments(PR_SET_DUMPABLE, 0));
    }

    /// Opens a file for writes that do not block.
    static int openForWriting(Errno errno, MemorySegment path) {
        return call(OPEN, errno, new Arguments(path.address(), WRITE_ONLY | NONBLOCK | CLOSE_ON_EXEC));
    }

    /// A descriptor of `sock_diag(7)`.
    static int openSocketDiagnostics(Errno errno) {
        return call(SOCKET, errno, new Arguments(AF_NETLINK, SOCK_RAW | CLOSE_ON_EXEC, NETLINK_SOCK_DIAG));
    }

    /// Sends only what the socket takes at once.
    static int send(Errno errno, int descriptor, MemorySegment from) {
        int flags = MSG_DONTWAIT | MSG_NOSIGNAL;
        return call(SEND, errno, new Arguments(descriptor, from.address(), from.byteSize(), flags));
    }

    /// Receives only what has already arrived.
    static int receiveNow(Errno errno, int descriptor, MemorySegment into) {
        return call(RECV, errno, new Arguments(descriptor, into.address(), into.byteSize(), MSG_DONTWAIT));
    }

    /// For the calling thread and the threads that it starts. Returns the new niceness, at most 19.
    static int addNiceness(Errno errno, int steps) {
        return call(NICE, errno, new Arguments(steps));
    }

    static int read(Errno errno, int descriptor, MemorySegment into) {
        return call(READ, errno, new Arguments(descriptor, into.address(), into.byteSize()));
    }

    static int write(Errno errno, int descriptor, MemorySegment from) {
        return call(WRITE, errno, new Arguments(descriptor, from.address(), from.byteSize()));
    }

    static int openPidfd(Errno errno, long pid) {
        return call(SYSCALL, errno, new Arguments(SYS_PIDFD_OPEN, pid));
    }

    static int signalPidfd(Errno errno, int pidfd, int signal) {
        return call(SYSCALL, errno, new Arguments(SYS_PIDFD_SEND_SIGNAL, pidfd, signal));
    }

    static int waitFor(Errno errno, long pid, MemorySegment info, int options) {
        return call(WAITID, errno, new Arguments(P_PID, pid, info.address(), options));
    }

    /// Calls a function that returns its error itself; 0 is success.
    static int posix(MemorySegment function, Errno errno, Arguments arguments) {
        return invoke(function, errno, arguments);
    }

    private static int call(MemorySegment function, Errno errno, Arguments arguments) {
        int result = invoke(function, errno, arguments);
        return result == -1 ? -errno.value() : result;
    }

    /// Only the lower half of the result is defined: all these functions return an `int`, or a length below 2^31.
    private static int invoke(MemorySegment function, Errno errno, Arguments arguments) {
        try {
            return (int) (long) CALL.invokeExact(
                    function,
                    errno.segment,
                    arguments.a,
                    arguments.b,
                    arguments.c,
                    arguments.d,
                    arguments.e,
                    arguments.f);
        } catch (Throwable e) {
            throw new IllegalStateException("failed to call the C library", e);
        }
    }
}
