package dev.fusebox.interop;

import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/// A server of the official SDK that requires access tokens, and the authorization server `oidc-provider` that
/// issues them, as one process. Thread-safe. The opener closes it; queries block until it listens.
final class ProtectedServer implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Program program;

    private ProtectedServer(Program program) {
        this.program = program;
    }

    static ProtectedServer start() {
        return start("{}");
    }

    /// @param options JSON with the members that `protected.mjs` describes
    static ProtectedServer start(String options) {
        var command = new ProcessBuilder(Npm.node(), Npm.script("protected.mjs"), options);
        return new ProtectedServer(Program.start("protected server", command, "listening on "));
    }

    /// The address of the MCP server.
    String url() {
        return address("server");
    }

    String issuer() {
        return address("issuer");
    }

    private String address(String name) {
        return Objects.requireNonNull(parse(program.said()).string(name));
    }

    /// What the authorization server did so far, such as `granted refresh_token` or `refused refresh_token
    /// invalid_grant`.
    List<String> observed() {
        return parse(get("/test/observed")).elements().stream()
                .map(ProtectedServer::event)
                .toList();
    }

    private static String event(JsonView event) {
        StringBuilder words = new StringBuilder();
        for (String member : List.of("event", "grant", "error")) {
            String value = event.string(member);
            words.append(value == null ? "" : " " + value);
        }
        return words.toString().strip();
    }

    /// Signs with another key from now on. Access tokens in JWT format that exist are refused.
    void changeKey() {
        get("/test/change-key");
    }

    /// Takes back all grants and opaque tokens.
    void revokeAll() {
        get("/test/revoke-all");
    }

    /// The metadata of the authorization server.
    JsonView metadata() {
        return parse(get("/.well-known/openid-configuration"));
    }

    /// Sends a form to an endpoint that the metadata names, and returns the answer, with whatever status.
    JsonView post(String endpoint, String form) {
        URI url = URI.create(Objects.requireNonNull(metadata().string(endpoint)));
        return parse(send(HttpRequest.newBuilder(url)
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(HttpRequest.BodyPublishers.ofString(form)))
                .body());
    }

    /// The status of an answer of the MCP server to a request with a token. A token that is accepted gets 400,
    /// because the request is part of no session.
    int statusWith(String token) {
        return send(HttpRequest.newBuilder(URI.create(url()))
                        .header("Authorization", "Bearer " + token)
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .POST(HttpRequest.BodyPublishers.ofString(
                                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}")))
                .statusCode();
    }

    private String get(String path) {
        return send(HttpRequest.newBuilder(URI.create(issuer() + path))).body();
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request.timeout(LIMIT).build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while waiting for the protected server", e);
        }
    }

    private static JsonView parse(String json) {
        try {
            return JsonView.parse(json.getBytes(StandardCharsets.UTF_8));
        } catch (JsonSyntaxError e) {
            throw new AssertionError("no JSON: " + json, e);
        }
    }

    @Override
    public void close() {
        program.close();
    }
}
