package dev.fusebox.gateway.era;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.Splice;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Takes the fields of the stateless era (revision 2026-07-28) out of messages for peers of the session era. All
/// else stays byte for byte. Pure functions, thread-safe; nothing blocks.
final class ModernFields {
    private static final String META = "_meta";

    /// Beside the kind of a result: how long it may be kept (section "Caching").
    private static final Set<String> OF_RESULT = Set.of("resultType", "ttlMs", "cacheScope");

    private static final Set<String> OF_SERVER = Set.of(ClientMetadata.SERVER_INFO, ClientMetadata.SUBSCRIPTION_ID);

    private ModernFields() {}

    /// The answer for a client of the session era.
    static Message.Answer outOf(Message.Answer answer) {
        JsonView result = answer.result();
        boolean isStateless = result != null && result.member("resultType") != null;
        byte[] frame =
                result == null ? null : without(answer.frame(), result, isStateless ? OF_RESULT : Set.of(), OF_SERVER);
        if (frame == null) {
            return answer;
        }
        Message.Answer cleaned = Message.Answer.of(frame);
        return answer.isOurs() ? cleaned.asOurs() : cleaned;
    }

    /// The notification for a client of the session era.
    static Message.Notification outOf(Message.Notification notification) {
        JsonView params = notification.params();
        byte[] frame = params == null ? null : without(notification.frame(), params, Set.of(), OF_SERVER);
        return frame == null ? notification : Message.Notification.of(frame);
    }

    /// The request for a server of the session era.
    static Message.Request outOf(Message.Request request) {
        JsonView params = request.params();
        byte[] frame = params == null ? null : without(request.frame(), params, Set.of(), ClientMetadata.KEYS);
        return frame == null ? request : Message.Request.of(frame);
    }

    /// The frame without these members of an object in it and of its `_meta`, and without a `_meta` that has no
    /// other; null if there are none of them.
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
