package dev.fusebox.gateway.era;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.Splice;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What a client of the session era said about itself in its handshake, put into each of its requests.
/// Thread-safe; nothing blocks.
public final class RequestMetadata {
    private final String capabilities;
    private final String info;
    private volatile @Nullable String logLevel;

    /// @param handshake the parameters of `initialize`
    RequestMetadata(@Nullable JsonView handshake) {
        this.capabilities = json(handshake, "capabilities", "{}");
        this.info = json(handshake, "clientInfo", "{\"name\":\"unknown\",\"version\":\"0\"}");
    }

    /// For requests that the gateway makes for itself: it can be asked nothing.
    public static RequestMetadata ofGateway() {
        return new RequestMetadata(JsonView.of("{\"clientInfo\":{\"name\":\"fusebox\",\"version\":\"0.1\"}}"));
    }

    private static String json(@Nullable JsonView object, String name, String otherwise) {
        JsonView member = object == null ? null : object.member(name);
        return member == null || !member.isObject() ? otherwise : member.json();
    }

    /// What the client can be asked.
    JsonView capabilities() {
        return JsonView.of(capabilities);
    }

    /// From now on the client wants log lines from this level on.
    void hearFrom(String level) {
        logLevel = level;
    }

    /// From which level on the client wants log lines; null if it has not said so.
    @Nullable
    String logLevel() {
        return logLevel;
    }

    /// The request with everything that the stateless era wants to know.
    public Message.Request on(Message.Request request) {
        return with(request, Map.of());
    }

    /// The same for another round.
    ///
    /// @param responses what the client answered, by key, as JSON
    /// @param state what the server wants back, as JSON; null if it wants nothing
    Message.Request on(Message.Request request, String responses, @Nullable String state) {
        return with(
                request,
                state == null
                        ? Map.of("inputResponses", responses)
                        : Map.of("inputResponses", responses, "requestState", state));
    }

    /// Of each name there is one in the end, and it is ours.
    private Message.Request with(Message.Request request, Map<String, String> more) {
        JsonView params = request.params();
        JsonView meta = params == null ? null : params.member("_meta");
        Map<String, String> members = new HashMap<>(more);
        members.put("_meta", "{" + members() + (meta == null ? "" : others(meta)) + "}");
        Splice splice = Splice.of(request.frame());
        if (params == null) {
            splice.insert(request.frame(), "\"params\":{" + joined(members) + "}");
        } else {
            members.entrySet()
                    .removeIf(member -> isReplaced(splice, params.member(member.getKey()), member.getValue()));
            if (!members.isEmpty()) {
                splice.insert(params, joined(members));
            }
        }
        return Message.Request.of(splice.bytes());
    }

    private static boolean isReplaced(Splice splice, @Nullable JsonView before, String json) {
        splice.replace(before, json);
        return before != null;
    }

    private static String joined(Map<String, String> members) {
        return members.entrySet().stream()
                .map(member -> "\"" + member.getKey() + "\":" + member.getValue())
                .collect(Collectors.joining(","));
    }

    /// What the client says beside that. It is of the session era, and what it might say of this one does not
    /// count.
    private static String others(JsonView meta) {
        StringBuilder others = new StringBuilder();
        meta.forEachMember((name, value) -> {
            if (ClientMetadata.KEYS.stream().noneMatch(name::equalsIgnoreCase)) {
                others.append(',').append(JsonWriter.quoted(name)).append(':').append(value.json());
            }
        });
        return others.toString();
    }

    private String members() {
        String level = logLevel;
        return "\"" + ClientMetadata.VERSION + "\":\"" + RequestRefusal.REVISION + "\",\"" + ClientMetadata.CAPABILITIES
                + "\":"
                + capabilities
                + ",\"" + ClientMetadata.INFO + "\":" + info
                + (level == null ? "" : ",\"" + ClientMetadata.LOG_LEVEL + "\":" + JsonWriter.quoted(level));
    }
}
