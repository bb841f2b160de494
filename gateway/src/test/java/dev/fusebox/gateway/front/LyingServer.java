package dev.fusebox.gateway.front;

import static dev.fusebox.gateway.front.Machine.PLATFORM;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.http.EventStream;
import dev.fusebox.http.HttpHeaders;
import dev.fusebox.http.HttpMethod;
import dev.fusebox.http.HttpReply;
import dev.fusebox.http.HttpRequest;
import dev.fusebox.http.HttpServer;
import dev.fusebox.http.HttpSettings;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// A Streamable HTTP server, of either era, that answers each call once correctly, and also sends messages that
/// belong to other calls or to none: always with a text that was not requested, unless the addressee might
/// legitimately receive it. Its choices follow from its seed.
final class LyingServer implements AutoCloseable {
    private static final HttpHeaders JSON = HttpHeaders.of("Content-Type", "application/json");
    private static final byte[] NOTHING = {};
    private static final String WRONG = "WRONG";
    private static final String WELCOME = "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
            + "\"serverInfo\":{\"name\":\"liar\",\"version\":\"1\"}";
    private static final String DISCOVERED = "\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{}";
    /// Enough to include most calls in flight, and many completed ones.
    private static final int REMEMBERED = 256;

    private final boolean isStateless;
    private final long seed;
    private final HttpServer front;
    private final AtomicInteger sessions = new AtomicInteger();
    private final Map<String, EventStream> streams = new ConcurrentHashMap<>();
    private final Map<Long, Asked> held = new ConcurrentHashMap<>();
    private final AtomicReferenceArray<@Nullable Asked> known = new AtomicReferenceArray<>(REMEMBERED);

    /// A call as received.
    private record Asked(long id, String session, String text, EventStream stream) {}

    private LyingServer(boolean isStateless, long seed) throws IOException {
        this.isStateless = isStateless;
        this.seed = seed;
        this.front = HttpServer.open(HttpSettings.loopback(0), this::handle, PLATFORM);
    }

    static LyingServer ofSessions(long seed) throws IOException {
        return new LyingServer(false, seed);
    }

