package dev.fusebox.client;

import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What a client has told its server about itself, to be told again to a server that took the first one's place:
/// the handshake, the level of the log, and the resources it wants to hear about. Thread-safe; nothing blocks.
final class Handshake {
    /// More than that no client watches; later ones are not told again.
    private static final int MOST_WATCHED = 1_000;

    /// Those of the session era; of what comes later nobody knows what it changes.
    private static final List<String> REVISIONS = List.of("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25");

    /// A date, and what drafts put before it.
    private static final int LONGEST_DATE = 20;

    private @Nullable JsonView handshake;
    private @Nullable String revision;
    private @Nullable JsonView logLevel;
    private final Map<String, JsonView> watched = new LinkedHashMap<>();

    /// The handshake is known before the first connection.
    synchronized void begin(JsonView initializeParams) {
        handshake = initializeParams;
    }

    /// Notes the client's handshake and the revision that it led to.
    synchronized void agreed(@Nullable JsonView initializeParams, @Nullable String version) {
        handshake = initializeParams;
        revision = version;
    }

    /// Why a server that answers the handshake like this cannot be spoken with; null if it can.
    synchronized @Nullable String objection(JsonView welcome) {
        String version = welcome.string("protocolVersion");
        boolean isAgreed = revision == null
                ? REVISIONS.contains(Objects.requireNonNullElse(version, ""))
                : revision.equals(version);
        if (isAgreed) {
            return null;
        }
        String found = version == null ? "without a protocol revision" : "with protocol revision " + shown(version);
        String known =
                revision == null ? "supported are " + String.join(", ", REVISIONS) : "the session uses " + revision;
        return "the server answered initialize " + found + "; " + known;
    }

    private static String shown(String version) {
        return JsonWriter.quoted(
                version.length() <= LONGEST_DATE ? version : version.substring(0, LONGEST_DATE) + "...");
    }

    /// Notes a request that the server answered with a result.
    synchronized void answered(Message.Request request) {
        JsonView params = request.params();
        if (params == null) {
            return;
        }
        switch (request.method()) {
            case "logging/setLevel" -> logLevel = params;
            case "resources/subscribe" -> watch(params);
            case "resources/unsubscribe" -> watched.remove(uri(params));
            default -> {}
        }
    }

    private void watch(JsonView params) {
        if (watched.size() < MOST_WATCHED) {
            watched.put(uri(params), params);
        }
    }

    private static String uri(JsonView params) {
        return String.valueOf(params.string("uri"));
    }

    /// The handshake; null if there has been none, and the next one is the client's own.
    synchronized Message.@Nullable Request handshake() {
        return handshake == null ? null : request("handshake", "initialize", handshake);
    }

    /// What follows the handshake, in the client's order.
    synchronized List<Message.Request> rest() {
        List<Message.Request> rest = new ArrayList<>();
        if (logLevel != null) {
            rest.add(request("level", "logging/setLevel", logLevel));
        }
        watched.values().forEach(params -> rest.add(request("watch", "resources/subscribe", params)));
        return rest;
    }

    private static Message.Request request(String id, String method, JsonView params) {
        return Message.Request.of(
                JsonRpcFrames.onOneLine(JsonRpcFrames.request(RequestId.of(id), method, params.json())));
    }
}
