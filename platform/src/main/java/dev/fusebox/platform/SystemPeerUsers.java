package dev.fusebox.platform;

import java.net.InetSocketAddress;
import java.util.OptionalLong;

/// The users of this machine; chooses the system interface at the first use.
final class SystemPeerUsers implements PeerUsers {
    /// Initialised by the first use, by one thread. What it opens stays open for as long as the process lives.
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
