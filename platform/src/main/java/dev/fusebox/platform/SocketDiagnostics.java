package dev.fusebox.platform;

import dev.fusebox.platform.Libc.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Client of the kernel's socket diagnostics (`sock_diag(7)`), which find one TCP socket among any number in
/// microseconds. Thread-safe; blocks for two system calls that do not wait. Keeps one descriptor as long as the
/// process lives, so that it works without free descriptors.
final class SocketDiagnostics {
    private static final int HEADER_BYTES = 16;

    /// `inet_diag_req_v2` up to the addresses, and the size of both addresses and ports.
    private static final int REQUEST_BYTES = HEADER_BYTES + 56;

    private static final int PEER_PORT = HEADER_BYTES + 8;
    private static final int OWN_PORT = PEER_PORT + 2;
    private static final int PEER_ADDRESS = OWN_PORT + 2;
    private static final int OWN_ADDRESS = PEER_ADDRESS + 16;
    private static final int COOKIE = OWN_ADDRESS + 20;

    /// `inet_diag_msg`: the state, the ports, and behind addresses, interface, cookie and three numbers the owner.
    private static final int STATE = HEADER_BYTES + 1;

    private static final int FOUND_PORTS = HEADER_BYTES + 4;
    private static final int USER = HEADER_BYTES + 64;
    private static final int INODE = USER + 4;
    private static final int ANSWER_BYTES = 4096;

    private static final int ERROR_TYPE = 2;
    private static final short SOCK_DIAG_BY_FAMILY = 20;
    private static final short REQUEST_FLAG = 1;
    private static final byte TCP = 6;
    private static final byte IPV4 = 2;
    private static final byte IPV6 = 10;
    private static final int LISTENING = 10;

    /// Limit of stale answers to skip, from requests whose answer was never read; more than one would be a kernel
    /// bug.
    private static final int MAX_STALE = 8;

    private static final ValueLayout.OfShort BIG_ENDIAN_SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final int descriptor;
    private final Errno errno;
    private final MemorySegment request;
    private final MemorySegment answer;
    private int sequence;

    private SocketDiagnostics(int descriptor) {
        this.descriptor = descriptor;
        this.errno = new Errno(Arena.global());
        this.request = Arena.global().allocate(REQUEST_BYTES, Long.BYTES);
        this.answer = Arena.global().allocate(ANSWER_BYTES, Long.BYTES);
    }

    /// The result of a lookup.
    sealed interface Answer {
        /// The socket exists.
        ///
        /// @param user empty if it no longer belongs to a process
        record Found(OptionalLong user) implements Answer {}

        /// There is no such socket, or this kernel has no diagnostics for TCP.
        record Missing() implements Answer {}

        /// The lookup failed.
        ///
        /// @param error error number of the system
        record Failed(int error) implements Answer {}
    }

    /// Null if this machine does not have them or does not permit them.
    static @Nullable SocketDiagnostics open() {
        try (Arena arena = Arena.ofConfined()) {
            int descriptor = Libc.openSocketDiagnostics(new Errno(arena));
            return descriptor < 0 ? null : new SocketDiagnostics(descriptor);
        } catch (RuntimeException | LinkageError notHere) {
            return null;
        }
    }

    /// Looks for the socket whose own address is that of the peer.
    synchronized Answer ask(InetSocketAddress peer, InetSocketAddress own) {
        write(peer, own);
        int sent = Libc.send(errno, descriptor, request);
        if (sent < 0) {
            return new Answer.Failed(-sent);
        }
        // The kernel has queued the answer before `send` returns.
        for (int i = 0; i < MAX_STALE; i++) {
            int length = Libc.receiveNow(errno, descriptor, answer);
            if (length < 0) {
                return new Answer.Failed(-length);
            }
            if (length >= HEADER_BYTES + Integer.BYTES && answer.get(ValueLayout.JAVA_INT, 8) == sequence) {
                return read(length);
            }
        }
        return new Answer.Failed(Libc.EAGAIN);
    }

    private void write(InetSocketAddress peer, InetSocketAddress own) {
        sequence++;
        request.fill((byte) 0);
        request.set(ValueLayout.JAVA_INT, 0, REQUEST_BYTES);
        request.set(ValueLayout.JAVA_SHORT, 4, SOCK_DIAG_BY_FAMILY);
        request.set(ValueLayout.JAVA_SHORT, 6, REQUEST_FLAG);
        request.set(ValueLayout.JAVA_INT, 8, sequence);
        boolean isIpv4 = peer.getAddress() instanceof Inet4Address;
        request.set(ValueLayout.JAVA_BYTE, HEADER_BYTES, isIpv4 ? IPV4 : IPV6);
        request.set(ValueLayout.JAVA_BYTE, HEADER_BYTES + 1, TCP);
        // Sockets in every state.
        request.set(ValueLayout.JAVA_INT, HEADER_BYTES + 4, -1);
        request.set(BIG_ENDIAN_SHORT, PEER_PORT, (short) peer.getPort());
        request.set(BIG_ENDIAN_SHORT, OWN_PORT, (short) own.getPort());
        write(PEER_ADDRESS, peer);
        write(OWN_ADDRESS, own);
        // With any cookie.
        request.asSlice(COOKIE, Long.BYTES).fill((byte) -1);
    }

    private void write(int at, InetSocketAddress address) {
        MemorySegment bytes = MemorySegment.ofArray(address.getAddress().getAddress());
        request.asSlice(at, bytes.byteSize()).copyFrom(bytes);
    }

    private Answer read(int length) {
        if (answer.get(ValueLayout.JAVA_SHORT, 4) == ERROR_TYPE) {
            int error = -answer.get(ValueLayout.JAVA_INT, HEADER_BYTES);
            return error == Libc.ENOENT ? new Answer.Missing() : new Answer.Failed(error);
        }
        if (length < INODE + Integer.BYTES || isListener()) {
            return new Answer.Missing();
        }
        // The kernel reports sockets without a process as the superuser's.
        boolean isOwned = answer.get(ValueLayout.JAVA_INT, INODE) != 0;
        long user = Integer.toUnsignedLong(answer.get(ValueLayout.JAVA_INT, USER));
        return new Answer.Found(isOwned ? OptionalLong.of(user) : OptionalLong.empty());
    }

    /// If there is no such connection, the kernel returns the listener at the peer's port.
    private boolean isListener() {
        boolean isSame = answer.get(ValueLayout.JAVA_INT, FOUND_PORTS) == request.get(ValueLayout.JAVA_INT, PEER_PORT);
        return !isSame || answer.get(ValueLayout.JAVA_BYTE, STATE) == LISTENING;
    }
}
