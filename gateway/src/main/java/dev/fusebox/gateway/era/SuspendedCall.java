package dev.fusebox.gateway.era;

import dev.fusebox.client.CallSuspension;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Promise;
import dev.fusebox.client.ReplyHandler;
import dev.fusebox.gateway.session.ServerRequestLimit;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A call whose server may send requests to its client. The call has its own thread; the thread that serves the
/// client waits beside it, returns with the questions if there are any, and another one comes back with the
/// answers. Thread-safe; only [#await] blocks.
///
/// ```
/// WORKING -- server asks --> ASKING -- client comes back --> WORKING
///    `------ call ends -----> ENDED <-- call ends ---'
/// ```
final class SuspendedCall implements Caller {
    /// By then a call that has timed out has ended by itself, and reports its delivery more precisely than the
    /// gateway could.
    private static final Duration LAST_MOMENT = Duration.ofMillis(500);

    private final Platform platform;
    private final Deadline deadline;
    private final Askable askable;
    private final Map<String, ServerRequest> serverRequests = new LinkedHashMap<>();
    private Caller client;
    private Promise<Boolean> news = new Promise<>();
    private @Nullable Outcome outcome;
    private boolean forsaken;
    private int lastKey;

    /// The client of a call, for server requests.
    ///
    /// @param capabilities that it declared
    /// @param budget of questions
    record Askable(JsonView capabilities, ServerRequestLimit.Budget budget) {}

    /// A question of the server.
    record ServerRequest(ReplyHandler replyHandler, Message.Request request) {}

    /// What is to be returned to the client.
    sealed interface Step {
        /// The call has ended.
        record Ended(Outcome outcome) implements Step {}

        /// The server sends a request to the client.
        ///
        /// @param inputRequests in the format of an `input_required` result
        record InputRequired(String inputRequests) implements Step {}

        /// Neither, within the client's deadline.
        record Nothing() implements Step {}
    }

    SuspendedCall(Platform platform, Deadline deadline, Caller client, Askable askable) {
        this.askable = askable;
        this.platform = platform;
        this.deadline = deadline;
        this.client = client;
    }

    /// Waits until there is something to return, at most until this client's deadline.
    Step await(Deadline here) throws InterruptedException {
        while (true) {
            Promise<Boolean> awaited = news();
            Boolean come = here.await(awaited, platform);
            if (come == null && !here.isGivenUp()) {
                awaited.await(platform, LAST_MOMENT);
            }
            Step step = step();
            if (step != null) {
                return step;
            }
            if (come == null) {
                return new Step.Nothing();
            }
        }
    }

    private synchronized Promise<Boolean> news() {
        return news;
    }

    /// Null if there is nothing to return, for instance because the server has withdrawn its question.
    private synchronized @Nullable Step step() {
        if (outcome != null) {
            return new Step.Ended(outcome);
        }
        if (!serverRequests.isEmpty()) {
            return new Step.InputRequired(inputRequests());
        }
        if (news.now() != null) {
            news = new Promise<>();
        }
        return null;
    }

    private String inputRequests() {
        JsonWriter requests = new JsonWriter().beginObject();
        serverRequests.forEach((key, serverRequest) -> {
            JsonView params = serverRequest.request().params();
            requests.name(key)
                    .beginObject()
                    .name("method")
                    .string(serverRequest.request().method());
            if (params != null) {
                requests.name("params").raw(params);
            }
            requests.endObject();
        });
        return requests.endObject().toString();
    }

    /// Notes that the client leaves with the questions.
    ///
    /// @param ending ends the call if the client stays away and others need its place
    void leave(Runnable ending) {
        deadline.away(ending);
    }

    /// The absence of the client; null if it is there.
    @Nullable
    CallSuspension callSuspension() {
        return deadline.callSuspension();
    }

    /// Continues with a client that is back, perhaps with answers; unanswered questions stay open.
    void resume(@Nullable JsonView inputResponses, Caller back) {
        deadline.back();
        Map<ServerRequest, JsonView> answered = new LinkedHashMap<>();
        synchronized (this) {
            client = back;
            if (inputResponses != null) {
                inputResponses.forEachMember((key, response) -> take(key, response, answered));
            }
        }
        answered.forEach(this::answer);
    }

    private void take(String key, JsonView response, Map<ServerRequest, JsonView> answered) {
        ServerRequest serverRequest = serverRequests.remove(key);
        if (serverRequest != null) {
            answered.put(serverRequest, response);
        }
    }

    private void answer(ServerRequest serverRequest, JsonView response) {
        RequestId id = serverRequest.request().id();
        serverRequest
                .replyHandler()
                .answer(JsonView.of("{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":" + response.json() + "}"), id);
        deadline.go();
    }

    /// Gives the call up because the client does not come back: open questions are refused, and the call is
    /// cancelled.
    void abandon() {
        refuseAll();
        deadline.giveUp();
    }

    private void refuseAll() {
        Map<String, ServerRequest> open;
        synchronized (this) {
            forsaken = true;
            open = Map.copyOf(serverRequests);
            serverRequests.clear();
        }
        open.values().forEach(serverRequest -> {
            serverRequest
                    .replyHandler()
                    .sendOneWay(JsonRpcFrames.error(
                            serverRequest.request().id(),
                            JsonRpcErrorCode.INTERNAL_ERROR,
                            "the client did not answer",
                            null));
            deadline.go();
        });
    }

    /// Ends the call, and returns the unanswered questions. Waiters are woken by [#wakeWaiters].
    synchronized List<ServerRequest> end(Outcome with) {
        outcome = with;
        List<ServerRequest> open = List.copyOf(serverRequests.values());
        serverRequests.clear();
        return open;
    }

    /// Wakes the waiters.
    void wakeWaiters() {
        Promise<Boolean> waiting;
        synchronized (this) {
            waiting = news;
        }
        waiting.complete(true);
    }

    // ---- Messages from the server

    @Override
    public boolean onRequest(ReplyHandler replyHandler, Message.Request question) {
        Promise<Boolean> waiting;
        synchronized (this) {
            if (outcome != null || forsaken || UndeclaredCapability.is(question.method(), askable.capabilities())) {
                return false;
            }
            if (!askable.budget().tryTake(question.method())) {
                askable.budget().refuse();
                return false;
            }
            serverRequests.put("q" + ++lastKey, new ServerRequest(replyHandler, question));
            waiting = news;
        }
        deadline.stop();
        waiting.complete(true);
        return true;
    }

    @Override
    public void progress(byte[] frame) {
        client().progress(frame);
    }

    @Override
    public void onNotification(Message.Notification notification) {
        if (notification.method().equals("notifications/cancelled")) {
            withdraw(notification.frame().path("params", "requestId"));
        } else {
            client().onNotification(notification);
        }
    }

    /// Removes a question that the server has cancelled.
    private void withdraw(@Nullable JsonView id) {
        RequestId withdrawn = id == null ? null : RequestId.read(id);
        boolean known;
        synchronized (this) {
            known = serverRequests
                    .values()
                    .removeIf(serverRequest -> serverRequest.request().id().equals(withdrawn));
        }
        if (known) {
            deadline.go();
        }
    }

    private synchronized Caller client() {
        return client;
    }
}
