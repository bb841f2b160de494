package dev.fusebox.gateway.era;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ClientSession;
import dev.fusebox.client.Principal;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.Splice;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The client metadata of a legacy client, from its handshake. Thread-safe; nothing blocks.
final class RequestMetadata {
    private static final JsonView NO_CAPABILITIES = JsonView.of("{}");
    private static final JsonView NO_NAME = JsonView.of("{\"name\":\"unknown\",\"version\":\"0\"}");

    private final JsonView capabilities;
    private final JsonView info;
    private final @Nullable ClientSession session;
    private volatile ClientMetadata client;

    /// @param handshake the parameters of `initialize`
    /// @param session of the client; null if calls of the client need not be distinguished
    RequestMetadata(@Nullable JsonView handshake, @Nullable ClientSession session) {
        this.capabilities = object(handshake, "capabilities", NO_CAPABILITIES);
        this.info = object(handshake, "clientInfo", NO_NAME);
        this.session = session;
        this.client = client(null);
    }

    private static JsonView object(@Nullable JsonView params, String name, JsonView otherwise) {
        JsonView member = params == null ? null : params.member(name);
        // A copy: the handshake is not kept.
        return member == null || !member.isObject() ? otherwise : JsonView.of(member.json());
    }

    private ClientMetadata client(@Nullable String logLevel) {
        Principal principal = session == null ? Principal.OWNER : session.principal();
        return new ClientMetadata(
                RequestRefusal.REVISION, capabilities, info, logLevel, true, session, false, principal);
    }

    /// The metadata for calls that begin now.
    ClientMetadata client() {
        return client;
    }

    /// Sets the lowest level of log messages that the client wants.
    void setLogLevel(String level) {
        client = client(level);
    }

    /// The request for another round of questions.
    ///
    /// @param responses of the client, by key, as JSON
    /// @param state for the server, as JSON; null if the server gave none
    static Message.Request answering(Message.Request request, String responses, @Nullable String state) {
        Map<String, String> members = new LinkedHashMap<>();
        members.put("inputResponses", responses);
        if (state != null) {
            members.put("requestState", state);
        }
        JsonView params = request.params();
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
}
