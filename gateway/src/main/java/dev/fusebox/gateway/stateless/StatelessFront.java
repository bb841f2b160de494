package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.MemoryLease;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ReplyHandler;
import dev.fusebox.client.SendSlot;
import dev.fusebox.gateway.http.Headers;
import dev.fusebox.gateway.served.Admission;
import dev.fusebox.gateway.served.Answers;
import dev.fusebox.gateway.served.FaultFrames;
import dev.fusebox.gateway.served.ProgressGate;
import dev.fusebox.gateway.served.SessionSettings;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.ToolHeaders;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Requests of the stateless era (revision 2026-07-28): each says all about itself, none knows of another.
/// Thread-safe; [#answer] blocks until the request has been answered.
public final class StatelessFront implements AutoCloseable {
    private static final System.Logger LOG = LazyLoggers.of(StatelessFront.class);

    private final Platform platform;
    private final SessionSettings settings;
    private final Target target;
    private final Admission admission;
    private final ToolHeaders tools = new ToolHeaders();
    private final Set<Listening> listening = ConcurrentHashMap.newKeySet();
    private volatile boolean ending;

    /// @param target closed with the front
    public StatelessFront(Platform platform, SessionSettings settings, Target target) {
        this.platform = platform;
        this.settings = settings;
        this.target = target;
        this.admission = new Admission(settings.calls(), settings.callBytes());
    }

    /// Whether a request is of this era, by what it says of itself.
    public static boolean speaks(Message.Request request) {
        return Metadata.isIn(request);
    }

    /// The answer to a request of this era where only the others are spoken (revision 2026-07-28, section
    /// "Protocol Version Negotiation").
    ///
    /// @param supported revisions that are spoken there
    public static byte[] refusal(Message.Request request, List<String> supported) {
        JsonView requested = request.frame().path("params", "_meta", Metadata.VERSION);
        String version = requested == null ? null : requested.string();
        return Refusal.unsupported(version == null ? "" : version, supported).frame(request);
    }

    /// How long the client will wait for this request. Whoever learns that the client has left gives it up.
    public Deadline deadline(Message.Request request) {
        return isListening(request)
                ? Deadline.endless(platform.ticker())
                : new Deadline(settings.timeout(), settings.clientWait(), platform.ticker());
    }

    private static boolean isListening(Message.Request request) {
        return request.method().equals("subscriptions/listen");
    }

    /// Answers a request that came with headers, which have to say the same as its body.
    public void answer(Headers headers, Message.Request request, Deadline deadline, Reply reply) {
        Refusal refusal = RequestCheck.of(headers, request);
        answer(
                refusal == null ? RequestCheck.ofArguments(tools, headers, request) : refusal,
                new Call(request, deadline, new Listener(reply)),
                reply);
    }

    /// Answers a request that came without headers, and in order with others.
    public void answer(Message.Request request, Deadline deadline, SendSlot slot, Reply reply) {
        answer(RequestCheck.ofBody(request), new Call(request, deadline, new Listener(reply), slot), reply);
    }

    private void answer(@Nullable Refusal refusal, Call call, Reply reply) {
        Message.Request request = call.request();
        int length = request.frame().length();
        if (refusal != null) {
            reply.finish(refusal.frame(request), Reply.Kind.REFUSED);
        } else if (!admission.tryEnter(length)) {
            CallFailure refused = admission.refusal();
            settings.sessions().refused(request.method(), refused);
            finish(request, new Outcome.Failed(refused), reply);
        } else {
            try {
                serve(call, reply);
            } finally {
                admission.leave(length);
            }
        }
    }

    /// What is listened to has no end, and its events go out as they come.
    private void serve(Call call, Reply reply) {
        if (isListening(call.request())) {
            work(call, reply);
        } else {
            MemoryLease.during(platform, call.deadline(), () -> work(call, reply));
        }
    }

    private void work(Call call, Reply reply) {
        Message.Request request = call.request();
        try {
            if (isListening(request)) {
                listen(call, reply);
                return;
            }
            Outcome outcome = made(call);
            if (request.method().equals("tools/list") && outcome instanceof Outcome.Answered(Message.Answer answer)) {
                learn(answer);
            }
            finish(request, outcome, reply);
        } catch (RuntimeException | Error bug) {
            LOG.log(Level.ERROR, "a call of " + request.method() + " failed inside of the gateway", bug);
            finish(request, new Outcome.Failed(CallFailure.broken()), reply);
        }
    }

    private void learn(Message.Answer answer) {
        JsonView listed = answer.frame().path("result", "tools");
        if (listed != null && tools.concerns(listed)) {
            listed.elements().forEach(tools::learn);
        }
    }

    private Outcome made(Call call) {
        Metadata client = Objects.requireNonNull(Metadata.of(call.request()), "admitted without metadata");
        try {
            return target.call(call, client);
        } finally {
            call.slot().leave();
            if (call.caller() instanceof Listener listener) {
                listener.progress.close();
            }
        }
    }

    private void listen(Call call, Reply reply) {
        Message.Request request = call.request();
        Listening open = new Listening(platform.timers(), request.id(), call.deadline(), reply);
        listening.add(open);
        try {
            open.begin();
            if (ending) {
                open.end();
            }
            finish(request, made(call.with(request, new Listener(open))), open);
        } finally {
            listening.remove(open);
        }
    }

    /// Takes no more requests, and ends all subscriptions in good order.
    public void takeNoMore() {
        admission.close();
        endSubscriptions();
    }

    /// Ends all subscriptions in good order, those that come from now on, too.
    public void endSubscriptions() {
        ending = true;
        listening.forEach(Listening::end);
    }

    private void finish(Message.Request request, Outcome outcome, Reply reply) {
        switch (outcome) {
            case Outcome.Answered(Message.Answer answer) ->
                reply.finish(Answers.under(request.id(), answer), kind(answer));
            case Outcome.Failed(CallFailure failure)
            when failure.category() == FailureCategory.CANCELLED -> reply.abandon();
            case Outcome.Failed(CallFailure failure) ->
                reply.finish(FaultFrames.stateless(request, settings.server(), failure), Reply.Kind.ANSWERED);
        }
    }

    private static Reply.Kind kind(Message.Answer answer) {
        JsonView code = answer.frame().path("error", "code");
        return switch (code == null ? "" : code.json()) {
            case "-32601" -> Reply.Kind.UNKNOWN_METHOD;
            case "-32020", "-32021", "-32022" -> Reply.Kind.REFUSED;
            default -> Reply.Kind.ANSWERED;
        };
    }

    /// Requests that are being worked on.
    public int inFlight() {
        return admission.calls();
    }

    @Override
    public void close() {
        target.close();
    }

    /// The client of one request, as the server can reach it meanwhile.
    private static final class Listener implements Caller {
        private final Reply reply;
        private final ProgressGate progress;

        Listener(Reply reply) {
            this.reply = reply;
            this.progress = new ProgressGate(reply::send);
        }

        @Override
        public void progress(byte[] frame) {
            progress.send(frame);
        }

        @Override
        public void told(Message.Notification notification) {
            reply.send(notification.frame().bytes());
        }

        @Override
        public boolean asked(ReplyHandler replyHandler, Message.Request question) {
            return false;
        }
    }
}
