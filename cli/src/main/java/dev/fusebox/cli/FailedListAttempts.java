package dev.fusebox.cli;

import dev.fusebox.config.ServerConfig;
import dev.fusebox.gateway.UpstreamFactory;
import dev.fusebox.gateway.cache.SchemaCache;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/// A record of recent failed attempts to list a server's tools, stored in the schema cache: an unresponsive server
/// costs its full timeout once instead of with every command. A changed entry counts as another server.
/// Thread-safe; reading blocks on disk I/O.
final class FailedListAttempts {
    /// Longer than it takes a user to see and fix the cause.
    private static final Duration LATELY = Duration.ofMinutes(10);

    private final Platform platform;
    private final SchemaCache cache;

    /// The outcome of an attempt.
    enum Outcome {
        /// No recent attempt is known.
        UNKNOWN,
        /// The server did not answer, or took long to fail.
        SILENT,
        /// Its package was probably still being installed.
        DOWNLOADING
    }

    FailedListAttempts(Platform platform, SchemaCache cache) {
        this.platform = platform;
        this.cache = cache;
    }

    /// The outcome of the last attempt, if it is recent.
    Outcome latest(ServerConfig server) {
        byte[] kept = cache.load(key(server));
        try {
            JsonView note = kept == null ? null : JsonView.parse(kept);
            return note == null ? Outcome.UNKNOWN : outcome(note);
        } catch (JsonSyntaxError | DateTimeParseException damaged) {
            return Outcome.UNKNOWN;
        }
    }

    private Outcome outcome(JsonView note) {
        String tried = note.string("tried");
        Duration age = Duration.between(
                tried == null ? Instant.MIN : Instant.parse(tried),
                platform.wallClock().instant());
        if (age.isNegative() || age.compareTo(LATELY) > 0) {
            return Outcome.UNKNOWN;
        }
        JsonView downloading = note.member("downloading");
        return downloading != null && downloading.isTrue() ? Outcome.DOWNLOADING : Outcome.SILENT;
    }

    void note(ServerConfig server, Outcome outcome) {
        String note = new JsonWriter()
                .beginObject()
                .name("server")
                .string(server.id())
                .name("tried")
                .string(platform.wallClock().instant().toString())
                .name("downloading")
                .bool(outcome == Outcome.DOWNLOADING)
                .endObject()
                .toString();
        cache.keep(key(server), note);
    }

    /// Removes the record of a server that has listed its tools.
    void forget(ServerConfig server) {
        if (latest(server) != Outcome.UNKNOWN) {
            cache.forget(key(server));
        }
    }

    /// A key that no server list can have.
    private static String key(ServerConfig server) {
        return "\ntried\n" + UpstreamFactory.identity(server);
    }
}
