package dev.fusebox.oauth;

import dev.fusebox.client.ErrorId;
import dev.fusebox.fixtures.oauth.FaultPoint;
import dev.fusebox.fixtures.oauth.OAuthFaultKind;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One row of a table of hostile answers. Immutable.
///
/// @param arrange makes the answer hostile
/// @param id of the refusal; null for an answer that does no harm, so that the login succeeds
/// @param fragment of the message of the refusal
record HostileRow(
        String name,
        Consumer<HostileWorld> arrange,
        @Nullable ErrorId id,
        String fragment) {
    /// An answer that does no harm.
    static HostileRow of(String name, Consumer<HostileWorld> arrange) {
        return new HostileRow(name, arrange, null, "");
    }

    static HostileRow of(String name, FaultPoint at, OAuthFaultKind kind, Object value) {
        return of(name, world -> world.fault(at, kind, value));
    }

    HostileRow refused(ErrorId other, String text) {
        return new HostileRow(name, arrange, other, text);
    }

    /// With limits that pass faster than the real ones.
    HostileRow slow() {
        return new HostileRow(name, arrange.andThen(world -> world.speed = 20), id, fragment);
    }

    @Override
    public String toString() {
        return name;
    }
}
