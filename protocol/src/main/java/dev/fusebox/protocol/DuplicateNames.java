package dev.fusebox.protocol;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Looks for names that stand twice where a message says what it is about: in its `params` and in their `_meta`.
/// We find the first of two and look at that; many servers take the last, and some take one in other capitals. And
/// for ids that are longer than needed. Pure functions.
final class DuplicateNames {
    /// What decides about a call. In other capitals it would pass us by, and some servers take it all the same.
    private static final Set<String> DECIDING = Set.of("name", "arguments", "uri", "ref", "_meta");

    /// Of an id or a progress token, which are kept for as long as a call lasts, and go back with all that it
    /// says.
    private static final int LONGEST_ID = 1_024;

    private DuplicateNames() {}

    /// The same message, or what is wrong with it.
    static Message of(Message message) {
        if (message instanceof Message.Request request) {
            return judged(message, request.frame(), request.id());
        }
        return message instanceof Message.Notification notification
                ? judged(message, notification.frame(), null)
                : message;
    }

    private static Message judged(Message message, JsonView frame, @Nullable RequestId id) {
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
                        "a name in \"params\" or its \"_meta\" stands twice, or in capitals that are not its own",
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
