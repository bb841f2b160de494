package dev.fusebox.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How long an idle connection stays open. Immutable.
public sealed interface IdlePolicy {
    /// How long a connection that belongs to one session is kept while the session does not use it: as long as an
    /// idle session over HTTP.
    Duration OF_SESSION = Duration.ofMinutes(30);

    /// According to the rules of the pool.
    ///
    /// @param ofSession how long a connection that belongs to one client session stays
    record Usual(Duration ofSession) implements IdlePolicy {}

    /// Never closed under pressure.
    ///
    /// @param idle the idle time after which it is closed nevertheless; null for never
    /// @param eager whether it is opened when the gateway starts
    record KeepAlive(@Nullable Duration idle, boolean eager) implements IdlePolicy {}

    /// Closed after this idle time.
    record Ephemeral(Duration linger) implements IdlePolicy {}

    /// According to the rules of the pool.
    static IdlePolicy usual() {
        return new Usual(OF_SESSION);
    }

    /// The idle time; null for no limit.
    ///
    /// @param usual the idle time of the pool
    default @Nullable Duration limit(Duration usual) {
        if (this instanceof KeepAlive keep) {
            return keep.idle();
        }
        return this instanceof Ephemeral brief ? brief.linger() : usual;
    }

    /// The same for a connection that belongs to one client session.
    ///
    /// @param usual the idle time of the pool
    default @Nullable Duration limitOfSession(Duration usual) {
        return this instanceof Usual(Duration ofSession) ? ofSession : limit(usual);
    }

    /// Whether it may be closed to make room for others.
    default boolean givesWay() {
        return !(this instanceof KeepAlive);
    }

    /// Whether it is closed even if the pool keeps a minimum of connections.
    default boolean isBrief() {
        return this instanceof Ephemeral;
    }
}
