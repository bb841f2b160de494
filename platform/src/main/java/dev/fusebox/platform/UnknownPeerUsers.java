package dev.fusebox.platform;

import java.net.InetSocketAddress;
import java.util.OptionalLong;

/// The users of a system that does not report them.
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
