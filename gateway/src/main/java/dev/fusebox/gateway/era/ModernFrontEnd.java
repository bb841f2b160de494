package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.Caller;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.FailureCategory;
import dev.fusebox.client.MemoryLease;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ReplyHandler;
import dev.fusebox.client.SendSlot;
import dev.fusebox.gateway.session.FailureFrames;
import dev.fusebox.gateway.session.FrontLimits;
import dev.fusebox.gateway.session.ProgressGate;
import dev.fusebox.gateway.session.ResponseRelay;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.http.HttpHeaders;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.ToolHeaders;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The front end for modern clients (revision 2026-07-28): requests are self-contained and independent.
/// Thread-safe; [#answer] blocks until the request has been answered.
public final class ModernFrontEnd implements AutoCloseable {
    private static final System.Logger LOG = LazyLoggers.of(ModernFrontEnd.class);

    private final Platform platform;
    private final SessionSettings settings;
    private final UpstreamEndpoint endpoint;
    private final FrontLimits frontLimits;
    private final ToolHeaders tools = new ToolHeaders();
    private final Set<ListenChannel> listenChannels = ConcurrentHashMap.newKeySet();

    /// Requests in flight at this endpoint.
    private final AtomicInteger working = new AtomicInteger();

    private volatile boolean ending;

    /// @param endpoint closed with the front end
    public ModernFrontEnd(Platform platform, SessionSettings settings, UpstreamEndpoint endpoint) {
        this(platform, settings, endpoint, new FrontLimits(settings.calls(), settings.callBytes()));
    }

    private ModernFrontEnd(
            Platform platform, SessionSettings settings, UpstreamEndpoint endpoint, FrontLimits frontLimits) {
        this.platform = platform;
        this.settings = settings;
        this.endpoint = endpoint;
        this.frontLimits = frontLimits;
    }

    /// A front end before another endpoint, which counts its requests together with this one.
    ///
    /// @param other closed with that front end
    public ModernFrontEnd at(UpstreamEndpoint other) {
        return new ModernFrontEnd(platform, settings, other, frontLimits);
    }

    /// Whether a request is of the modern era, according to its metadata.
    public static boolean isModern(Message.Request request) {
        return ClientMetadata.isIn(request);
    }

    /// The answer to a modern request where only other revisions are supported (revision 2026-07-28, section
    /// "Protocol Version Negotiation").
    ///
    /// @param supported revisions that are supported there
    public static byte[] refusal(Message.Request request, List<String> supported) {
        JsonView requested = request.frame().path("params", "_meta", ClientMetadata.VERSION);
        String version = requested == null ? null : requested.string();
        return RequestRefusal.unsupported(version == null ? "" : version, supported)
                .frame(request);
    }

    /// Whether a server process holds state of the only client.
    public boolean holdsState() {
        return endpoint.holdsState();
    }

    /// Creates the deadline of a request. It is to be cancelled when the client disconnects.
    public Deadline deadline(Message.Request request) {
        return isListening(request)
                ? Deadline.endless(platform.ticker())
                : new Deadline(settings.timeout(), settings.clientWait(), platform.ticker());
    }

    private static boolean isListening(Message.Request request) {
        return request.method().equals("subscriptions/listen");
    }

    /// Answers a request that came with HTTP headers, which must agree with its body.
    public void answer(
            HttpHeaders headers, Message.Request request, Deadline deadline, ResponseChannel responseChannel) {
        RequestRefusal refusal = RequestValidator.of(headers, request);
        answer(
                refusal == null ? RequestValidator.ofArguments(tools, headers, request) : refusal,
                call(request, deadline, SendSlot.NONE, responseChannel),
                responseChannel);
    }

    /// Answers a request that came without headers, and in order with others.
    public void answer(Message.Request request, Deadline deadline, SendSlot slot, ResponseChannel responseChannel) {
        answer(RequestValidator.ofBody(request), call(request, deadline, slot, responseChannel), responseChannel);
    }

    private static Call call(
            Message.Request request, Deadline deadline, SendSlot slot, ResponseChannel responseChannel) {
        ClientMetadata client = ClientMetadata.of(request);
        Listener listener = new Listener(responseChannel);
        return new Call(request, client == null ? ClientMetadata.UNKNOWN : client, deadline, listener, slot, List.of());
    }

