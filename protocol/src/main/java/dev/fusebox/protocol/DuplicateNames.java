package dev.fusebox.protocol;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// The check for duplicate member names in the parts of a message that identify a call: its `params` and their
/// `_meta`. The gateway uses the first of two; many servers use the last, and some ignore case. Also rejects ids
/// that are too long. Stateless, thread-safe.
final class DuplicateNames {
    /// The members that decide about a call. The gateway would not see them with other capitals, but some servers
    /// do.
    private static final Set<String> DECIDING = Set.of("name", "arguments", "uri", "ref", "_meta");

    /// For ids and progress tokens, which are kept as long as a call lasts and are repeated in every message about
    /// it.
    private static final int LONGEST_ID = 1_024;

    private DuplicateNames() {}

    /// The same message, or a malformed one with the reason.
    static Message of(Message message) {
        if (message instanceof Message.Request request) {
            return checked(message, request.frame(), request.id());
        }
        return message instanceof Message.Notification notification
                ? checked(message, notification.frame(), null)
                : message;
    }

    private static Message checked(Message message, JsonView frame, @Nullable RequestId id) {
        JsonView params = frame.member("params");
        JsonView meta = params == null ? null : params.member("_meta");
        String tooLong = tooLong(frame.member("id"), meta == null ? null : meta.member("progressToken"));
        if (tooLong != null) {
            return new Message.Malformed(JsonRpcErrorCode.INVALID_REQUEST, tooLong, id);
        }
        boolean isExact = isExact(params, DECIDING) && isExact(meta, Set.of());
        return isExact
                ? message
                : new Message.Malformed(
                        JsonRpcErrorCode.INVALID_REQUEST,
                        "\"params\" or its \"_meta\" contains a duplicate name, or a known name with wrong capitals",
                        id);
    }

    private static @Nullable String tooLong(@Nullable JsonView id, @Nullable JsonView progressToken) {
        boolean isId = id != null && id.length() > LONGEST_ID;
        boolean isToken = progressToken != null && progressToken.length() > LONGEST_ID;
        return isId || isToken
                ? (isId ? "\"id\"" : "\"progressToken\"") + " is longer than " + LONGEST_ID
                        + " bytes; send a shorter one"
                : null;
    }

    private static boolean isExact(@Nullable JsonView object, Set<String> deciding) {
        Set<String> names = new HashSet<>();
        AtomicBoolean isExact = new AtomicBoolean(true);
        if (object != null) {
            object.forEachMember((name, value) -> {
                String small = name.toLowerCase(Locale.ROOT);
                boolean isDisguised = !name.equals(small) && deciding.contains(small);
                if (isDisguised || !names.add(small)) {
                    isExact.setPlain(false);
                }
            });
        }
        return isExact.getPlain();
    }
}
