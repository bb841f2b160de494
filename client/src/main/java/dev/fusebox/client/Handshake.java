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

/// Replayable state of a client at its server: the `initialize` request, the log level, and the resource
/// subscriptions. It is sent again to a server process that replaces an earlier one. Thread-safe; nothing blocks.
final class Handshake {
    /// More subscriptions than any client makes; later ones are not replayed.
    private static final int MAX_SUBSCRIPTIONS = 1_000;

    /// The revisions with sessions; it is unknown what later ones change.
    private static final List<String> SUPPORTED_REVISIONS =
            List.of("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25");

    /// A date, with the prefix of a draft.
    private static final int MAX_REVISION_LENGTH = 20;

    private @Nullable JsonView handshake;
    private @Nullable String revision;
    private @Nullable JsonView logLevel;
    private final Map<String, JsonView> subscriptions = new LinkedHashMap<>();

    /// Sets the `initialize` parameters before the first connection.
    synchronized void begin(JsonView initializeParams) {
        handshake = initializeParams;
    }

    /// Records the client's `initialize` parameters and the negotiated revision.
    synchronized void initialized(@Nullable JsonView initializeParams, @Nullable String version) {
        handshake = initializeParams;
        revision = version;
    }

    /// Why a server with this response to `initialize` cannot be used; null if it can.
    synchronized @Nullable String problem(JsonView initializeResult) {
        String version = initializeResult.string("protocolVersion");
        boolean isAgreed = revision == null
                ? SUPPORTED_REVISIONS.contains(Objects.requireNonNullElse(version, ""))
                : revision.equals(version);
        if (isAgreed) {
            return null;
        }
        String found = version == null ? "without a protocol revision" : "with protocol revision " + shown(version);
        String expected = revision == null
                ? "supported are " + String.join(", ", SUPPORTED_REVISIONS)
                : "the session uses " + revision;
        return "the server answered initialize " + found + "; " + expected;
    }

    private static String shown(String version) {
        return JsonWriter.quoted(
                version.length() <= MAX_REVISION_LENGTH ? version : version.substring(0, MAX_REVISION_LENGTH) + "...");
    }

    /// Records a request that the server answered with a result.
    synchronized void answered(Message.Request request) {
        JsonView params = request.params();
        if (params == null) {
            return;
        }
        switch (request.method()) {
            case "logging/setLevel" -> logLevel = params;
            case "resources/subscribe" -> subscribe(params);
            case "resources/unsubscribe" -> subscriptions.remove(uri(params));
            default -> {}
        }
    }

    private void subscribe(JsonView params) {
        if (subscriptions.size() < MAX_SUBSCRIPTIONS) {
            subscriptions.put(uri(params), params);
        }
    }

    private static String uri(JsonView params) {
        return String.valueOf(params.string("uri"));
    }

    /// The `initialize` request; null if there has been none yet, so that the next one is the client's own.
    synchronized Message.@Nullable Request handshake() {
        return handshake == null ? null : request("handshake", "initialize", handshake);
    }

    /// The requests that follow `initialize`, in the client's order.
    synchronized List<Message.Request> rest() {
        List<Message.Request> rest = new ArrayList<>();
        if (logLevel != null) {
            rest.add(request("level", "logging/setLevel", logLevel));
        }
        subscriptions.values().forEach(params -> rest.add(request("watch", "resources/subscribe", params)));
        return rest;
    }

    private static Message.Request request(String id, String method, JsonView params) {
        return Message.Request.of(
                JsonRpcFrames.onOneLine(JsonRpcFrames.request(RequestId.of(id), method, params.json())));
    }
}
