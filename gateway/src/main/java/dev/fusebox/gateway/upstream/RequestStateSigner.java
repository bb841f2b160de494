package dev.fusebox.gateway.upstream;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Delivery;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.Outcome;
import dev.fusebox.gateway.era.UndeclaredCapability;
import dev.fusebox.gateway.session.HmacSigner;
import dev.fusebox.gateway.session.ServerRequestLimit;
import dev.fusebox.platform.Ticker;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.Splice;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The signer of the state that a server gives its client to bring back with the answers (`requestState`,
/// revision 2026-07-28). It verifies the state on the way back: a client cannot change it, nor use it with
/// another server, another method, for another principal, or after more than ten minutes. Thread-safe; nothing
/// blocks.
///
/// On the wire it is `TIME.SIGNATURE.STATE`, in characters that need no escaping. The number of answered questions
/// is part of it, so that a server cannot send requests endlessly; a server that sends no state gets none back.
/// The state is signed, not encrypted: a server that puts secrets there has to encrypt them itself.
final class RequestStateSigner {
    /// Long enough for a person to answer; twice the time for which a call waits for its client.
    static final Duration LIFE = Duration.ofMinutes(10);

    private static final CallFailure TOO_MANY = new CallFailure(
            ErrorId.PROTOCOL_VIOLATION,
            FailureCategory.POLICY,
            Delivery.REJECTED,
            "the server sent more than " + ServerRequestLimit.MOST + " requests in one call; the call was ended",
            Evidence.NONE);

    private static final String STATE = "requestState";
    private static final Pattern SIGNED =
            Pattern.compile("([0-9a-f]{1,16})\\.([\\w-]{" + HmacSigner.LENGTH + "})\\.([\\w-]*+)");

    private final Ticker ticker;
    private final HmacSigner signer;
    private final Runnable tooMany;

    /// @param secrets source of the key, which is valid as long as this gateway runs
    /// @param tooMany is run when a server exceeds the questions that one call may ask
    RequestStateSigner(Ticker ticker, RandomGenerator secrets, Runnable tooMany) {
        this.tooMany = tooMany;
        this.ticker = ticker;
        this.signer = HmacSigner.withRandomKey(secrets);
    }

    /// A call whose state was verified.
    ///
    /// @param call with the state as its server gave it
    /// @param answered how many questions of the call have been answered
    /// @param refusal the answer to a state that the gateway did not sign; null if there is none
    record Verified(Call call, int answered, @Nullable Outcome refusal) {}

    /// Verifies the state that a client brings back, and restores the server's own state.
    Verified verify(Call call) {
        JsonView params = call.request().params();
        int answered = params == null ? 0 : members(params.member("inputResponses"));
        if (params == null || params.member(STATE) == null) {
            return new Verified(call, answered, null);
        }
        Call settled = call.settled();
        JsonView brought = settled.request().frame().path("params", STATE);
        DecodedState own = brought == null ? null : opened(call, brought);
        return own == null || brought == null
                ? new Verified(call, answered, refused(call))
                : new Verified(own.on(settled, brought), own.answered() + answered, null);
    }

    /// The number of members, not counting requests for roots and their answers (see
    /// [ServerRequestLimit.Budget]).
    private static int members(@Nullable JsonView object) {
        AtomicInteger count = new AtomicInteger();
        if (object != null) {
            object.forEachMember((name, value) -> count.addAndGet(isAboutRoots(value) ? 0 : 1));
        }
        return count.get();
    }

    /// A request is recognized by its method, an answer by its result.
    private static boolean isAboutRoots(JsonView member) {
        return ServerRequestLimit.ROOTS.equals(member.string("method")) || member.member("roots") != null;
    }

    /// A state after verification.
    ///
    /// @param answered how many questions of this call had been answered when it was issued
    /// @param state as the server wrote it; empty if it gave none
    private record DecodedState(int answered, String state) {
        static DecodedState of(String payload) {
            int end = payload.indexOf(':');
            return new DecodedState(Integer.parseInt(payload, 0, end, 10), payload.substring(end + 1));
        }

        Call on(Call call, JsonView brought) {
            Splice splice = Splice.of(call.request().frame());
            JsonView params = Objects.requireNonNull(call.request().params(), "requestState is a member of params");
            byte[] frame = state.isEmpty()
                    ? splice.replace(params, without(params)).bytes()
                    : splice.replace(brought, state).bytes();
            return call.with(Message.Request.of(frame));
        }

        /// Removes the state for a server that gave none.
        private static String without(JsonView params) {
            JsonWriter rest = new JsonWriter().beginObject();
            params.forEachMember((name, value) -> {
                if (!name.equals(STATE)) {
                    rest.name(name).raw(value);
                }
            });
            return rest.endObject().toString();
        }
    }

    /// Whether the client brings back a state that was issued here.
    boolean isOf(Call call) {
        JsonView params = call.request().params();
        JsonView brought = params == null ? null : params.member(STATE);
        return brought != null && opened(call, brought) != null;
    }

    private static Outcome refused(Call call) {
        String why = "requestState is invalid for this request or older than " + LIFE.toMinutes()
                + " minutes; repeat the request without requestState and inputResponses";
        return new Outcome.Answered(Message.Answer.of(
                JsonRpcFrames.error(call.request().id(), JsonRpcErrorCode.INVALID_PARAMS, why, null)));
    }

    /// Signs the state of an outcome with requests to the client.
    Outcome sign(Verified verified, Outcome outcome) {
        Call call = verified.call();
        int answered = verified.answered();
        JsonView result = outcome instanceof Outcome.Answered(Message.Answer answer) ? answer.result() : null;
        if (result == null
                || !"input_required".equals(result.string("resultType"))
                || !(outcome instanceof Outcome.Answered(Message.Answer answer))) {
            return outcome;
        }
        CallFailure undeclared = UndeclaredCapability.in(result, call.client().capabilities());
        if (undeclared != null) {
            return new Outcome.Failed(undeclared);
        }
        if (answered + members(result.member("inputRequests")) > ServerRequestLimit.MOST) {
            tooMany.run();
            return new Outcome.Failed(TOO_MANY);
        }
        JsonView state = result.member(STATE);
        String payload = answered + ":" + (state == null ? "" : state.json());
        String wrapped = JsonWriter.quoted(wrapped(call, payload));
        Splice splice = Splice.of(answer.frame());
        byte[] frame = state == null
                ? splice.insert(result, "\"requestState\":" + wrapped).bytes()
                : splice.replace(state, wrapped).bytes();
        return new Outcome.Answered(Message.Answer.of(frame));
    }

    // ---- One state

    private String wrapped(Call call, String json) {
        String time = Long.toHexString(ticker.nanos());
        String state = text(json.getBytes(StandardCharsets.UTF_8));
        return time + "." + signer.signature(signed(call, time, state)) + "." + state;
    }

    private static String text(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /// The state as the server wrote it; null if the signature is wrong or too old.
    private @Nullable DecodedState opened(Call call, JsonView brought) {
        String text = brought.string();
        Matcher parts = SIGNED.matcher(text == null ? "" : text);
        if (!parts.matches() || !signer.isSigned(signed(call, parts.group(1), parts.group(3)), parts.group(2))) {
            return null;
        }
        long age = ticker.nanos() - Long.parseUnsignedLong(parts.group(1), 16);
        return age <= LIFE.toNanos()
                ? DecodedState.of(new String(Base64.getUrlDecoder().decode(parts.group(3)), StandardCharsets.UTF_8))
                : null;
    }

    /// The method is signed last: it is the only part that may contain a dot.
    private static String signed(Call call, String time, String state) {
        String principal = text(call.client().principal().id().getBytes(StandardCharsets.UTF_8));
        return time + "." + state + "." + principal + "." + call.request().method();
    }
}
