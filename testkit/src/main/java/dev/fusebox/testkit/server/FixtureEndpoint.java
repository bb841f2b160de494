package dev.fusebox.testkit.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.io.IOException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The one endpoint of a server over HTTP: lets in who may come in, and finds out which era a request is written
/// in. Thread-safe; each request has a thread of its own and blocks it as long as its answer takes.
final class FixtureEndpoint implements HttpHandler, AutoCloseable {
    /// Against pages whose own name resolves to this machine (2025-11-25, transports, security warning).
    private static final Pattern LOCAL =
            Pattern.compile("(https?://)?(localhost|127\\.0\\.0\\.1|\\[::1])(:\\d+)?", Pattern.CASE_INSENSITIVE);

    private final Fixture fixture;
    private final LegacyHttp legacy;
    private final ModernHttp modern;

    FixtureEndpoint(Fixture fixture) {
        this.fixture = fixture;
        this.legacy = new LegacyHttp(fixture);
        this.modern = new ModernHttp(fixture);
    }

    int sessions() {
        return legacy.sessions();
    }

    @Override
    public void handle(HttpExchange http) throws IOException {
        try (http) {
            byte[] body = http.getRequestBody().readAllBytes();
            if (isLocal(http)) {
                route(http, body);
            } else {
                HttpMessages.refuse(http, 403, "this Host or Origin is not let in");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isLocal(HttpExchange http) {
        return HttpMessages.header(http, "Host").map(FixtureEndpoint::isLocal).orElse(false)
                && HttpMessages.header(http, "Origin")
                        .map(FixtureEndpoint::isLocal)
                        .orElse(true);
    }

    private static boolean isLocal(String address) {
        return LOCAL.matcher(address).matches();
    }

    private void route(HttpExchange http, byte[] body) throws IOException, InterruptedException {
        if (!http.getRequestMethod().equals("POST")) {
            if (speaksModern(http, null)) {
                modern.refuseMethod(http);
            } else {
                legacy.handle(http);
            }
            return;
        }
        Message message = Message.read(body, 0, body.length);
        if (message instanceof Message.Malformed malformed) {
            HttpMessages.reply(
                    http, 400, JsonRpcFrames.error(malformed.id(), malformed.code(), malformed.reason(), null));
        } else if (speaksModern(http, message)) {
            modern.post(http, message);
        } else {
            legacy.post(http, message);
        }
    }

    /// Either the header or the body says so; whether they agree is looked at later.
    private boolean speaksModern(HttpExchange http, @Nullable Message message) {
        return switch (fixture.era()) {
            case LEGACY -> false;
            case MODERN -> true;
            case BOTH ->
                HttpMessages.header(http, HttpMessages.REVISION)
                                .map(ModernCodec.REVISION::equals)
                                .orElse(false)
                        || RequestMeta.isIn(params(message));
        };
    }

    private static @Nullable JsonView params(@Nullable Message message) {
        return message instanceof Message.Request request ? request.params() : null;
    }

    @Override
    public void close() {
        fixture.endWatching();
        legacy.close();
    }
}
