package dev.fusebox.gateway.routing;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Outcome;
import dev.fusebox.gateway.upstream.RequestOrigin;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.protocol.Splice;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The questions to clients whose calls need a login: a client that supports URL elicitation gets a link for its
/// user, the call waits for the login and is then sent again. Thread-safe; [#before] and [#after] block for the
/// user, at most until the deadline of the call.
///
/// ```
/// legacy:  failed --> elicitation/create --> accept --> login ends --> sent again
/// modern:  failed --> input_required ... the call comes back with accept --> login ends --> sent again
/// ```
///
/// A legacy session has one question about a server at a time; its other calls wait for the same login. A modern
/// call that is repeated after a question is not asked again.
final class LoginElicitations {
    private static final Set<String> METHODS = Set.of("tools/call", "prompts/get", "resources/read");
    private static final String CREATE = "elicitation/create";

    /// The key of the question in `inputRequests`, and the begin of its `requestState`.
    private static final String KEY = "fusebox-login";

    private static final String STATE = "requestState";
    private static final String RESPONSES = "inputResponses";
    private static final int TICKET_BYTES = 16;

    /// As long as the link in the question works.
    private static final Duration LIFETIME = Duration.ofMinutes(10);

    /// More users do not log in at the same time; further calls fail without a question.
    private static final int MAX_QUESTIONS = 100;

    private final Platform platform;
    private final UserLogins userLogins;
    private final RandomGenerator secrets;
    private final Map<Subject, LoginElicitation> asked = new ConcurrentHashMap<>();
    private final Map<String, PendingQuestion> pendingQuestions = new LinkedHashMap<>();
    private volatile boolean hasPendingQuestions;

    /// @param secrets source of the state that a client brings back
    LoginElicitations(Platform platform, UserLogins userLogins, RandomGenerator secrets) {
        this.platform = platform;
        this.userLogins = userLogins;
        this.secrets = secrets;
    }

    /// What a question is about.
    private record Subject(Object session, String server) {}

    /// A failed call whose client is asked.
    private record FailedCall(Call call, String server, CallFailure failure) {
        Step.Done failed() {
            return new Step.Done(new Outcome.Failed(failure));
        }
    }

    /// A question that was returned to a modern client as `input_required`, and is not answered yet.
    ///
    /// @param bornAt by the monotonic clock
    private record PendingQuestion(
            LoginElicitation elicitation, UserLogin.Link link, CallFailure failure, long bornAt) {}

    /// What happens to a call next.
    sealed interface Step {
        /// It is sent.
        ///
        /// @param mayAsk whether its client may be asked if it fails
        record Send(Call call, boolean mayAsk) implements Step {}

        /// It has ended.
        record Done(Outcome outcome) implements Step {}
    }

    // ---- Before and after a call

    /// Waits for the login if the call comes back from a question.
    Step before(Call call) {
        JsonView params = hasPendingQuestions ? call.request().params() : null;
        String state = params == null ? null : params.string(STATE);
        PendingQuestion back = state == null ? null : take(state);
        if (back == null) {
            return new Step.Send(call, true);
        }
        JsonView response = call.request().frame().path("params", RESPONSES, KEY);
        LoginElicitation elicitation = back.elicitation();
        if (response == null && !elicitation.hasEnded()) {
            return park(back, call);
        }
        elicitation.answer(response == null ? null : response.string("action"));
        call.slot().release();
        return isLoggedIn(elicitation, call)
                ? new Step.Send(withoutState(call), false)
                : new Step.Done(new Outcome.Failed(back.failure()));
    }

    /// Asks the client for the login that a failed call needs.
    Step after(Call call, RequestOrigin from, CallFailure failure) {
        String server = failure.evidence().context().server();
        boolean isAboutLogin = failure.id() == ErrorId.LOGIN_REQUIRED || failure.id() == ErrorId.SCOPE_MISSING;
        if (!isAboutLogin
                || server == null
                || !METHODS.contains(call.request().method())
                || !takesLinks(from.client())) {
            return new Step.Done(new Outcome.Failed(failure));
        }
        // The answer of the client must not wait for this call.
        call.slot().release();
        FailedCall failedCall = new FailedCall(call, server, failure);
        return from.client().isLegacy() ? asked(failedCall, from) : inputRequired(failedCall);
    }

    private static boolean takesLinks(ClientMetadata client) {
        return client.capabilities().path("elicitation", "url") != null;
    }

