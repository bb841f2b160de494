package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Arrival;
import dev.fusebox.client.Asker;
import dev.fusebox.client.Call;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Category;
import dev.fusebox.client.Evidence;
import dev.fusebox.client.Fault;
import dev.fusebox.client.FaultCode;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Patience;
import dev.fusebox.client.Reached;
import dev.fusebox.client.Upstream;
import dev.fusebox.gateway.served.Revision;
import dev.fusebox.protocol.ErrorCode;
import dev.fusebox.protocol.Frames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.world.World;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A server of the stateless era for one client of the session era. Thread-safe; [#call] blocks.
///
/// Every request is dressed in what the handshake said. Questions come as results, are put to the client as requests,
/// and their answers make the next round. What a session keeps (the level of the log, the resources it watches) is kept
/// here; one subscription hears what the client would be told without asking.
public final class Bridge {
    /// More rounds than that no person goes through, and a server that asks for ever is stopped.
    private static final int MOST_ROUNDS = 32;

    /// More than that no client watches.
    private static final int MOST_WATCHED = 1_000;

    private final World world;
    private final Upstream upstream;
    private final Consumer<Message.Notification> told;
    private final Dress dress;
    private final Set<String> watched = new LinkedHashSet<>();
    private @Nullable Ear listening;

    /// @param told hears what the server tells that belongs to no call
    public Bridge(World world, Upstream upstream, Consumer<Message.Notification> told, @Nullable JsonView handshake) {
        this.world = world;
        this.upstream = upstream;
        this.told = told;
        this.dress = new Dress(handshake);
    }

    /// Asks the server what it is, on behalf of a client that shakes hands; the answer is that of a handshake, or what
    /// kept it from being one.
    public Outcome greet(Message.Request initialize, Patience patience) {
        byte[] frame = Frames.request(RequestId.of("discover"), "server/discover", "{}");
        Message.Request discover = dress.on((Message.Request) Message.read(frame, 0, frame.length));
        Outcome outcome = upstream.call(new Call(discover, patience, Caller.SILENT));
        return outcome instanceof Outcome.Answered(Message.Answer answer) && answer.result() != null
                ? welcome(initialize, answer.result())
                : outcome;
    }

    private static Outcome welcome(Message.Request initialize, JsonView discovered) {
        String asked = initialize.params() == null ? null : initialize.params().string("protocolVersion");
        Revision revision = Revision.dated(asked).orElse(Revision.NEWEST);
        JsonWriter result = new JsonWriter().beginObject();
        result.name("protocolVersion").string(revision.toString());
        JsonView capabilities = discovered.member("capabilities");
        result.name("capabilities").raw(capabilities == null ? "{}" : capabilities.json());
        JsonView info = discovered.path("_meta", Metadata.SERVER_INFO);
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
        return switch (call.request().method()) {
            case "logging/setLevel" -> {
                dress.hearFrom(level == null ? "info" : level);
                yield answered(call.request().id(), "{}");
            }
            case "resources/subscribe" -> watch(call, uri, true);
            case "resources/unsubscribe" -> watch(call, uri, false);
            default -> rounds(call);
        };
    }

    private static Outcome answered(RequestId id, String result) {
        byte[] frame = Frames.result(id, result);
        return new Outcome.Answered((Message.Answer) Message.read(frame, 0, frame.length));
    }

    // ---- Rounds of questions

    private Outcome rounds(Call call) {
        Message.Request request = dress.on(call.request());
        for (int round = 0; round < MOST_ROUNDS; round++) {
            Outcome outcome = upstream.call(new Call(request, call.patience(), call.caller()));
            JsonView result = outcome instanceof Outcome.Answered(Message.Answer answer) ? answer.result() : null;
            String type = result == null ? null : result.string("resultType");
            if (result == null || type == null || type.equals("complete")) {
                listenAgain(outcome);
                return outcome;
            }
            if (!type.equals("input_required")) {
                return new Outcome.Failed(unknown(type));
            }
            String answers = ask(result.member("inputRequests"), call);
            if (answers == null) {
                return unanswered(call);
            }
            JsonView state = result.member("requestState");
            request = dress.on(call.request(), answers, state == null ? null : state.json());
        }
        return failed(call, "the server asked more than " + MOST_ROUNDS + " times");
    }

    /// A result of a kind that nobody knows says nothing (revision 2026-07-28, section "Result").
    private static Fault unknown(String type) {
        String message = "the server answered with a result of the unknown type \"" + type + "\"";
        return new Fault(FaultCode.PROTOCOL_VIOLATION, Category.PROTOCOL, Reached.REJECTED, message, Evidence.NONE);
    }

    private static Outcome unanswered(Call call) {
        return call.patience().isGivenUp()
                ? new Outcome.Failed(Fault.cancelledUnsent())
                : failed(call, "the client did not answer what the server asked");
    }

    private @Nullable String ask(@Nullable JsonView inputRequests, Call call) {
        try {
            return inputRequests == null
                    ? "{}"
                    : new Round().answers(inputRequests, call.caller(), call.patience(), world);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private static Outcome failed(Call call, String why) {
        byte[] frame = Frames.error(call.request().id(), ErrorCode.INTERNAL_ERROR, why, null);
        return new Outcome.Answered((Message.Answer) Message.read(frame, 0, frame.length));
    }

    // ---- What the client is told without asking

    private Outcome watch(Call call, @Nullable String uri, boolean from) {
        if (uri == null) {
            byte[] frame = Frames.error(call.request().id(), ErrorCode.INVALID_PARAMS, "uri is missing", null);
            return new Outcome.Answered((Message.Answer) Message.read(frame, 0, frame.length));
        }
        boolean changed;
        synchronized (this) {
            changed = from ? watched.size() < MOST_WATCHED && watched.add(uri) : watched.remove(uri);
        }
        if (changed) {
            listen().await(call.patience());
        }
        return answered(call.request().id(), "{}");
    }

    /// Opens a subscription in place of the one before, which ends when this one has begun.
    public void begin() {
        listen();
    }

    private Ear listen() {
        Ear now;
        Ear before;
        Message.Request request;
        synchronized (this) {
            before = listening;
            now = new Ear(before);
            listening = now;
            request = dress.on(subscription());
        }
        Thread.ofVirtual().name("fusebox-listen").start(() -> now.hear(request));
        return now;
    }

    /// A subscription ends with its server. The next one is opened when a call has found the server there again: a
    /// server is not started only to be listened to.
    private void listenAgain(Outcome outcome) {
        boolean isDeaf;
        synchronized (this) {
            isDeaf = outcome instanceof Outcome.Answered && listening != null && listening.isOver();
        }
        if (isDeaf) {
            listen();
        }
    }

    private Message.Request subscription() {
        JsonWriter wanted = new JsonWriter().beginObject().name("notifications").beginObject();
        wanted.name("toolsListChanged").bool(true).name("promptsListChanged").bool(true);
        wanted.name("resourcesListChanged").bool(true);
        if (!watched.isEmpty()) {
            wanted.name("resourceSubscriptions").beginArray();
            watched.forEach(wanted::string);
            wanted.endArray();
        }
        byte[] frame = Frames.request(
                RequestId.of("listen"),
                "subscriptions/listen",
                wanted.endObject().endObject().toString());
        return (Message.Request) Message.read(frame, 0, frame.length);
    }

    /// Ends the subscription.
    public void close() {
        Ear last;
        synchronized (this) {
            last = listening;
        }
        if (last != null) {
            last.close();
        }
    }

    /// Hears a subscription for a client that knows of none.
    private final class Ear implements Caller {
        private final Patience patience = Patience.endless(world.ticker());
        private final Arrival<Boolean> begun = new Arrival<>();
        private final AtomicReference<@Nullable Ear> before;
        private volatile boolean over;
        private volatile boolean closed;

        /// @param before hears until this one does
        Ear(@Nullable Ear before) {
            this.before = new AtomicReference<>(before);
        }

        void hear(Message.Request request) {
            try {
                upstream.call(new Call(request, patience, this));
            } finally {
                over = true;
                begin();
            }
        }

        private void begin() {
            // First, so that nobody is told of what it has just let go.
            Ear earlier = before.getAndSet(null);
            if (earlier != null) {
                earlier.close();
            }
            begun.bring(true);
        }

        boolean isOver() {
            return over;
        }

        /// Until the server has said what it tells from now on.
        void await(Patience waiting) {
            try {
                waiting.await(begun, world);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }

        void close() {
            closed = true;
            patience.giveUp();
        }

        @Override
        public void progress(byte[] frame) {
            // A subscription has none.
        }

        @Override
        public void told(Message.Notification notification) {
            switch (notification.method()) {
                case "notifications/subscriptions/acknowledged" -> begin();
                case "notifications/cancelled" -> {}
                default -> {
                    // What this one still hears the next one has heard, too.
                    if (!closed) {
                        told.accept(notification);
                    }
                }
            }
        }

        @Override
        public boolean asked(Asker asker, Message.Request question) {
            return false;
        }
    }
}
