package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ClientSession;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.Endpoint;
import dev.fusebox.gateway.session.ProtocolRevision;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A bridge from one legacy client to a modern server. Thread-safe; [#initialize], [#call], [#answer] and
/// [#next] block.
///
/// Questions arrive as results, are sent to the client as requests, and its answers make the next round. The
/// state of a legacy session (log level, subscribed resources) is kept here, and one subscription receives the
/// notifications that a legacy client gets without a request.
public final class LegacyBridge {
    /// More rounds are not expected of a person; a server that sends requests endlessly is stopped.
    private static final int MAX_ROUNDS = 32;

    private final Platform platform;
    private final Endpoint server;
    private final RequestMetadata requestMetadata;
    private final UpstreamSubscription upstreamSubscription;
    private final Set<String> watched = ConcurrentHashMap.newKeySet();

    /// The legacy client. Immutable.
    ///
    /// @param handshake parameters of `initialize`
    /// @param session null if calls of the client need not be distinguished
    /// @param listener receives notifications that belong to no call
    public record Client(
            @Nullable JsonView handshake, @Nullable ClientSession session, Consumer<Message.Notification> listener) {}

    /// @param server the server's endpoint, or the router
    public LegacyBridge(Platform platform, Endpoint server, Client client) {
        this.platform = platform;
        this.server = server;
        this.requestMetadata = new RequestMetadata(client.handshake(), client.session());
        this.upstreamSubscription = new UpstreamSubscription(
                platform, server, requestMetadata::client, new NotificationForwarder(client.listener()));
    }

    /// The receiver of the subscription's notifications on behalf of the one client.
    private record NotificationForwarder(Consumer<Message.Notification> to) implements UpstreamSubscription.Listener {
        @Override
        public int most() {
            return SubscriptionFilter.MAX_WATCHED;
        }

        @Override
        public void told(Message.Notification notification) {
            to.accept(ModernFields.outOf(notification));
        }

        @Override
        public void begun() {
            // A legacy client has no subscriptions to be notified about.
        }
    }

    /// The metadata of the client, from its handshake.
    public ClientMetadata client() {
        return requestMetadata.client();
    }

    /// Sends `server/discover` for a client's handshake; the answer is that of a handshake, or the failure.
    public Outcome initialize(Message.Request initialize, Deadline deadline) {
        byte[] frame = JsonRpcFrames.request(RequestId.of("discover"), "server/discover", "{}");
        Outcome outcome = server.call(new Call(Message.Request.of(frame), client(), deadline, Caller.SILENT));
        return outcome instanceof Outcome.Answered(Message.Answer answer) && answer.result() != null
                ? welcome(initialize, answer.result())
                : outcome;
    }

    private static Outcome welcome(Message.Request initialize, JsonView discovered) {
        String asked = initialize.params() == null ? null : initialize.params().string("protocolVersion");
        ProtocolRevision revision = ProtocolRevision.dated(asked).orElse(ProtocolRevision.NEWEST);
        JsonWriter result = new JsonWriter().beginObject();
        result.name("protocolVersion").string(revision.toString());
        JsonView capabilities = discovered.member("capabilities");
        result.name("capabilities").raw(capabilities == null ? "{}" : capabilities.json());
        JsonView info = discovered.path("_meta", ClientMetadata.SERVER_INFO);
        result.name("serverInfo").raw(info == null ? "{\"name\":\"unknown\",\"version\":\"0\"}" : info.json());
        JsonView instructions = discovered.member("instructions");
        if (instructions != null) {
            result.name("instructions").raw(instructions);
        }
        return answered(initialize.id(), result.endObject().toString());
    }

    /// Makes a call of the client.
    public Outcome call(Call call) {
        Outcome outcome = answer(call);
        Call first = call.of(client());
        Call asked = first;
        for (int round = 1; outcome == null; round++) {
            switch (next(first, server.call(asked), round)) {
                case Round.Ended(Outcome ended) -> outcome = ended;
                case Round.Next(Call again) -> asked = again;
            }
        }
        return outcome;
    }

    /// Answers a request that only concerns the session; null if it is for a server. Blocks while resources are
    /// subscribed to.
    public @Nullable Outcome answer(Call call) {
        JsonView params = call.request().params();
        String uri = params == null ? null : params.string("uri");
        String level = params == null ? null : params.string("level");
        if (params != null && !params.isObject()) {
            return error(call, JsonRpcErrorCode.INVALID_PARAMS, "params must be an object");
        }
        return switch (call.request().method()) {
            case "logging/setLevel" -> setLevel(call, level);
            case "resources/subscribe" -> watch(call, uri, this::watch);
            case "resources/unsubscribe" -> watch(call, uri, this::unsubscribe);
            default -> null;
        };
    }

    /// The lowest level of log messages for the client; null if it has not set one.
    public @Nullable String logLevel() {
        return client().logLevel();
    }

    /// An unknown level is refused here: it would be sent with every later request, and servers would refuse
    /// them all.
    private Outcome setLevel(Call call, @Nullable String level) {
        if (level == null || !RequestNotifications.LEVELS.contains(level)) {
            return error(
                    call,
                    JsonRpcErrorCode.INVALID_PARAMS,
                    "level must be one of " + String.join(", ", RequestNotifications.LEVELS));
        }
        requestMetadata.setLogLevel(level);
        return answered(call.request().id(), "{}");
    }

    private static Outcome watch(Call call, @Nullable String uri, BiPredicate<String, Deadline> change) {
        if (uri == null) {
            return error(call, JsonRpcErrorCode.INVALID_PARAMS, "params.uri is missing");
        }
        call.slot().release();
        return change.test(uri, call.deadline())
                ? answered(call.request().id(), "{}")
                : answered(JsonRpcFrames.error(
                        call.request().id(),
                        JsonRpcErrorCode.INTERNAL_ERROR,
                        "the subscription to the resource failed",
                        "{\"uri\":" + JsonWriter.quoted(uri) + "}"));
    }

    /// Watches a resource; a second subscription to it has no effect.
    private boolean watch(String uri, Deadline deadline) {
        if (!watched.add(uri)) {
            return true;
        }
        boolean isHeard =
                upstreamSubscription.watch(Set.of(uri)).heard(deadline).contains(uri);
        if (!isHeard) {
            watched.remove(uri);
        }
        return isHeard;
    }

    private boolean unsubscribe(String uri, Deadline deadline) {
        if (watched.remove(uri)) {
            upstreamSubscription.unsubscribe(Set.of(uri), deadline);
        }
        return true;
    }

    private static Outcome error(Call call, int code, String why) {
        return answered(JsonRpcFrames.error(call.request().id(), code, why, null));
    }

    private static Outcome answered(RequestId id, String result) {
        return answered(JsonRpcFrames.result(id, result));
    }

    private static Outcome answered(byte[] frame) {
        return new Outcome.Answered(Message.Answer.of(frame));
    }

    /// Notes that the client is ready for notifications that belong to no call.
    public void begin() {
        upstreamSubscription.begin();
    }

    /// Ends the subscription.
    public void close() {
        upstreamSubscription.close();
    }

    // ---- Rounds of questions

    /// The next step after the outcome of a round.
    public sealed interface Round {
        /// The final outcome, for the client.
        record Ended(Outcome outcome) implements Round {}

        /// The call that carries the client's answers to the server.
        record Next(Call call) implements Round {}
    }

    /// Evaluates the outcome of a round, and sends the server's questions to the client. Blocks for the
    /// answers.
    ///
    /// @param call of the first round
    /// @param round from 1 on
    public Round next(Call call, Outcome outcome, int round) {
        JsonView result = outcome instanceof Outcome.Answered(Message.Answer answer) ? answer.result() : null;
        String type = result == null ? null : result.string("resultType");
        if (result == null || type == null || type.equals("complete")) {
            if (!(outcome instanceof Outcome.Answered(Message.Answer answer))) {
                return new Round.Ended(outcome);
            }
            upstreamSubscription.resume();
            return new Round.Ended(new Outcome.Answered(ModernFields.outOf(answer)));
        }
        if (!type.equals("input_required")) {
            return failed(unknown(type));
        }
        CallFailure undeclared = UndeclaredCapability.in(result, call.client().capabilities());
        if (undeclared != null) {
            return failed(undeclared);
        }
        if (round >= MAX_ROUNDS) {
            return failed(violation("the server sent more than " + MAX_ROUNDS + " rounds of input requests"));
        }
        String answers = ask(result.member("inputRequests"), call);
        if (answers == null) {
            return failed(unanswered(call));
        }
        JsonView state = result.member("requestState");
        return new Round.Next(
                call.with(RequestMetadata.answering(call.request(), answers, state == null ? null : state.json())));
    }

    private static Round failed(CallFailure failure) {
        return new Round.Ended(new Outcome.Failed(failure));
    }

    /// A result of an unknown type (revision 2026-07-28, section "Result").
    private static CallFailure unknown(String type) {
        return violation("the server answered with unknown result type \"" + type + "\"");
    }

    private static CallFailure violation(String message) {
        return new CallFailure(
                ErrorId.PROTOCOL_VIOLATION, FailureCategory.PROTOCOL, Delivery.REJECTED, message, Evidence.NONE);
    }

    /// The server has no result yet, and its effects before the question are not known.
    private static CallFailure unanswered(Call call) {
        String message = "the client did not answer a request of the server; the call was ended,"
                + " and may have been executed";
        return call.deadline().isGivenUp()
                ? CallFailure.cancelledUnsent()
                : new CallFailure(ErrorId.CANCELLED, FailureCategory.POLICY, Delivery.UNKNOWN, message, Evidence.NONE);
    }

    private @Nullable String ask(@Nullable JsonView inputRequests, Call call) {
        try {
            return inputRequests == null
                    ? "{}"
                    : new InputRound().answers(inputRequests, call.caller(), call.deadline(), platform);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return null;
        }
    }
}
