package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Asker;
import dev.fusebox.client.Call;
import dev.fusebox.client.Caller;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.Patience;
import dev.fusebox.client.Upstream;
import dev.fusebox.protocol.ErrorCode;
import dev.fusebox.protocol.Frames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.world.World;
import java.util.LinkedHashSet;
import java.util.Set;
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

    private final World world;
    private final Upstream upstream;
    private final Consumer<Message.Notification> told;
    private final Dress dress;
    private final Set<String> watched = new LinkedHashSet<>();
    private @Nullable Patience listening;

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
        JsonWriter result = new JsonWriter().beginObject();
        result.name("protocolVersion").string(asked == null ? "2025-11-25" : asked);
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
            JsonView result = questionsIn(outcome);
            if (result == null) {
                return outcome;
            }
            String answers = ask(result.member("inputRequests"), call);
            if (answers == null) {
                return failed(call, "the client did not answer what the server asked");
            }
            JsonView state = result.member("requestState");
            request = dress.on(call.request(), answers, state == null ? null : state.json());
        }
        return failed(call, "the server asked more than " + MOST_ROUNDS + " times");
    }

    /// The result if it asks for another round.
    private static @Nullable JsonView questionsIn(Outcome outcome) {
        JsonView result = outcome instanceof Outcome.Answered(Message.Answer answer) ? answer.result() : null;
        return result != null && "input_required".equals(result.string("resultType")) ? result : null;
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
            changed = from ? watched.add(uri) : watched.remove(uri);
        }
        if (changed) {
            listen();
        }
        return answered(call.request().id(), "{}");
    }

    /// Opens a subscription in place of the one before.
    public void listen() {
        Patience before;
        Patience now = Patience.endless(world.ticker());
        Message.Request request;
        synchronized (this) {
            before = listening;
            listening = now;
            request = dress.on(subscription());
        }
        Thread.ofVirtual().name("fusebox-listen").start(() -> upstream.call(new Call(request, now, new Ear())));
        if (before != null) {
            before.giveUp();
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
    public synchronized void close() {
        if (listening != null) {
            listening.giveUp();
        }
    }

    /// Hears a subscription for a client that knows of none.
    private final class Ear implements Caller {
        @Override
        public void progress(byte[] frame) {
            // A subscription has none.
        }

        @Override
        public void told(Message.Notification notification) {
            if (!notification.method().startsWith("notifications/subscriptions/")
                    && !notification.method().equals("notifications/cancelled")) {
                told.accept(notification);
            }
        }

        @Override
        public boolean asked(Asker asker, Message.Request question) {
            return false;
        }
    }
}
