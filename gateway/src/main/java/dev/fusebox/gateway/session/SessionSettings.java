package dev.fusebox.gateway.session;

import dev.fusebox.protocol.JsonView;
import java.time.Duration;

/// The settings of a client session. Immutable.
///
/// @param server the server's name, for messages
/// @param timeout the timeout of a call in an established session
/// @param clientWait the longest time for the client to answer a request of the server, and all requests of one
/// call
/// @param connectTimeout the longest time for a server to start and complete the handshake
/// @param calls the number of concurrent requests
/// @param callBytes the bytes of all concurrent requests together
/// @param maxDepth the maximum nesting depth of a client message
/// @param questions the limit on server requests during one call
/// @param sessions listener for client sessions
public record SessionSettings(
        String server,
        Duration timeout,
        Duration clientWait,
        Duration connectTimeout,
        int calls,
        long callBytes,
        int maxDepth,
        ServerRequestLimit questions,
        SessionListener sessions) {
    private static final int CALLS = 10_000;

    private static final long CALL_BYTES = 64L << 20;

    public static SessionSettings of(String server) {
        return new SessionSettings(
                server,
                Duration.ofSeconds(60),
                Duration.ofSeconds(300),
                Duration.ofSeconds(60),
                CALLS,
                CALL_BYTES,
                JsonView.MAX_DEPTH,
                ServerRequestLimit.USUAL,
                SessionListener.NONE);
    }

    /// The same with another call timeout.
    public SessionSettings withTimeout(Duration other) {
        return new SessionSettings(
                server, other, clientWait, connectTimeout, calls, callBytes, maxDepth, questions, sessions);
    }

    /// The same with another connect timeout.
    public SessionSettings withConnectTimeout(Duration other) {
        return new SessionSettings(server, timeout, clientWait, other, calls, callBytes, maxDepth, questions, sessions);
    }

    /// The same with another client timeout.
    public SessionSettings withClientWait(Duration other) {
        return new SessionSettings(
                server, timeout, other, connectTimeout, calls, callBytes, maxDepth, questions, sessions);
    }

    /// The same with other bounds on concurrent requests.
    public SessionSettings withCalls(int most, long maxBytes) {
        return new SessionSettings(
                server, timeout, clientWait, connectTimeout, most, maxBytes, maxDepth, questions, sessions);
    }

    /// The same with another maximum nesting depth.
    public SessionSettings withMaxDepth(int other) {
        return new SessionSettings(
                server, timeout, clientWait, connectTimeout, calls, callBytes, other, questions, sessions);
    }

    /// The same with another limit on server requests.
    public SessionSettings withQuestions(ServerRequestLimit other) {
        return new SessionSettings(
                server, timeout, clientWait, connectTimeout, calls, callBytes, maxDepth, other, sessions);
    }

    /// The same with a session listener.
    public SessionSettings withSessions(SessionListener other) {
        return new SessionSettings(
                server, timeout, clientWait, connectTimeout, calls, callBytes, maxDepth, questions, other);
    }
}
