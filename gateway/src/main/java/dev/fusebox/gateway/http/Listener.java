package dev.fusebox.gateway.http;

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
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;

/// Binds and unbinds the socket on which a front listens. Blocks as long as the system takes.
final class Listener {
    /// Bursts of connects; the system may make it less.
    private static final int BACKLOG = 4096;

    private Listener() {}

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
                    "cannot listen on " + name(address) + ": " + e.getMessage()
                            + "; choose another address or end the program that has it",
                    e);
        }
    }

    private static String name(SocketAddress address) {
        return address instanceof InetSocketAddress tcp
                ? tcp.getHostString() + ":" + tcp.getPort()
                : address.toString();
    }

    private static ProtocolFamily family(SocketAddress address) {
        return switch (address) {
            case UnixDomainSocketAddress unix -> StandardProtocolFamily.UNIX;
            case InetSocketAddress tcp when tcp.getAddress() instanceof Inet4Address -> StandardProtocolFamily.INET;
            default -> StandardProtocolFamily.INET6;
        };
    }

    /// A socket file stays behind when its program is killed. It is in use only if somebody answers behind it.
    private static void removeLeftOver(UnixDomainSocketAddress address) throws IOException {
        Path file = address.getPath();
        if (Files.exists(file) && isSocket(file) && !answers(address)) {
            Files.delete(file);
        }
    }

    private static boolean isSocket(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).isOther();
    }

    private static boolean answers(UnixDomainSocketAddress address) {
        try (SocketChannel probe = SocketChannel.open(address)) {
            return probe.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    static void unbind(ServerSocketChannel channel, SocketAddress bound) throws IOException {
        channel.close();
        if (bound instanceof UnixDomainSocketAddress unix) {
            Files.deleteIfExists(unix.getPath());
        }
    }
}
