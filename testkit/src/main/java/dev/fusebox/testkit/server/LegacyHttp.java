package dev.fusebox.testkit.server;

import com.sun.net.httpserver.HttpExchange;
import dev.fusebox.protocol.Message;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The era of sessions over HTTP: sessions, streams of events, streams that are taken up again. Thread-safe; a
/// request has a thread of its own and blocks it as long as its answer takes.
final class LegacyHttp implements AutoCloseable {
    private static final String SESSION = "Mcp-Session-Id";
    private static final String NOT_SPOKEN = "this MCP-Protocol-Version is not spoken here";

    private final Fixture fixture;
    private final Map<String, LegacyHttpSession> sessions = new ConcurrentHashMap<>();

    LegacyHttp(Fixture fixture) {
        this.fixture = fixture;
    }

    int sessions() {
        return sessions.size();
    }

    /// Everything but POST.
    void handle(HttpExchange http) throws IOException, InterruptedException {
        if (!knowsRevision(http)) {
            HttpMessages.refuse(http, 400, NOT_SPOKEN);
            return;
        }
        switch (http.getRequestMethod()) {
            case "GET" -> stream(http);
            case "DELETE" -> delete(http);
            default -> {
                http.getResponseHeaders().set("Allow", "GET, POST, DELETE");
                HttpMessages.refuse(http, 405, "this method is not known here");
            }
        }
    }

    private static boolean knowsRevision(HttpExchange http) {
        return HttpMessages.header(http, HttpMessages.REVISION)
                .map(LegacyCodec.REVISIONS::contains)
                .orElse(true);
    }

    void post(HttpExchange http, Message message) throws IOException, InterruptedException {
        if (!knowsRevision(http)) {
            HttpMessages.refuse(http, 400, NOT_SPOKEN);
        } else if (message instanceof Message.Request request
                && request.method().equals("initialize")) {
            String id = HexFormat.of().toHexDigits(fixture.platform().random().nextLong())
                    + HexFormat.of().toHexDigits(fixture.platform().random().nextLong());
            LegacyHttpSession session = new LegacyHttpSession(fixture);
            sessions.put(id, session);
            http.getResponseHeaders().set(SESSION, id);
            answer(http, session, message);
        } else {
            withSession(http, session -> take(http, session, message));
        }
    }

    private static void take(HttpExchange http, LegacyHttpSession session, Message message)
            throws IOException, InterruptedException {
        if (wantsAnAnswer(message)) {
            answer(http, session, message);
        } else {
            session.codec().receive(message, new DiscardingOutbox());
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
                batch.frame().elements().stream().map(Message::of).anyMatch(LegacyHttp::wantsAnAnswer);
        };
    }

    private static void answer(HttpExchange http, LegacyHttpSession session, Message message)
            throws IOException, InterruptedException {
        if (!HttpMessages.takes(http, HttpMessages.EVENTS)) {
            BodyOutbox outbox = new BodyOutbox();
            session.codec().receive(message, outbox);
            HttpMessages.reply(http, 200, outbox.await());
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
        http.getResponseHeaders().set("Content-Type", HttpMessages.EVENTS);
        http.getResponseHeaders().set("Cache-Control", "no-cache");
        http.sendResponseHeaders(200, 0);
        http.getResponseBody().flush();
        return stream.attach(http.getResponseBody(), from);
    }

    private void stream(HttpExchange http) throws IOException, InterruptedException {
        if (!HttpMessages.takes(http, HttpMessages.EVENTS)) {
            HttpMessages.refuse(http, 406, "a GET gets " + HttpMessages.EVENTS + " or nothing");
            return;
        }
        withSession(http, session -> {
            Optional<String> last = HttpMessages.header(http, "Last-Event-ID");
            SseStream stream = last.flatMap(session::streamOf).orElse(session.general());
            stream.awaitEnd(carry(http, stream, last.map(LegacyHttp::next).orElse(Integer.MAX_VALUE)));
        });
    }

    /// The number of the event after this one.
    private static int next(String eventId) {
        String number = eventId.replaceFirst(".*-", "");
        return number.matches("\\d{1,9}") ? Integer.parseInt(number) + 1 : 0;
    }

    private void delete(HttpExchange http) throws IOException, InterruptedException {
        withSession(http, session -> {
            HttpMessages.header(http, SESSION).ifPresent(sessions::remove);
            session.close();
            http.sendResponseHeaders(200, -1);
        });
    }

    private interface Action {
        void run(LegacyHttpSession session) throws IOException, InterruptedException;
    }

    /// 400 without a session, 404 with an unknown one (2025-11-25, transports, session management).
    private void withSession(HttpExchange http, Action action) throws IOException, InterruptedException {
        Optional<String> id = HttpMessages.header(http, SESSION);
        Optional<LegacyHttpSession> session = id.map(sessions::get);
        if (id.isEmpty()) {
            HttpMessages.refuse(http, 400, "the header " + SESSION + " is missing; begin with initialize");
        } else if (session.isEmpty()) {
            HttpMessages.refuse(http, 404, "there is no such session; begin anew with initialize");
        } else {
            action.run(session.get());
        }
    }

    @Override
    public void close() {
        sessions.values().forEach(LegacyHttpSession::close);
        sessions.clear();
    }
}
