package dev.fusebox.platform;

import java.net.InetSocketAddress;
import java.util.OptionalLong;

/// User lookup of this machine; chooses the system interface at the first use. Thread-safe; blocks as [PeerUsers]
/// documents.
final class SystemPeerUsers implements PeerUsers {
    /// Initialized at the first use, by one thread. What it opens stays open for the life of the process.
    private static final class Real {
        static final PeerUsers USERS = choose();

        private static PeerUsers choose() {
            boolean isLinux = System.getProperty("os.name", "").equals("Linux");
            return isLinux ? LinuxPeerUsers.open() : new UnknownPeerUsers();
        }
    }

    @Override
    public OptionalLong self() {
        return Real.USERS.self();
    }

    @Override
    public OptionalLong userOf(InetSocketAddress peer, InetSocketAddress own) {
        return Real.USERS.userOf(peer, own);
    }
}
