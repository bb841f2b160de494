package dev.fusebox.gateway.share;

import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.MessagePreview;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.protocol.Splice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a client with a session has told its gateway and expects the next one to know: its handshake, its log
/// level and its subscriptions. Thread-safe; nothing blocks.
final class SessionMemory {
    /// Ids of repeated requests, which no client uses.
    private static final String OURS = "fusebox/again/";

    private byte @Nullable [] initialize;
    private byte @Nullable [] initialized;
    private byte @Nullable [] level;
    private final Map<String, byte[]> subscriptions = new LinkedHashMap<>();

    /// Notes a message of the client.
    synchronized void note(String method, byte[] frame) {
        switch (method) {
            case "initialize" -> initialize = frame;
            case "notifications/initialized" -> initialized = frame;
            case "logging/setLevel" -> level = frame;
            case "resources/subscribe" -> subscriptions.put(uri(frame), frame);
            case "resources/unsubscribe" -> subscriptions.remove(uri(frame));
            default -> {}
        }
    }

    private static String uri(byte[] frame) {
        try {
            JsonView uri = JsonView.parse(frame).path("params", "uri");
            return uri == null ? "" : uri.json();
        } catch (JsonSyntaxError broken) {
            return "";
        }
    }

    /// The handshake under an id of ours; null if the client has none, or waits for its answer.
    ///
    /// @param open the requests without an answer
    synchronized byte @Nullable [] handshake(Set<RequestId> open) {
        RequestId id = initialize == null
                ? null
                : MessagePreview.of(initialize, 0, initialize.length).id();
        return initialize == null || id == null || open.contains(id) ? null : renamed(initialize, "initialize");
    }

    /// What follows the answer to the handshake.
    synchronized List<byte[]> rest() {
        List<byte[]> rest = new ArrayList<>();
        if (initialized != null) {
            rest.add(initialized);
        }
        if (level != null) {
            rest.add(renamed(level, "level"));
        }
        int number = 0;
        for (byte[] subscription : subscriptions.values()) {
            rest.add(renamed(subscription, "subscription" + number++));
        }
        return rest;
    }

    private static byte[] renamed(byte[] frame, String name) {
        try {
            JsonView view = JsonView.parse(frame);
            JsonView id = view.member("id");
            return id == null
                    ? frame
                    : JsonRpcFrames.onOneLine(Splice.of(view)
                            .replace(id, RequestId.of(OURS + name).json())
                            .bytes());
        } catch (JsonSyntaxError broken) {
            return frame;
        }
    }

    /// Whether an answer is for a repeated request, which the client does not know.
    static boolean isOurs(RequestId id) {
        return id.json().startsWith("\"" + OURS);
    }
}
