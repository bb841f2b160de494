package dev.fusebox.protocol;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Looks for names that stand twice where a message says what it is about: in its `params` and in their `_meta`. We
/// find the first of two and look at that; many servers take the last, and some take one in other capitals. Pure
/// functions.
final class Exact {
    /// What decides about a call. In other capitals it would pass us by, and some servers take it all the same.
    private static final Set<String> DECIDING = Set.of("name", "arguments", "uri", "ref", "_meta");

    private Exact() {}

    /// The same message, or what is wrong with it.
    static Message of(Message message) {
        return switch (message) {
            case Message.Request(JsonView frame, RequestId id, String method) -> judged(message, frame, id);
            case Message.Notification(JsonView frame, String method) -> judged(message, frame, null);
            case Message.Answer answer -> message;
            case Message.Batch batch -> message;
            case Message.Malformed malformed -> message;
        };
    }

    private static Message judged(Message message, JsonView frame, @Nullable RequestId id) {
        JsonView params = frame.member("params");
        JsonView meta = params == null ? null : params.member("_meta");
        boolean isExact = isExact(params, DECIDING) && isExact(meta, Set.of());
        return isExact
                ? message
                : new Message.Malformed(
                        ErrorCode.INVALID_REQUEST,
                        "a name in \"params\" or its \"_meta\" stands twice, or in capitals that are not its own",
                        id);
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
