package dev.fusebox.oauth.token;

import dev.fusebox.client.Principal;
import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The stored form of a token record: a JSON object. Pure functions.
final class TokenRecordJson {
    /// A later format that this program does not know is not misread. Format 1 had one `serverUrl`, and neither
    /// `configured` nor `unknown`.
    private static final long FORMAT = 2;

    private TokenRecordJson() {}

    /// The text is not a record. The message contains nothing of it.
    static final class Damaged extends IOException {
        private static final long serialVersionUID = 1;

        Damaged(String message) {
            super(message);
        }
    }

    // ---- Writing

    static byte[] write(TokenRecord tokenRecord) {
        TokenKey key = tokenRecord.key();
        TokenRecord.Grant grant = tokenRecord.grant();
        JsonWriter json = new JsonWriter().beginObject();
        json.name("format").number(FORMAT);
        json.name("issuer").string(key.issuer());
        json.name("resource").string(key.resource());
        json.name("principal").string(key.principal().id());
        json.name("generation").number(tokenRecord.generation());
        json.name("grant").beginObject();
        json.name("type").string(grant.type().name());
        json.name("at").number(grant.at().toEpochMilli());
        texts(json, "serverUrls", grant.serverUrls());
        json.name("clientId").string(grant.client().id());
        json.name("configured").bool(grant.client().isConfigured());
        texts(json, "requested", grant.requested());
        json.name("subject").string(grant.subject()).endObject();
        tokens(json, tokenRecord.tokens());
        state(json, tokenRecord.state());
        return json.endObject().bytes();
    }

    private static void tokens(JsonWriter json, Tokens tokens) {
        json.name("tokens").beginObject();
        json.name("access").string(tokens.access());
        json.name("refresh").string(tokens.refresh());
        json.name("issuedAt").number(tokens.issuedAt().toEpochMilli());
        if (tokens.expiresAt() != null) {
            json.name("expiresAt").number(tokens.expiresAt().toEpochMilli());
        }
        texts(json, "scopes", tokens.scopes());
        json.endObject();
    }

    private static void texts(JsonWriter json, String name, Set<String> texts) {
        json.name(name).beginArray();
        new TreeSet<>(texts).forEach(json::string);
        json.endArray();
    }

    private static void state(JsonWriter json, TokenState state) {
        json.name("state").beginObject();
        switch (state) {
            case TokenState.Ready _ -> json.name("is").string("ready");
            case TokenState.Refreshing refreshing -> {
                json.name("is").string("refreshing");
                json.name("since").number(refreshing.since().toEpochMilli());
                json.name("process").string(refreshing.process());
                json.name("attempts").number(refreshing.attempts());
                json.name("lost").number(refreshing.lost()).name("unknown").number(refreshing.unknown());
            }
            case TokenState.Waiting waiting -> {
                json.name("is").string("waiting");
                json.name("failure").string(waiting.failure().kind().name());
                json.name("message").string(waiting.failure().message());
                json.name("attempts").number(waiting.attempts());
                json.name("retryAt").number(waiting.retryAt().toEpochMilli());
                json.name("lost").number(waiting.lost()).name("unknown").number(waiting.unknown());
            }
            case TokenState.Rejected rejected -> {
                json.name("is").string("rejected");
                json.name("reason").string(rejected.reason());
                json.name("since").number(rejected.since().toEpochMilli());
            }
        }
        json.endObject();
    }

    // ---- Reading

    /// @throws Damaged if it is not a record
    /// @throws IOException if it is a record of an unknown format
    static TokenRecord read(byte[] content) throws IOException {
        try {
            JsonView json = JsonView.parse(content);
            long format = number(json, "format");
            if (format < 1 || format > FORMAT) {
                throw new IOException("was written by a later version of Fusebox");
            }
            TokenKey key =
                    new TokenKey(text(json, "issuer"), text(json, "resource"), new Principal(text(json, "principal")));
            return new TokenRecord(
                    key,
                    number(json, "generation"),
                    grant(object(json, "grant")),
                    tokens(object(json, "tokens")),
                    state(object(json, "state")));
        } catch (JsonSyntaxError | IllegalArgumentException | DateTimeException damaged) {
            // Without the cause: its message could quote the text.
            throw new Damaged("is damaged");
        }
    }

    private static TokenRecord.Grant grant(JsonView json) throws IOException {
        return new TokenRecord.Grant(
                TokenRecord.GrantType.valueOf(text(json, "type")),
                time(json, "at"),
                json.member("serverUrls") == null ? Set.of(text(json, "serverUrl")) : texts(json, "serverUrls"),
                new TokenRecord.TokenClient(text(json, "clientId"), isTrue(json, "configured")),
                texts(json, "requested"),
                json.string("subject"));
    }

    private static Tokens tokens(JsonView json) throws IOException {
        Instant expiresAt = json.member("expiresAt") == null ? null : time(json, "expiresAt");
        return new Tokens(
                text(json, "access"), json.string("refresh"), time(json, "issuedAt"), expiresAt, texts(json, "scopes"));
    }

    private static TokenState state(JsonView json) throws IOException {
        return switch (text(json, "is")) {
            case "ready" -> new TokenState.Ready();
            case "refreshing" ->
                new TokenState.Refreshing(
                        time(json, "since"),
                        text(json, "process"),
                        count(json, "attempts"),
                        count(json, "lost"),
                        unknown(json));
            case "waiting" ->
                new TokenState.Waiting(
                        new RefreshFailure(RefreshFailure.Kind.valueOf(text(json, "failure")), text(json, "message")),
                        count(json, "attempts"),
                        time(json, "retryAt"),
                        count(json, "lost"),
                        unknown(json));
            case "rejected" -> new TokenState.Rejected(text(json, "reason"), time(json, "since"));
            default -> throw new Damaged("is damaged: unknown state");
        };
    }

    private static boolean isTrue(JsonView json, String name) {
        JsonView member = json.member(name);
        return member != null && member.json().equals("true");
    }

    private static int unknown(JsonView json) throws IOException {
        return json.member("unknown") == null ? 0 : count(json, "unknown");
    }

    private static JsonView object(JsonView json, String name) throws IOException {
        return present(json.member(name), name);
    }

    private static String text(JsonView json, String name) throws IOException {
        return present(json.string(name), name);
    }

    private static <T> T present(@Nullable T value, String name) throws IOException {
        if (value == null) {
            throw new Damaged("is damaged: " + name + " is missing");
        }
        return value;
    }

    private static long number(JsonView json, String name) throws IOException {
        return Long.parseLong(present(json.member(name), name).json());
    }

    private static int count(JsonView json, String name) throws IOException {
        return Math.toIntExact(number(json, name));
    }

    private static Instant time(JsonView json, String name) throws IOException {
        return Instant.ofEpochMilli(number(json, name));
    }

    private static Set<String> texts(JsonView json, String name) throws IOException {
        Set<String> texts = new LinkedHashSet<>();
        for (JsonView element : present(json.member(name), name).elements()) {
            texts.add(present(element.string(), name));
        }
        return texts;
    }
}
