package dev.fusebox.http;

import dev.fusebox.platform.PeerUsers;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The check that loopback connections belong to the gateway's own user or the superuser. A connection whose user
/// cannot be determined is refused: its client may have sent a request and closed its end at once. Does nothing on
/// systems that do not report the user. Thread-safe; blocks as [PeerUsers#userOf] does.
final class PeerGuard {
    /// The superuser may read the memory of every process anyway, and forwards ports into containers.
    private static final long SUPERUSER = 0;

    /// The number of users that are logged; refusals of further users are not logged.
    private static final int MAX_LOGGED = 20;

    private final PeerUsers users;
    private final OptionalLong self;
    private final HttpServerLog httpServerLog;
    private final Set<Long> logged = ConcurrentHashMap.newKeySet();

    private PeerGuard(PeerUsers users, OptionalLong self, HttpServerLog httpServerLog) {
        this.users = users;
        this.self = self;
        this.httpServerLog = httpServerLog;
    }

    static PeerGuard of(OtherUsersPolicy rule, PeerUsers users, HttpServerLog httpServerLog) {
        OptionalLong self = rule == OtherUsersPolicy.REFUSE ? users.self() : OptionalLong.empty();
        return new PeerGuard(users, self, httpServerLog);
    }

    /// @param peer the client's address
    /// @param own the server's address
    /// @throws RequestRejected if the connection is not admitted
    void check(SocketAddress peer, SocketAddress own) throws RequestRejected {
        if (self.isPresent()
                && peer instanceof InetSocketAddress from
                && own instanceof InetSocketAddress to
                && from.getAddress().isLoopbackAddress()) {
            check(users.userOf(from, to), self.getAsLong());
        }
    }

    private void check(OptionalLong user, long owner) throws RequestRejected {
        if (user.isEmpty()) {
            throw RequestRejected.because(
                    403,
                    "the user at the other end of this connection could not be determined; if this happens every time,"
                            + " set http.otherUsers to allow");
        }
        long id = user.getAsLong();
        if (id != owner && id != SUPERUSER) {
            log(id, owner);
            throw RequestRejected.because(
                    403,
                    "this gateway serves only the user who started it; its owner can set http.otherUsers to allow");
        }
    }

    private void log(long id, long owner) {
        if (logged.size() < MAX_LOGGED && logged.add(id)) {
            httpServerLog.refusal("connection refused: user id " + id + " is not the gateway's user id " + owner
                    + " (http.otherUsers is \"refuse\"); logged once for each user");
        }
    }
}
