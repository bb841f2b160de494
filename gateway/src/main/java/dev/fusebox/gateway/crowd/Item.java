package dev.fusebox.gateway.crowd;

import dev.fusebox.protocol.JsonView;
import org.jspecify.annotations.Nullable;

/// One thing that a server lists. Immutable.
///
/// @param own what its server calls it by: a name, or an address
/// @param definition as the server gave it
record Item(String own, JsonView definition) {
    /// Whether the tool says that doing it twice is the same as once, and does not say the opposite elsewhere.
    boolean isRepeatable() {
        JsonView hints = definition.member("annotations");
        if (hints == null) {
            return false;
        }
        boolean reads = isTrue(hints.member("readOnlyHint"));
        boolean destroys = isTrue(hints.member("destructiveHint"));
        return reads ? !destroys : isTrue(hints.member("idempotentHint"));
    }

    private static boolean isTrue(@Nullable JsonView value) {
        return value != null && value.isTrue();
    }
}
