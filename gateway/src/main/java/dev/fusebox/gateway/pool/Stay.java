package dev.fusebox.gateway.pool;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How long a connection stays although nobody uses it. Immutable.
public sealed interface Stay {
    /// As long as the rules of the pool say.
    record Usual() implements Stay {}

    /// Whatever others need: it makes room for nobody.
    ///
    /// @param idle it ends after so long all the same; null for never
    /// @param eager whether it is opened when the gateway starts
    record KeepAlive(@Nullable Duration idle, boolean eager) implements Stay {}

    /// It ends as soon as nobody has used it for so long.
    record Ephemeral(Duration linger) implements Stay {}

    /// As long as the rules of the pool say.
    static Stay usual() {
        return new Usual();
    }

    /// How long that is; null if there is no end to it.
    ///
    /// @param usual what the pool says
    default @Nullable Duration limit(Duration usual) {
        return switch (this) {
            case Usual usually -> usual;
            case KeepAlive keep -> keep.idle();
            case Ephemeral brief -> brief.linger();
        };
    }

    /// Whether it makes room for others.
    default boolean givesWay() {
        return !(this instanceof KeepAlive);
    }

    /// Whether it ends even if the pool were to keep some.
    default boolean isBrief() {
        return this instanceof Ephemeral;
    }
}
