package dev.fusebox.gateway.share;

import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.MessagePreview;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.protocol.Splice;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/// What a client with a session has told its gateway and expects the next one to know: its handshake, its log
/// level and its subscriptions; and which servers keep state of it. Also which lists it has seen, as checksums: if
/// the next gateway has others, the client is told. Thread-safe; nothing blocks.
final class SessionMemory {
    /// Ids of repeated requests, which no client uses.
    private static final String OURS = "fusebox/again/";

    /// Separates the method from the number in the id of a repeated request for a list.
    private static final char NUMBER = '#';

    /// The lists, and what tells a client that one has changed.
    private static final Map<String, String> CHANGES = Map.of(
            "tools/list", "notifications/tools/list_changed",
            "prompts/list", "notifications/prompts/list_changed",
            "resources/list", "notifications/resources/list_changed");

    private static final byte[] CURSOR = "\"cursor\"".getBytes(StandardCharsets.UTF_8);
    private static final byte[] NEXT_CURSOR = "\"nextCursor\"".getBytes(StandardCharsets.UTF_8);
    private static final byte[] RESULT = "\"result\"".getBytes(StandardCharsets.UTF_8);

    /// More servers than a configuration has; their names are sent in one line of limited length.
    private static final int MAX_STATEFUL = 100;

    private byte @Nullable [] initialize;
    private byte @Nullable [] initialized;
    private byte @Nullable [] level;
    private final Map<String, byte[]> subscriptions = new LinkedHashMap<>();
    private final Set<String> stateful = new LinkedHashSet<>();
    private @Nullable Long gateway;
    private final Map<String, SeenList> lists = new LinkedHashMap<>();

    /// The number of requests for lists that were repeated, for their ids: two may be in flight at the same time.
    private int repetitions;

    /// A list as the client has seen it, or as it was when the client was last notified of a change.
    ///
    /// @param request with which it asked for the list
    /// @param checksum of the answer, without its id
    private record SeenList(OpenRequest request, long checksum) {}

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

    /// Notes the answer to a request of the client if it is a list. A list in several pages is not noted: no single
    /// page shows whether the list is the same.
    void noteAnswer(OpenRequest request, byte[] buffer, int from, int to) {
        String changed = CHANGES.get(request.method());
        if (changed == null) {
            return;
        }
        boolean isPage = indexOf(CURSOR, request.frame(), 0, request.frame().length) >= 0
                || indexOf(NEXT_CURSOR, buffer, from, to) >= 0;
        SeenList seen = new SeenList(request, checksum(buffer, from, to));
        synchronized (this) {
            if (isPage) {
                lists.remove(request.method());
            } else if (initialized != null) {
                lists.put(request.method(), seen);
            }
        }
    }

    /// The request that shows whether a list differs from what the client has seen, after a notification that it
    /// has changed; empty if the notification concerns no such list.
    synchronized Optional<byte[]> comparing(String notification) {
        return lists.entrySet().stream()
                .filter(list -> notification.equals(CHANGES.get(list.getKey())))
                .map(list -> repeated(list.getKey(), list.getValue()))
                .findFirst();
    }

    private byte[] repeated(String method, SeenList seen) {
        repetitions++;
        return renamed(seen.request().frame(), method + NUMBER + repetitions);
    }

    /// The notification for the client if the answer to a repeated request differs from the list that the client
    /// has seen, or was last notified of.
    Optional<byte[]> changed(RequestId id, byte[] buffer, int from, int to) {
        String ours = id.json().substring(OURS.length() + 1, id.json().length() - 1);
        int end = ours.indexOf(NUMBER);
        String name = end < 0 ? ours : ours.substring(0, end);
        String changed = CHANGES.get(name);
        if (changed == null) {
            return Optional.empty();
        }
        long now = checksum(buffer, from, to);
        synchronized (this) {
            SeenList seen = lists.get(name);
            if (seen == null || seen.checksum() == now) {
                return Optional.empty();
            }
            lists.put(name, new SeenList(seen.request(), now));
        }
        return Optional.of(JsonRpcFrames.notification(changed, null));
    }

    /// Of the result: answers to the same request differ in their ids.
    private static long checksum(byte[] buffer, int from, int to) {
        int result = indexOf(RESULT, buffer, from, to);
        CRC32 checksum = new CRC32();
        checksum.update(buffer, result < 0 ? from : result, to - (result < 0 ? from : result));
        return checksum.getValue();
    }

    private static int indexOf(byte[] text, byte[] buffer, int from, int to) {
        for (int at = from; at <= to - text.length; at++) {
            if (Arrays.equals(buffer, at, at + text.length, text, 0, text.length)) {
                return at;
            }
        }
        return -1;
    }

    private static String uri(byte[] frame) {
        try {
            JsonView uri = JsonView.parse(frame).path("params", "uri");
            return uri == null ? "" : uri.json();
        } catch (JsonSyntaxError broken) {
            return "";
        }
    }

    /// Notes that a server may keep state of the client.
    synchronized void noteState(String server) {
        if (stateful.size() < MAX_STATEFUL) {
            stateful.add(server);
        }
    }

    /// Notes the process id of the gateway to which the client is connected now.
    synchronized void noteGateway(@Nullable Long id) {
        gateway = id;
    }

    /// The gateway to which the client was connected last, with the servers that may keep state of the client. A
    /// server stays among them when its state is lost with a gateway: a result reports that to the client, and the
    /// server may keep state again afterwards.
    synchronized FormerGateway formerGateway() {
        return new FormerGateway(gateway, List.copyOf(stateful));
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
        lists.forEach((method, seen) -> rest.add(repeated(method, seen)));
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
