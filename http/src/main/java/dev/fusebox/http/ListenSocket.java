package dev.fusebox.http;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/// Binding and unbinding of the server's listening socket. Stateless, thread-safe; blocks as long as the operating
/// system takes.
final class ListenSocket {
    /// The file type bits of a file mode, and the type of sockets: see inode(7).
    private static final int KIND = 0xF000;

    private static final int SOCKET = 0xC000;

    /// For bursts of connects; the operating system may lower it.
    private static final int BACKLOG = 4096;

    private ListenSocket() {}

    static ServerSocketChannel bind(SocketAddress address) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open(family(address));
        try {
            if (address instanceof UnixDomainSocketAddress unix) {
                removeLeftOver(unix);
                channel.bind(address, BACKLOG);
                Files.setPosixFilePermissions(unix.getPath(), PosixFilePermissions.fromString("rw-------"));
            } else {
                channel.bind(address, BACKLOG);
            }
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw new IOException(
                    "cannot listen on " + name(address) + ": " + e.getMessage() + "; " + remedy(address), e);
        }
    }

    private static String remedy(SocketAddress address) {
        if (!(address instanceof UnixDomainSocketAddress unix) || isSocket(unix.getPath())) {
            return "choose another address or end the program that uses it";
        }
        return Files.exists(unix.getPath(), LinkOption.NOFOLLOW_LINKS)
                ? "remove the file at this path"
                : "make sure that its folder exists and is writable";
    }

    private static String name(SocketAddress address) {
        return address instanceof InetSocketAddress tcp
                ? tcp.getHostString() + ":" + tcp.getPort()
                : address.toString();
    }

    private static ProtocolFamily family(SocketAddress address) {
        if (address instanceof UnixDomainSocketAddress) {
            return StandardProtocolFamily.UNIX;
        }
        boolean isFour = address instanceof InetSocketAddress tcp && tcp.getAddress() instanceof Inet4Address;
        return isFour ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6;
    }

    /// A socket file is left over when its program is killed. It is in use only if a connect succeeds.
    private static void removeLeftOver(UnixDomainSocketAddress address) throws IOException {
        Path file = address.getPath();
        if (isSocket(file) && !answers(address)) {
            Files.delete(file);
        }
    }

    private static boolean isSocket(Path file) {
        try {
            int mode = (int) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS);
            return (mode & KIND) == SOCKET;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException nothing) {
            return false;
        }
    }

    private static boolean answers(UnixDomainSocketAddress address) {
        try (SocketChannel probe = SocketChannel.open(address)) {
            return probe.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /// Removes the file only if it is still a socket.
    static void unbind(ServerSocketChannel channel, SocketAddress bound) throws IOException {
        channel.close();
        if (bound instanceof UnixDomainSocketAddress unix && isSocket(unix.getPath())) {
            Files.deleteIfExists(unix.getPath());
        }
    }
}
