package dev.fusebox.testkit.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.fusebox.protocol.ErrorCode;
import dev.fusebox.protocol.Frames;
import dev.fusebox.protocol.Message;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/// The Streamable HTTP side of a server: sessions, streams of events, streams that are taken up again. Thread-safe;
/// each
/// request has a thread of its own and blocks it as long as its answer takes.
final class HttpFront implements HttpHandler, AutoCloseable {
    private static final String SESSION = "Mcp-Session-Id";
    private static final String EVENTS = "text/event-stream";
    private static final String JSON = "application/json";
    /// Against pages whose own name resolves to this machine (2025-11-25, transports, security warning).
    private static final Pattern LOCAL =
            Pattern.compile("(https?://)?(localhost|127\\.0\\.0\\.1|\\[::1])(:\\d+)?", Pattern.CASE_INSENSITIVE);

    private final Fixture fixture;
    private final Map<String, HttpSession> sessions = new ConcurrentHashMap<>();

    HttpFront(Fixture fixture) {
        this.fixture = fixture;
    }

    int sessions() {
        return sessions.size();
    }

    @Override
    public void handle(HttpExchange http) throws IOException {
        try (http) {
            byte[] body = http.getRequestBody().readAllBytes();
            if (!isLocal(http)) {
                refuse(http, 403, "this Host or Origin is not let in");
            } else if (!knowsRevision(http)) {
                refuse(http, 400, "this MCP-Protocol-Version is not spoken here");
            } else {
                route(http, body);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void route(HttpExchange http, byte[] body) throws IOException, InterruptedException {
        switch (http.getRequestMethod()) {
            case "POST" -> post(http, Message.read(body, 0, body.length));
            case "GET" -> stream(http);
            case "DELETE" -> delete(http);
            default -> {
                http.getResponseHeaders().set("Allow", "GET, POST, DELETE");
                refuse(http, 405, "this method is not known here");
            }
        }
    }

    private static boolean isLocal(HttpExchange http) {
        return header(http, "Host").map(HttpFront::isLocal).orElse(false)
                && header(http, "Origin").map(HttpFront::isLocal).orElse(true);
    }

    private static boolean isLocal(String address) {
        return LOCAL.matcher(address).matches();
    }

    private static boolean knowsRevision(HttpExchange http) {
        return header(http, "MCP-Protocol-Version")
                .map(LegacyCodec.REVISIONS::contains)
                .orElse(true);
    }

    private void post(HttpExchange http, Message message) throws IOException, InterruptedException {
        if (message instanceof Message.Malformed malformed) {
            byte[] error = Frames.error(malformed.id(), malformed.code(), malformed.reason(), null);
            reply(http, 400, error);
        } else if (message instanceof Message.Request request
                && request.method().equals("initialize")) {
            String id = HexFormat.of().toHexDigits(fixture.world().random().nextLong())
                    + HexFormat.of().toHexDigits(fixture.world().random().nextLong());
            HttpSession session = new HttpSession(fixture);
            sessions.put(id, session);
            http.getResponseHeaders().set(SESSION, id);
            answer(http, session, message);
        } else {
            withSession(http, session -> take(http, session, message));
        }
    }

    private static void take(HttpExchange http, HttpSession session, Message message)
            throws IOException, InterruptedException {
        if (wantsAnAnswer(message)) {
            answer(http, session, message);
        } else {
            session.codec().receive(message, new Nowhere());
            http.sendResponseHeaders(202, -1);
        }
    }

    private static boolean wantsAnAnswer(Message message) {
        return switch (message) {
            case Message.Request request -> true;
            case Message.Malformed malformed -> true;
            case Message.Notification notification -> false;
            case Message.Answer answer -> false;
            case Message.Batch batch ->
                batch.frame().elements().stream().map(Message::of).anyMatch(HttpFront::wantsAnAnswer);
        };
    }

    private static void answer(HttpExchange http, HttpSession session, Message message)
            throws IOException, InterruptedException {
        if (!header(http, "Accept").orElse("").contains(EVENTS)) {
            BodyOutbox outbox = new BodyOutbox();
            session.codec().receive(message, outbox);
            reply(http, 200, outbox.await());
            return;
        }
        SseStream stream = session.open();
        if (session.resumes()) {
            stream.prime();
        }
        // The connection carries the stream before the call starts, which may be one that drops it.
        int connection = carry(http, stream, 0);
        session.codec().receive(message, stream);
        stream.awaitEnd(connection);
    }

    private static int carry(HttpExchange http, SseStream stream, int from) throws IOException {
        http.getResponseHeaders().set("Content-Type", EVENTS);
        http.getResponseHeaders().set("Cache-Control", "no-cache");
        http.sendResponseHeaders(200, 0);
        http.getResponseBody().flush();
        return stream.attach(http.getResponseBody(), from);
    }

    private void stream(HttpExchange http) throws IOException, InterruptedException {
        if (!header(http, "Accept").orElse("").contains(EVENTS)) {
            refuse(http, 406, "a GET gets " + EVENTS + " or nothing");
            return;
        }
        withSession(http, session -> {
            Optional<String> last = header(http, "Last-Event-ID");
            SseStream stream = last.flatMap(session::streamOf).orElse(session.general());
            stream.awaitEnd(carry(http, stream, last.map(HttpFront::next).orElse(Integer.MAX_VALUE)));
        });
    }

    /// The number of the event after this one.
    private static int next(String eventId) {
        String number = eventId.replaceFirst(".*-", "");
        return number.matches("\\d{1,9}") ? Integer.parseInt(number) + 1 : 0;
    }

    private void delete(HttpExchange http) throws IOException, InterruptedException {
        withSession(http, session -> {
            header(http, SESSION).ifPresent(sessions::remove);
            session.close();
            http.sendResponseHeaders(200, -1);
        });
    }

    private interface Action {
        void run(HttpSession session) throws IOException, InterruptedException;
    }

    /// 400 without a session, 404 with an unknown one (2025-11-25, transports, session management).
    private void withSession(HttpExchange http, Action action) throws IOException, InterruptedException {
        Optional<String> id = header(http, SESSION);
        Optional<HttpSession> session = id.map(sessions::get);
        if (id.isEmpty()) {
            refuse(http, 400, "the header " + SESSION + " is missing; begin with initialize");
        } else if (session.isEmpty()) {
            refuse(http, 404, "there is no such session; begin anew with initialize");
        } else {
            action.run(session.get());
        }
    }

    private static Optional<String> header(HttpExchange http, String name) {
        return Optional.ofNullable(http.getRequestHeaders().getFirst(name));
    }

    private static void refuse(HttpExchange http, int status, String reason) throws IOException {
        reply(http, status, Frames.error(null, ErrorCode.INVALID_REQUEST, reason, null));
    }

    private static void reply(HttpExchange http, int status, byte[] body) throws IOException {
        if (body.length == 0) {
            http.sendResponseHeaders(202, -1);
            return;
        }
        http.getResponseHeaders().set("Content-Type", JSON);
        http.sendResponseHeaders(status, body.length);
        http.getResponseBody().write(body);
    }

    @Override
    public void close() {
        sessions.values().forEach(HttpSession::close);
        sessions.clear();
    }
}
