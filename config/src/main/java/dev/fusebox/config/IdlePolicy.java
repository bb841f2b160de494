package dev.fusebox.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How long an idle connection stays open. Immutable.
public sealed interface IdlePolicy {
    /// How long a connection that belongs to one session is kept while the session does not use it: as long as an
    /// idle session over HTTP.
    Duration OF_SESSION = Duration.ofMinutes(30);

    /// As long as the rules of the pool say.
    ///
    /// @param ofSession how long a connection that belongs to one client session stays
    record Usual(Duration ofSession) implements IdlePolicy {}

    /// Never closed under pressure.
    ///
    /// @param idle it ends after so long all the same; null for never
    /// @param eager whether it is opened when the gateway starts
    record KeepAlive(@Nullable Duration idle, boolean eager) implements IdlePolicy {}

    /// Closed as soon as it has been idle for so long.
    record Ephemeral(Duration linger) implements IdlePolicy {}

    /// As long as the rules of the pool say.
    static IdlePolicy usual() {
        return new Usual(OF_SESSION);
    }

    /// How long that is; null if there is no end to it.
    ///
    /// @param usual what the pool says
    default @Nullable Duration limit(Duration usual) {
        if (this instanceof KeepAlive keep) {
            return keep.idle();
        }
        return this instanceof Ephemeral brief ? brief.linger() : usual;
    }

    /// The same for a connection that belongs to one client session.
    ///
    /// @param usual what the pool says
    default @Nullable Duration limitOfSession(Duration usual) {
        return this instanceof Usual(Duration ofSession) ? ofSession : limit(usual);
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
