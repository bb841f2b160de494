package dev.fusebox.platform;

import java.net.InetSocketAddress;
import java.util.OptionalLong;

/// The users behind TCP connections within this machine, as the operating system knows them. Thread-safe;
/// [#userOf] blocks for some microseconds, and for milliseconds where only `/proc` can be read.
public interface PeerUsers {
    /// The effective user id of this process; empty on systems that do not report the user of a
    /// connection.
    OptionalLong self();

    /// The id of the user whose process opened the other end of a connection; empty if that end is closed already,
    /// or the system does not report it.
    ///
    /// @param peer the address of the other end
    /// @param own the address of our end
    OptionalLong userOf(InetSocketAddress peer, InetSocketAddress own);

    /// The users of this machine: known on Linux only.
    static PeerUsers system() {
        return new SystemPeerUsers();
    }

    /// For systems that do not report users.
    static PeerUsers unknown() {
        return new UnknownPeerUsers();
    }
}