    private boolean isLoggedIn(LoginElicitation elicitation, Call call) {
        try {
            return elicitation.await(call.deadline(), platform);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Null if there is no login to wait for.
    private UserLogin.@Nullable Link begin(LoginElicitation elicitation, FailedCall failedCall) {
        try {
            UserLogin login = userLogins.begin(failedCall.server(), failedCall.failure(), elicitation);
            if (login == null) {
                return null;
            }
            elicitation.attach(login);
            return login.link(failedCall.call().deadline());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    // ---- Legacy clients

    private Step asked(FailedCall failedCall, RequestOrigin from) {
        Object session = from.client().clientSession();
        Subject subject = new Subject(session == null ? from.asker() : session, failedCall.server());
        LoginElicitation own = new LoginElicitation(ended -> asked.remove(subject, ended));
        LoginElicitation other = asked.size() < MAX_QUESTIONS ? asked.putIfAbsent(subject, own) : asked.get(subject);
        boolean isAsking = other == null && own.equals(asked.get(subject));
        try {
            boolean isLoggedIn =
                    other == null ? isAsking && ask(own, failedCall) : isLoggedIn(other, failedCall.call());
            return isLoggedIn ? new Step.Send(failedCall.call(), false) : failedCall.failed();
        } catch (RuntimeException | Error bug) {
            // Otherwise later calls would wait for a question that was never sent.
            own.refuse();
            throw bug;
        }
    }

    private boolean ask(LoginElicitation elicitation, FailedCall failedCall) {
        UserLogin.Link link = begin(elicitation, failedCall);
        Call call = failedCall.call();
        String id = ticket();
        boolean isAsked = link != null
                && call.caller()
                        .onRequest(
                                elicitation,
                                Message.Request.of(JsonRpcFrames.request(RequestId.of(id), CREATE, params(link, id))));
        if (!isAsked) {
            elicitation.refuse();
            return false;
        }
        boolean isLoggedIn = isLoggedIn(elicitation, call);
        // The login may have ended elsewhere; an open question would stop the clock of the call.
        call.caller().withdraw(RequestId.of(id));
        if (isLoggedIn) {
            call.caller()
                    .onNotification(Message.Notification.of(JsonRpcFrames.notification(
                            "notifications/elicitation/complete",
                            "{\"elicitationId\":" + JsonWriter.quoted(id) + "}")));
        } else {
            elicitation.abandon();
        }
        return isLoggedIn;
    }

    /// @param id only in the legacy era; null for none
    private static String params(UserLogin.Link link, @Nullable String id) {
        JsonWriter params = new JsonWriter().beginObject().name("mode").string("url");
        if (id != null) {
            params.name("elicitationId").string(id);
        }
        params.name("url").string(link.url().toString());
        params.name("message").string(link.message());
        return params.endObject().toString();
    }

    // ---- Modern clients

    private Step inputRequired(FailedCall failedCall) {
        LoginElicitation elicitation = new LoginElicitation(ended -> {});
        UserLogin.Link link = hasRoom() ? begin(elicitation, failedCall) : null;
        if (link == null) {
            elicitation.refuse();
            return failedCall.failed();
        }
        long now = platform.ticker().nanos();
        return park(new PendingQuestion(elicitation, link, failedCall.failure(), now), failedCall.call());
    }

    private Step park(PendingQuestion question, Call call) {
        String state = ticket();
        synchronized (pendingQuestions) {
            pendingQuestions.put(state, question);
            hasPendingQuestions = true;
        }
        JsonWriter result = new JsonWriter().beginObject().name("resultType").string("input_required");
        result.name("inputRequests").beginObject().name(KEY).beginObject();
        result.name("method").string(CREATE).name("params").raw(params(question.link(), null));
        result.endObject().endObject();
        String json = result.name(STATE).string(state).endObject().toString();
        byte[] frame = JsonRpcFrames.result(call.request().id(), json);
        return new Step.Done(new Outcome.Answered(Message.Answer.of(frame).asOurs()));
    }

    private String ticket() {
        byte[] secret = new byte[TICKET_BYTES];
        secrets.nextBytes(secret);
        return KEY + "-" + HexFormat.of().formatHex(secret);
    }

    /// Each state is valid once.
    private @Nullable PendingQuestion take(String state) {
        synchronized (pendingQuestions) {
            removeOld();
            PendingQuestion question = pendingQuestions.remove(state);
            hasPendingQuestions = !pendingQuestions.isEmpty();
            return question;
        }
    }

    private boolean hasRoom() {
        synchronized (pendingQuestions) {
            removeOld();
            return pendingQuestions.size() < MAX_QUESTIONS;
        }
    }

    /// The login of a client that did not come back has ended by then.
    private void removeOld() {
        long now = platform.ticker().nanos();
        pendingQuestions.values().removeIf(question -> now - question.bornAt() >= LIFETIME.toNanos());
    }

    /// The request as the client has made it first.
    private static Call withoutState(Call call) {
        JsonView params = call.request().params();
        JsonWriter rest = new JsonWriter().beginObject();
        if (params != null) {
            params.forEachMember((name, value) -> {
                if (!name.equals(STATE) && !name.equals(RESPONSES)) {
                    rest.name(name).raw(value);
                }
            });
        }
        byte[] frame = Splice.of(call.request().frame())
                .replace(params, rest.endObject().toString())
                .bytes();
        return call.with(Message.Request.of(frame));
    }
}