    private void answer(@Nullable RequestRefusal refusal, Call call, ResponseChannel responseChannel) {
        Message.Request request = call.request();
        int length = request.frame().length();
        if (refusal != null) {
            responseChannel.finish(refusal.frame(request), ResponseChannel.Kind.REFUSED);
        } else if (!frontLimits.tryEnter(length)) {
            CallFailure refused = frontLimits.refusal();
            settings.sessions().refused(request.method(), refused);
            finish(request, new Outcome.Failed(refused), responseChannel);
        } else {
            working.incrementAndGet();
            try {
                serve(call, responseChannel);
            } finally {
                working.decrementAndGet();
                frontLimits.leave(length);
            }
        }
    }

    /// A subscription has no time limit, and its events are sent as they come.
    private void serve(Call call, ResponseChannel responseChannel) {
        if (isListening(call.request())) {
            work(call, responseChannel);
        } else {
            MemoryLease lease = MemoryLease.open(platform, call.deadline());
            try {
                work(call, responseChannel);
            } finally {
                lease.close();
            }
        }
    }

    private void work(Call call, ResponseChannel responseChannel) {
        Message.Request request = call.request();
        try {
            if (isListening(request)) {
                listen(call, responseChannel);
                return;
            }
            Outcome outcome = made(call);
            if (request.method().equals("tools/list") && outcome instanceof Outcome.Answered(Message.Answer answer)) {
                learn(answer);
            }
            finish(request, outcome, responseChannel);
        } catch (RuntimeException | Error bug) {
            LOG.log(Level.ERROR, request.method() + " failed (internal error)", bug);
            finish(request, new Outcome.Failed(CallFailure.broken()), responseChannel);
        }
    }

    private void learn(Message.Answer answer) {
        JsonView listed = answer.frame().path("result", "tools");
        if (listed != null && tools.concerns(listed)) {
            listed.elements().forEach(tools::learn);
        }
    }

    private Outcome made(Call call) {
        try {
            return endpoint.call(call);
        } finally {
            call.slot().release();
            if (call.caller() instanceof Listener listener) {
                listener.progress.close();
            }
        }
    }

    private void listen(Call call, ResponseChannel responseChannel) {
        Message.Request request = call.request();
        ListenChannel open = new ListenChannel(platform.timers(), request.id(), call.deadline(), responseChannel);
        listenChannels.add(open);
        try {
            open.begin();
            if (ending) {
                open.end();
            }
            finish(request, made(call.with(request, new Listener(open))), open);
        } finally {
            listenChannels.remove(open);
        }
    }

    /// Refuses new requests, and ends all subscriptions in good order.
    public void takeNoMore() {
        frontLimits.close();
        endSubscriptions();
    }

    /// Ends all subscriptions in good order, including those that begin later.
    public void endSubscriptions() {
        ending = true;
        listenChannels.forEach(ListenChannel::end);
    }

    private void finish(Message.Request request, Outcome outcome, ResponseChannel responseChannel) {
        switch (outcome) {
            case Outcome.Answered(Message.Answer answer) ->
                responseChannel.finish(ResponseRelay.under(request.id(), answer), kind(answer));
            case Outcome.Failed(CallFailure failure)
            when failure.category() == FailureCategory.CANCELLED -> responseChannel.abandon();
            case Outcome.Failed(CallFailure failure) ->
                responseChannel.finish(
                        FailureFrames.stateless(request, settings.server(), failure), ResponseChannel.Kind.ANSWERED);
        }
    }

    private static ResponseChannel.Kind kind(Message.Answer answer) {
        JsonView code = answer.frame().path("error", "code");
        return switch (code == null ? "" : code.json()) {
            case "-32601" -> ResponseChannel.Kind.UNKNOWN_METHOD;
            case "-32020", "-32021", "-32022" -> ResponseChannel.Kind.REFUSED;
            default -> ResponseChannel.Kind.ANSWERED;
        };
    }

    /// Whether no request is in flight at this endpoint.
    public boolean isQuiet() {
        return working.get() == 0;
    }

    /// The number of requests in flight, here and at other endpoints.
    public int inFlight() {
        return frontLimits.calls();
    }

    @Override
    public void close() {
        endpoint.close();
    }

    /// The caller of one request, for messages from the server while it runs.
    private static final class Listener implements Caller {
        private final ResponseChannel responseChannel;
        private final ProgressGate progress;

        Listener(ResponseChannel responseChannel) {
            this.responseChannel = responseChannel;
            this.progress = new ProgressGate(responseChannel::send);
        }

        @Override
        public void progress(byte[] frame) {
            progress.send(frame);
        }

        @Override
        public void onNotification(Message.Notification notification) {
            responseChannel.send(notification.frame().bytes());
        }

        @Override
        public boolean onRequest(ReplyHandler replyHandler, Message.Request question) {
            return false;
        }
    }
}