    static LyingServer stateless(long seed) throws IOException {
        return new LyingServer(true, seed);
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + front.port() + "/mcp");
    }

    private void handle(HttpRequest request, HttpReply reply) {
        String session = Objects.requireNonNullElse(request.headers().value("Mcp-Session-Id"), "");
        byte[] body = request.body();
        if (request.method() == HttpMethod.GET && !isStateless) {
            streams.put(session, reply.stream(200, HttpHeaders.none()));
        } else if (request.method() != HttpMethod.POST) {
            reply.respond(isStateless ? 405 : 200, HttpHeaders.none(), NOTHING);
        } else if (Message.read(body) instanceof Message.Request asked) {
            answer(asked, session, reply);
        } else {
            reply.respond(202, HttpHeaders.none(), NOTHING);
            cancelled(Frame.read(new String(body, UTF_8)));
        }
    }

    private void answer(Message.Request request, String session, HttpReply reply) {
        String id = request.id().json();
        switch (request.method()) {
            case "initialize" -> {
                HttpHeaders begun = JSON.with("Mcp-Session-Id", "session-" + sessions.incrementAndGet());
                reply.respond(200, begun, result(id, WELCOME));
            }
            case "server/discover" -> reply.respond(200, JSON, result(id, DISCOVERED));
            default -> call(request, session, reply);
        }
    }

    // ---- Calls

    private void call(Message.Request request, String session, HttpReply reply) {
        long id = request.id().number();
        JsonView arguments = Objects.requireNonNull(request.frame().path("params", "arguments"));
        String text = Objects.requireNonNull(arguments.string("text"));
        int steps = Integer.parseInt(
                Objects.requireNonNull(arguments.member("steps")).json());
        SplittableRandom random = new SplittableRandom(seed + id);
        if (steps == 0 && random.nextBoolean()) {
            reply.respond(200, JSON, said(Long.toString(id), text));
            return;
        }
        Asked asked = new Asked(id, session, text, reply.stream(200, HttpHeaders.none()));
        known.set((int) (id % REMEMBERED), asked);
        for (int step = 1; step <= steps; step++) {
            lie(asked, random);
            send(asked.stream, step(Long.toString(id), text, step));
        }
        lie(asked, random);
        if (arguments.member("held") != null && random.nextInt(3) > 0) {
            held.put(id, asked);
            reply.onClientGone(() -> letGo(id));
        } else {
            end(asked, random);
        }
    }

    private static void end(Asked asked, SplittableRandom random) {
        String id = Long.toString(asked.id);
        send(asked.stream, said(id, asked.text));
        if (random.nextInt(4) == 0) {
            send(asked.stream, said(id, WRONG));
        }
        asked.stream.close();
    }

    /// Cancelled or disconnected; whichever comes first.
    private @Nullable Asked letGo(long id) {
        Asked asked = held.remove(id);
        if (asked != null) {
            asked.stream.close();
        }
        return asked;
    }

    /// Answers anyway, on a stream of every session.
    private void cancelled(JsonView notification) {
        JsonView named = notification.path("params", "requestId");
        if (named == null) {
            return;
        }
        letGo(Long.parseLong(named.json()));
        streams.values().forEach(stream -> send(stream, said(named.json(), WRONG)));
    }

    // ---- Misdirected messages

    private void lie(Asked asked, SplittableRandom random) {
        if (random.nextBoolean()) {
            send(asked.stream, said(otherId(asked, random), WRONG));
        }
        Asked other = other(random);
        if (other != null && random.nextBoolean()) {
            // In this era, and within this session, the addressee may receive it: then it has to be true.
            boolean mayBeHeard = isStateless || other.session.equals(asked.session);
            String text = mayBeHeard ? other.text : WRONG;
            send(asked.stream, step(Long.toString(other.id), text, MixCaller.NO_STEP));
        }
        EventStream everybody = streams.get(asked.session);
        if (everybody != null && random.nextInt(8) == 0) {
            send(everybody, said(Long.toString(other == null ? 0 : other.id), WRONG));
            send(everybody, step(misspelled(asked.id, random), WRONG, MixCaller.NO_STEP));
        }
    }

    private String otherId(Asked asked, SplittableRandom random) {
        Asked other = other(random);
        return other != null && other.id != asked.id && random.nextBoolean()
                ? Long.toString(other.id)
                : misspelled(asked.id, random);
    }

    /// The id of a call in flight or completed, of any session.
    private @Nullable Asked other(SplittableRandom random) {
        return known.get(random.nextInt(REMEMBERED));
    }

    private static String misspelled(long id, SplittableRandom random) {
        List<String> wrong = List.of(
                "\"" + id + "\"", "null", "-" + id, "[" + id + "]", "{}", id + ".5", "true", "" + (id + 100_000));
        return wrong.get(random.nextInt(wrong.size()));
    }

    // ---- Frames

    private static byte[] said(String id, String text) {
        return result(id, "\"content\":[{\"type\":\"text\",\"text\":\"" + text + "\"}]");
    }

    private static byte[] result(String id, String members) {
        String result = "{\"resultType\":\"complete\"," + members + "}";
        return ("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}").getBytes(UTF_8);
    }

    private static byte[] step(String token, String text, int number) {
        return ("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":" + token
                        + ",\"progress\":" + number + ",\"message\":\"" + text + "\"}}")
                .getBytes(UTF_8);
    }

    private static void send(EventStream stream, byte[] frame) {
        stream.event(null, frame);
    }

    @Override
    public void close() {
        streams.values().forEach(EventStream::close);
        held.values().forEach(asked -> asked.stream.close());
        front.close();
    }
}
