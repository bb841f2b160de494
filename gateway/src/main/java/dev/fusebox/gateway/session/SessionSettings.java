package dev.fusebox.gateway.session;

import dev.fusebox.protocol.JsonView;
import java.time.Duration;

/// What a session keeps to. Immutable.
///
/// @param server the server's name, for messages
/// @param timeout how long a call may take, once there is a session
/// @param clientWait how long the client may take to answer a question of the server, and all questions of one
/// call
/// @param connectTimeout how long a server may take to start and to shake hands
/// @param calls how many requests may be worked on at once
/// @param callBytes how many bytes these may have together
/// @param maxDepth what a client sends may not be nested deeper
/// @param questions how many a server may put to its client in one call
/// @param sessions listens to the sessions of clients
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

    /// The same with another time for a call.
    public SessionSettings withTimeout(Duration other) {
        return new SessionSettings(
                server, other, clientWait, connectTimeout, calls, callBytes, maxDepth, questions, sessions);
    }

    /// The same with another time to start and to shake hands.
    public SessionSettings withConnectTimeout(Duration other) {
        return new SessionSettings(server, timeout, clientWait, other, calls, callBytes, maxDepth, questions, sessions);
    }

    /// The same with another time for the client.
    public SessionSettings withClientWait(Duration other) {
        return new SessionSettings(
                server, timeout, other, connectTimeout, calls, callBytes, maxDepth, questions, sessions);
    }

    /// The same with other bounds on what is worked on at once.
    public SessionSettings withCalls(int most, long mostBytes) {
        return new SessionSettings(
                server, timeout, clientWait, connectTimeout, most, mostBytes, maxDepth, questions, sessions);
    }

    /// The same with another bound on how deep a message is nested.
    public SessionSettings withMaxDepth(int other) {
        return new SessionSettings(
                server, timeout, clientWait, connectTimeout, calls, callBytes, other, questions, sessions);
    }

    /// The same, under which refused questions are counted.
    public SessionSettings withQuestions(ServerRequestLimit other) {
        return new SessionSettings(
                server, timeout, clientWait, connectTimeout, calls, callBytes, maxDepth, other, sessions);
    }

    /// The same, with a listener to the sessions of clients.
    public SessionSettings withSessions(SessionListener other) {
        return new SessionSettings(
                server, timeout, clientWait, connectTimeout, calls, callBytes, maxDepth, questions, other);
    }
}
