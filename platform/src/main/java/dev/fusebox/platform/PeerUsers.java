package dev.fusebox.platform;

import java.net.InetSocketAddress;
import java.util.OptionalLong;

/// Lookup of the users behind local TCP connections, as reported by the operating system. Thread-safe; [#userOf]
/// blocks for some microseconds, and for milliseconds where only `/proc` can be read.
public interface PeerUsers {
    /// The effective user id of this process; empty on systems that do not report the user of a
    /// connection.
    OptionalLong self();

    /// The id of the user whose process opened the other end of a connection; empty if that end is already closed,
    /// or the system does not report it.
    ///
    /// @param peer the address of the other end
    /// @param own the address of our end
    OptionalLong userOf(InetSocketAddress peer, InetSocketAddress own);

    /// The lookup of this machine: works on Linux only.
    static PeerUsers system() {
        return new SystemPeerUsers();
    }

    /// A lookup that finds no user.
    static PeerUsers unknown() {
        return new UnknownPeerUsers();
    }
}
