package dev.fusebox.gateway.era;

import dev.fusebox.client.Call;
import dev.fusebox.client.ClientMetadata;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.Splice;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The conversion of fields that only the modern era (revision 2026-07-28) has: removes them from messages for
/// legacy clients and servers, and adds the metadata of a legacy client to its requests for modern servers. All
/// other bytes stay. Pure functions, thread-safe; nothing blocks.
final class ModernFields {
    private static final String META = "_meta";

    /// The fields of a result on its type and its cache time (section "Caching").
    private static final Set<String> OF_RESULT = Set.of("resultType", "ttlMs", "cacheScope");

    private static final Set<String> OF_SERVER = Set.of(ClientMetadata.SERVER_INFO, ClientMetadata.SUBSCRIPTION_ID);

    /// What the gateway announces when it reads a list: apps, because it lists for clients that render them, and what
    /// others must not see is hidden from them.
    private static final String OF_READER =
            "{\"extensions\":{\"io.modelcontextprotocol/ui\":{\"mimeTypes\":[\"text/html;profile=mcp-app\"]}}}";

    private ModernFields() {}

    // ---- Into a request

    /// The call with the metadata that a modern server requires. A modern client has sent it itself.
    static Call into(Call call) {
        return call.client().isLegacy() || call.client().isOfGateway() ? withMetadata(call) : call;
    }

    private static Call withMetadata(Call call) {
        JsonView params = call.request().params();
        JsonView meta = params == null ? null : params.member(META);
        String members = members(call.client(), call.request().method());
        if (params == null) {
            String json = "\"params\":{\"_meta\":{" + members + "}}";
            return call.edited(Splice.Edit.insert(call.request().frame(), json));
        }
        if (meta == null) {
            return call.edited(Splice.Edit.insert(params, "\"_meta\":{" + members + "}"));
        }
        if (!meta.isObject()) {
            return call.edited(Splice.Edit.replace(meta, "{" + members + "}"));
        }
        return hasReserved(meta)
                ? withMetadata(withoutReserved(call.settled()))
                : call.edited(Splice.Edit.insert(meta, members));
    }

    private static boolean hasReserved(JsonView meta) {
        AtomicInteger found = new AtomicInteger();
        meta.forEachMember((name, value) -> found.addAndGet(isReserved(name) ? 1 : 0));
        return found.get() > 0;
    }

    /// Metadata of a legacy client comes from its handshake; what its requests claim under these names is
    /// dropped.
    private static Call withoutReserved(Call call) {
        Message.Request request = call.request();
        JsonView meta = request.frame().path("params", META);
        byte[] frame = Splice.of(request.frame())
                .remove(meta == null ? request.frame() : meta, ModernFields::isReserved)
                .bytes();
        return call.with(Message.Request.of(frame));
    }

    private static boolean isReserved(String name) {
        return ClientMetadata.KEYS.stream().anyMatch(name::equalsIgnoreCase);
    }

    private static String members(ClientMetadata client, String method) {
        JsonView info = client.info();
        String level = client.logLevel();
        boolean isReader = client.isOfGateway() && method.endsWith("/list");
        return "\"" + ClientMetadata.VERSION + "\":\"" + RequestRefusal.REVISION + "\",\"" + ClientMetadata.CAPABILITIES
                + "\":" + (isReader ? OF_READER : client.capabilities().json())
                + (info == null ? "" : ",\"" + ClientMetadata.INFO + "\":" + info.json())
                + (level == null ? "" : ",\"" + ClientMetadata.LOG_LEVEL + "\":" + JsonWriter.quoted(level));
    }

    // ---- Out of messages

    /// The answer for a legacy client.
    static Message.Answer outOf(Message.Answer answer) {
        JsonView result = answer.result();
        boolean isStateless = result != null && result.member("resultType") != null;
        byte[] frame =
                result == null ? null : without(answer.frame(), result, isStateless ? OF_RESULT : Set.of(), OF_SERVER);
        if (frame == null) {
            return answer;
        }
        return answer.withFrame(frame);
    }

    /// The notification for a legacy client.
    static Message.Notification outOf(Message.Notification notification) {
        JsonView params = notification.params();
        byte[] frame = params == null ? null : without(notification.frame(), params, Set.of(), OF_SERVER);
        return frame == null ? notification : Message.Notification.of(frame);
    }

    /// The request for a legacy server.
    static Message.Request outOf(Message.Request request) {
        JsonView params = request.params();
        byte[] frame = params == null ? null : without(request.frame(), params, Set.of(), ClientMetadata.KEYS);
        return frame == null ? request : Message.Request.of(frame);
    }

    /// The frame without these members of one of its objects and of that object's `_meta`, and without a
    /// `_meta` that becomes empty; null if there are none of them.
    private static byte @Nullable [] without(
            JsonView frame, JsonView object, Set<String> names, Collection<String> inMeta) {
        JsonView meta = object.member(META);
        AtomicInteger found = new AtomicInteger();
        AtomicInteger left = new AtomicInteger();
        if (meta != null) {
            meta.forEachMember((name, value) -> (inMeta.contains(name) ? found : left).incrementAndGet());
        }
        boolean isEmptied = found.get() > 0 && left.get() == 0;
        if (names.isEmpty() && found.get() == 0) {
            return null;
        }
        Set<String> removed = new HashSet<>(names);
        if (isEmptied) {
            removed.add(META);
        }
        Splice splice = Splice.of(frame).remove(object, removed::contains);
        if (meta != null && !isEmptied) {
            splice.remove(meta, inMeta::contains);
        }
        return splice.bytes();
    }
}
