package dev.fusebox.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What was asked of the doctor. Immutable.
///
/// @param config the file that is meant; null for the usual one
/// @param names of the servers that are meant; empty for all
/// @param given limit for everything together; null for the usual one
/// @param ways how it is done
/// @param mayDownload whether servers may have to be downloaded first
record DoctorOptions(
        @Nullable Path config, List<String> names, @Nullable Duration given, Set<Way> ways, boolean mayDownload) {
    /// As long as a person waits without doubt that anything happens.
    private static final Duration USUAL = Duration.ofSeconds(30);

    /// As long as a server has to connect (`connectTimeoutMs`), and what the other steps take.
    private static final Duration DOWNLOADING = Duration.ofSeconds(90);

    /// For all servers that have to be downloaded, in turns.
    private static final Duration ALL_DOWNLOADS = Duration.ofMinutes(5);

    private static final long LEAST_MILLIS = 500;

    /// How it is done.
    enum Way {
        JSON("--json"),
        CONFIG_ONLY("--config-only"),
        FIX("--fix"),
        FRESH("--fresh");

        private final String option;

        Way(String option) {
            this.option = option;
        }
    }

    DoctorOptions {
        names = List.copyOf(names);
        ways = Set.copyOf(ways);
    }

    /// For everything together, if no server waits for its turn.
    Duration limit() {
        Duration usual = mayDownload ? DOWNLOADING : USUAL;
        return given == null ? usual : given;
    }

    /// For everything together.
    ///
    /// @param rounds how many servers are examined one after the other
    Duration limit(int rounds) {
        if (given != null) {
            return given;
        }
        Duration all = limit().multipliedBy(Math.max(1, rounds));
        return all.compareTo(ALL_DOWNLOADS) < 0 ? all : ALL_DOWNLOADS;
    }

    /// The same for servers that may have to be downloaded first, unless a limit was given.
    DoctorOptions forDownloads() {
        return new DoctorOptions(config, names, given, ways, true);
    }

    boolean has(Way way) {
        return ways.contains(way);
    }

    static DoctorOptions parse(List<String> words) throws ServeOptions.Problem {
        Set<String> flags = Stream.of(Way.values()).map(way -> way.option).collect(Collectors.toSet());
        CommandArguments read = CommandArguments.parse(
                new CommandArguments.Grammar("doctor", flags, Set.of("--config", "--timeout")), words);
        String limit = read.value("--timeout");
        Set<Way> ways =
                Stream.of(Way.values()).filter(way -> read.has(way.option)).collect(Collectors.toSet());
        return new DoctorOptions(
                ConfigCommand.named(read), read.names(), limit == null ? null : limit(limit), ways, false);
    }

    private static Duration limit(String text) throws ServeOptions.Problem {
        if (!text.matches("\\d{1,9}") || Long.parseLong(text) < LEAST_MILLIS) {
            throw new ServeOptions.Problem(
                    "--timeout is \"" + text + "\"; it must be milliseconds, " + LEAST_MILLIS + " or more");
        }
        return Duration.ofMillis(Long.parseLong(text));
    }
}
