package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.resilience.Attempt;
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

/// A server of the stateless era for one client of the session era. Thread-safe; [#call] blocks.
///
/// Every request is dressed in what the handshake said. Questions come as results, are put to the client as
/// requests, and their answers make the next round. What a session keeps (the level of the log, the resources it
/// watches) is kept here; one subscription hears what the client would be told without asking.
public final class LegacyBridge {
    /// More rounds than that no person goes through, and a server that asks for ever is stopped.
    private static final int MOST_ROUNDS = 32;

    private final Platform platform;
    private final Attempt server;
    private final RequestMetadata requestMetadata;
    private final UpstreamSubscription upstreamSubscription;
    private final Set<String> watched = ConcurrentHashMap.newKeySet();

    /// @param server takes requests of the stateless era
    /// @param told hears what the server tells that belongs to no call
    public LegacyBridge(
            Platform platform, Attempt server, Consumer<Message.Notification> told, @Nullable JsonView handshake) {
        this.platform = platform;
        this.server = server;
        this.requestMetadata = new RequestMetadata(handshake);
        this.upstreamSubscription = new UpstreamSubscription(platform, server, requestMetadata, new One(told));
    }

    /// The client as its hearing sees it.
    private record One(Consumer<Message.Notification> to) implements UpstreamSubscription.Hearer {
        @Override
        public int most() {
            return SubscriptionFilter.MOST_RESOURCES;
        }

        @Override
        public void told(Message.Notification notification) {
            to.accept(ModernFields.outOf(notification));
        }

        @Override
        public void begun() {
            // A client of the session era knows nothing of subscriptions.
        }
    }

    /// A request of the client, with what it has said of itself.
    public Message.Request dressed(Message.Request request) {
        return requestMetadata.on(request);
    }

    /// Asks the server what it is, on behalf of a client that shakes hands; the answer is that of a handshake, or
    /// what kept it from being one.
    public Outcome greet(Message.Request initialize, Deadline deadline) {
        byte[] frame = JsonRpcFrames.request(RequestId.of("discover"), "server/discover", "{}");
        Message.Request discover = requestMetadata.on(Message.Request.of(frame));
        Outcome outcome = server.make(new Call(discover, deadline, Caller.SILENT));
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
        JsonView params = call.request().params();
        String uri = params == null ? null : params.string("uri");
        String level = params == null ? null : params.string("level");
        if (params != null && !params.isObject()) {
            return error(call, JsonRpcErrorCode.INVALID_PARAMS, "params has to be an object");
        }
        return switch (call.request().method()) {
            case "logging/setLevel" -> hear(call, level);
            case "resources/subscribe" -> watch(call, uri, this::watch);
            case "resources/unsubscribe" -> watch(call, uri, this::leave);
            default -> rounds(call);
        };
    }

    /// From which level on the client wants log lines; null if it has not said so.
    public @Nullable String logLevel() {
        return requestMetadata.logLevel();
    }

    /// A level that is none would go with every request from then on, and servers would refuse them all.
    private Outcome hear(Call call, @Nullable String level) {
        if (level == null || !RequestNotifications.LEVELS.contains(level)) {
            return error(
                    call,
                    JsonRpcErrorCode.INVALID_PARAMS,
                    "level has to be one of " + String.join(", ", RequestNotifications.LEVELS));
        }
        requestMetadata.hearFrom(level);
        return answered(call.request().id(), "{}");
    }

    private static Outcome watch(Call call, @Nullable String uri, BiPredicate<String, Deadline> change) {
        if (uri == null) {
            return error(call, JsonRpcErrorCode.INVALID_PARAMS, "uri is missing");
        }
        call.slot().leave();
        return change.test(uri, call.deadline())
                ? answered(call.request().id(), "{}")
                : answered(JsonRpcFrames.error(
                        call.request().id(),
                        JsonRpcErrorCode.INTERNAL_ERROR,
                        "the server does not tell when this changes",
                        "{\"uri\":" + JsonWriter.quoted(uri) + "}"));
    }

    /// To watch twice is to watch once.
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

    private boolean leave(String uri, Deadline deadline) {
        if (watched.remove(uri)) {
            upstreamSubscription.leave(Set.of(uri), deadline);
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

    /// The client is ready to hear what belongs to no call.
    public void begin() {
        upstreamSubscription.begin();
    }

    /// Ends what the client hears.
    public void close() {
        upstreamSubscription.close();
    }

    // ---- Rounds of questions

    private Outcome rounds(Call call) {
        Message.Request request = requestMetadata.on(call.request());
        for (int round = 0; round < MOST_ROUNDS; round++) {
            Outcome outcome = server.make(call.with(request));
            JsonView result = outcome instanceof Outcome.Answered(Message.Answer answer) ? answer.result() : null;
            String type = result == null ? null : result.string("resultType");
            if (result == null || type == null || type.equals("complete")) {
                if (!(outcome instanceof Outcome.Answered(Message.Answer answer))) {
                    return outcome;
                }
                upstreamSubscription.resume();
                return new Outcome.Answered(ModernFields.outOf(answer));
            }
            if (!type.equals("input_required")) {
                return new Outcome.Failed(unknown(type));
            }
            CallFailure undeclared = UndeclaredCapability.in(result, requestMetadata.capabilities());
            if (undeclared != null) {
                return new Outcome.Failed(undeclared);
            }
            String answers = ask(result.member("inputRequests"), call);
            if (answers == null) {
                return new Outcome.Failed(unanswered(call));
            }
            JsonView state = result.member("requestState");
            request = requestMetadata.on(call.request(), answers, state == null ? null : state.json());
        }
        return new Outcome.Failed(violation("the server asked more than " + MOST_ROUNDS + " times"));
    }

    /// A result of a kind that nobody knows says nothing (revision 2026-07-28, section "Result").
    private static CallFailure unknown(String type) {
        return violation("the server answered with a result of the unknown type \"" + type + "\"");
    }

    private static CallFailure violation(String message) {
        return new CallFailure(
                ErrorCode.PROTOCOL_VIOLATION, FailureCategory.PROTOCOL, Delivery.REJECTED, message, Evidence.NONE);
    }

    /// The server has no result yet, and what it did before it asked is not known.
    private static CallFailure unanswered(Call call) {
        String message = "the client did not answer a question of the server, and the call was ended;"
                + " what it did is not known";
        return call.deadline().isGivenUp()
                ? CallFailure.cancelledUnsent()
                : new CallFailure(
                        ErrorCode.CANCELLED, FailureCategory.POLICY, Delivery.UNKNOWN, message, Evidence.NONE);
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
