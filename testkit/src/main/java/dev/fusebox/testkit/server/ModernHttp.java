package dev.fusebox.testkit.server;

import com.sun.net.httpserver.HttpExchange;
import dev.fusebox.protocol.Message;
import java.io.IOException;

/// The stateless era over HTTP: a POST for each request, and nothing else. Thread-safe; a request has a thread of
/// its own and blocks it as long as its answer takes.
final class ModernHttp {
    private final Fixture fixture;
    private final HeaderCheck headers;

    ModernHttp(Fixture fixture) {
        this.fixture = fixture;
        this.headers = new HeaderCheck(fixture);
    }

    void refuseMethod(HttpExchange http) throws IOException {
        http.getResponseHeaders().set("Allow", "POST");
        HttpMessages.refuse(http, 405, ModernCodec.REVISION + " knows POST only");
    }

    void post(HttpExchange http, Message message) throws IOException, InterruptedException {
        switch (message) {
            case Message.Request request -> answer(http, request);
            case Message.Notification notification -> http.sendResponseHeaders(202, -1);
            case Message.Answer answer -> HttpMessages.refuse(http, 400, "nothing was asked in this revision");
            case Message.Batch batch -> HttpMessages.refuse(http, 400, "no batches in this revision");
            case Message.Malformed malformed -> HttpMessages.refuse(http, 400, malformed.reason());
        }
    }

    private void answer(HttpExchange http, Message.Request request) throws InterruptedException {
        HttpOutbox outbox = new HttpOutbox(http, fixture.platform());
        try (ModernCodec codec = new ModernCodec(fixture)) {
            headers.check(http.getRequestHeaders(), request);
            codec.receive(request, outbox);
            // Whoever closes the stream cancels the request (2026-07-28, Streamable HTTP, cancellation).
            outbox.awaitEnd();
        } catch (RpcError fault) {
            ModernCodec.refuse(request, fault, outbox);
        }
    }
}
