package dev.fusebox.gateway.admin;

import dev.fusebox.http.HttpHeaders;
import dev.fusebox.http.HttpReply;
import dev.fusebox.protocol.HiddenCharacters;
import dev.fusebox.protocol.JsonWriter;
import java.nio.charset.StandardCharsets;

/// The responses of the API. Pure functions except for the replies, which block no longer than
/// [HttpReply#respond].
final class JsonReplies {
    private static final HttpHeaders JSON = of("application/json");
    private static final HttpHeaders NO_STORE = of("text/plain; charset=utf-8");

    private JsonReplies() {}

    /// Responses must not be cached, and their content type must not be guessed.
    static HttpHeaders of(String type) {
        return HttpHeaders.of("Content-Type", type, "Cache-Control", "no-store", "X-Content-Type-Options", "nosniff");
    }

    static void json(HttpReply reply, int status, JsonWriter body) {
        json(reply, status, body.toString());
    }

    static void json(HttpReply reply, String body) {
        json(reply, 200, body);
    }

    /// The body contains text of servers, so hidden characters are escaped.
    private static void json(HttpReply reply, int status, String body) {
        reply.respond(status, JSON, HiddenCharacters.json(body).getBytes(StandardCharsets.UTF_8));
    }

    static void text(HttpReply reply, int status, String body) {
        reply.respond(status, NO_STORE, body.getBytes(StandardCharsets.UTF_8));
    }

    static void problem(HttpReply reply, int status, String code, String message) {
        problem(reply, status, JSON, problem(code, message));
    }

    private static void problem(HttpReply reply, int status, HttpHeaders headers, JsonWriter body) {
        reply.respond(status, headers, body.bytes());
    }

    private static JsonWriter problem(String code, String message) {
        JsonWriter body = new JsonWriter().beginObject().name("error").beginObject();
        return body.name("code")
                .string(code)
                .name("message")
                .string(message)
                .endObject()
                .endObject();
    }

    static void unauthorized(HttpReply reply, String message) {
        problem(reply, 401, JSON.with("WWW-Authenticate", "Bearer"), problem("unauthorized", message));
    }

    static void wrongMethod(HttpReply reply, String allowed) {
        JsonWriter body = problem("method_not_allowed", "use " + allowed);
        problem(reply, 405, JSON.with("Allow", allowed), body);
    }
}
