package dev.fusebox.cli;

import dev.fusebox.config.ServerConfig;
import dev.fusebox.gateway.cache.SchemaCache;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/// Remembers which servers were lately asked for their tools in vain, beside the lists of the others: a silent
/// server costs its whole wait once, and not with every command. A server with another entry is another one.
/// Thread-safe; reading blocks as the disk does.
final class FailedListAttempts {
    /// As long as a person takes to see what is wrong and to change it.
    private static final Duration LATELY = Duration.ofMinutes(10);

    private final Platform platform;
    private final SchemaCache cache;

    /// How asking a server ended.
    enum Outcome {
        /// Nothing is known of a try.
        UNKNOWN,
        /// It was silent, or took long to fail.
        SILENT,
        /// Its package was probably still being installed.
        DOWNLOADING
    }

    FailedListAttempts(Platform platform, SchemaCache cache) {
        this.platform = platform;
        this.cache = cache;
    }

    /// How the last try ended, if that is not long ago.
    Outcome latest(ServerConfig server) {
        byte[] kept = cache.recall(key(server));
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

    /// It has listed its tools.
    void forget(ServerConfig server) {
        if (latest(server) != Outcome.UNKNOWN) {
            cache.forget(key(server));
        }
    }

    /// No server has an empty name.
    private static String key(ServerConfig server) {
        return "\ntried\n" + UpstreamFactory.identity(server);
    }
}
