package dev.fusebox.gateway.front;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.gateway.era.ClientConversation;
import dev.fusebox.gateway.session.ProtocolRevision;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import org.jspecify.annotations.Nullable;

/// The handshake of one session: it passes `initialize` to the server, checks the revision that the server selects,
/// and makes the other calls of the client wait for the result. Thread-safe; [#perform] and [#await] block until the
/// deadline of their call at most.
final class SessionHandshake {
    private static final CallFailure NOT_INITIALIZED = new CallFailure(
            ErrorId.PROTOCOL_VIOLATION,
            FailureCategory.POLICY,
            Delivery.NOT_SENT,
            "the session is not initialized; send initialize first",
            Evidence.NONE);

    private static final CallFailure INITIALIZING =
            CallFailure.notReady(ErrorId.CALL_TIMEOUT, "the server has not answered initialize yet");

    private final ClientConversation server;
    private final String name;
    private final HandshakeState state;
    private volatile CallFailure notInitialized = NOT_INITIALIZED;
    private volatile ProtocolRevision revision = ProtocolRevision.NEWEST;

    /// @param name of the server, for errors
    SessionHandshake(Platform platform, ClientConversation server, String name) {
        this.server = server;
        this.name = name;
        this.state = new HandshakeState(platform);
    }

    /// The client has sent `initialize`: calls that it sends from now on wait.
    void begin() {
        state.begin();
    }

    /// Waits until the session is initialized; returns why it is not, or null if it is.
    @Nullable
    CallFailure await(Deadline deadline) {
        return switch (state.await(deadline)) {
            case DONE -> null;
            case UNDER_WAY -> INITIALIZING;
            case MISSING -> notInitialized;
        };
    }

    /// The negotiated revision; the newest until there is one.
    ProtocolRevision revision() {
        return revision;
    }

    /// Passes `initialize` to the server, which decides the revision, as long as it is a supported one.
    Outcome perform(Call call) {
        boolean agreed = false;
        try {
            Outcome outcome = server.initialize(call);
            if (outcome instanceof Outcome.Failed(CallFailure failure)) {
                notInitialized = CallFailure.notSent(failure.id(), "initialize failed earlier: " + failure.message());
            }
            JsonView result = outcome instanceof Outcome.Answered answered
                    ? answered.answer().result()
                    : null;
            String version = result == null ? null : result.string("protocolVersion");
            if (version != null && ProtocolRevision.dated(version).isEmpty()) {
                return new Outcome.Failed(rejectRevision(version));
            }
            revision = ProtocolRevision.dated(version).orElse(revision);
            agreed = result != null;
            if (agreed) {
                server.initialized(call.request(), version);
            }
            return outcome;
        } finally {
            state.end(agreed);
        }
    }

    private CallFailure rejectRevision(String version) {
        server.disconnect();
        String message = name + " selected the unsupported protocol revision " + version
                + "; the newest supported one is " + ProtocolRevision.NEWEST;
        return new CallFailure(
                ErrorId.CONNECT_FAILED, FailureCategory.OTHER, Delivery.NOT_SENT, message, Evidence.NONE);
    }
}
