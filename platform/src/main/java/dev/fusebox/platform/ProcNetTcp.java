package dev.fusebox.platform;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalLong;

/// The kernel's tables of all TCP sockets as text: `tcp` and `tcp6`, see `proc_net(5)`. Thread-safe; a lookup
/// takes milliseconds, and tens of them with thousands of sockets, so there is one at a time.
///
/// @param folder that holds the tables
record ProcNetTcp(Path folder) {
    /// A table that changes while it is read may omit an existing socket.
    private static final int ATTEMPTS = 2;

    /// The prefix of an IPv4 address in an IPv6 socket.
    private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

    private static final String[] NONE = {};
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int USER = 7;
    private static final int INODE = 9;

    /// Empty if there is no such socket, it no longer belongs to a process, or the tables cannot be read.
    OptionalLong userOf(InetSocketAddress peer, InetSocketAddress own) {
        synchronized (ProcNetTcp.class) {
            OptionalLong user = OptionalLong.empty();
            for (int look = 0; look < ATTEMPTS && user.isEmpty(); look++) {
                user = lookUp(peer, own);
            }
            return user;
        }
    }

    private OptionalLong lookUp(InetSocketAddress peer, InetSocketAddress own) {
        byte[] from = peer.getAddress().getAddress();
        byte[] to = own.getAddress().getAddress();
        if (peer.getAddress() instanceof Inet4Address) {
            OptionalLong user = find("tcp", text(from, peer.getPort()), text(to, own.getPort()));
            return user.isPresent()
                    ? user
                    : find("tcp6", text(mapped(from), peer.getPort()), text(mapped(to), own.getPort()));
        }
        return find("tcp6", text(from, peer.getPort()), text(to, own.getPort()));
    }

    private OptionalLong find(String table, String local, String remote) {
        try (BufferedReader lines = Files.newBufferedReader(folder.resolve(table), StandardCharsets.ISO_8859_1)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] fields = line.contains(local) ? line.strip().split("\\s+", -1) : NONE;
                if (isOf(fields, local, remote)) {
                    return OptionalLong.of(Long.parseLong(fields[USER]));
                }
            }
        } catch (IOException | NumberFormatException unreadable) {
            return OptionalLong.empty();
        }
        return OptionalLong.empty();
    }

    /// Sockets without a process have no inode, and are reported as the superuser's.
    private static boolean isOf(String[] fields, String local, String remote) {
        return fields.length > INODE
                && fields[LOCAL].equals(local)
                && fields[REMOTE].equals(remote)
                && !fields[INODE].equals("0");
    }

    private static byte[] mapped(byte[] address) {
        return ByteBuffer.allocate(MAPPED.length + address.length)
                .put(MAPPED)
                .put(address)
                .array();
    }

    /// Each four bytes as one number in native byte order, then the port.
    private static String text(byte[] address, int port) {
        var text = new StringBuilder();
        ByteBuffer words = ByteBuffer.wrap(address).order(ByteOrder.nativeOrder());
        while (words.hasRemaining()) {
            text.append(String.format(Locale.ROOT, "%08X", words.getInt()));
        }
        return text.append(String.format(Locale.ROOT, ":%04X", port)).toString();
    }
}
