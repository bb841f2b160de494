package dev.fusebox.platform;

import java.net.InetSocketAddress;
import java.util.OptionalLong;

/// User lookup of a system that does not report users. Immutable, thread-safe.
final class UnknownPeerUsers implements PeerUsers {
    @Override
    public OptionalLong self() {
        return OptionalLong.empty();
    }

    @Override
    public OptionalLong userOf(InetSocketAddress peer, InetSocketAddress own) {
        return OptionalLong.empty();
    }
}
