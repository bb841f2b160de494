package dev.fusebox.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The options of `doctor`. Immutable.
///
/// @param config the configuration file; null for the default
/// @param names of the selected servers; empty for all
/// @param given the limit of the whole run; null for the default
/// @param ways flags
/// @param mayDownload whether servers may have to be downloaded first
record DoctorOptions(
        @Nullable Path config, List<String> names, @Nullable Duration given, Set<Flag> ways, boolean mayDownload) {
    /// The default limit: about as long as a user waits without output.
    private static final Duration USUAL = Duration.ofSeconds(30);

    /// The default `connectTimeoutMs`, plus the time for the other checks.
    private static final Duration DOWNLOADING = Duration.ofSeconds(90);

    /// The limit for all servers that need a download, a few at a time.
    private static final Duration ALL_DOWNLOADS = Duration.ofMinutes(5);

    private static final long LEAST_MILLIS = 500;

    /// A flag of `doctor`.
    enum Flag {
        JSON("--json"),
        CONFIG_ONLY("--config-only"),
        FIX("--fix"),
        FRESH("--fresh");

        private final String option;

        Flag(String option) {
            this.option = option;
        }
    }

    DoctorOptions {
        names = List.copyOf(names);
        ways = Set.copyOf(ways);
    }

    /// The limit of the whole run, if all servers are checked at once.
    Duration limit() {
        Duration usual = mayDownload ? DOWNLOADING : USUAL;
        return given == null ? usual : given;
    }

    /// The limit of the whole run.
    ///
    /// @param rounds how many servers are checked one after the other
    Duration limit(int rounds) {
        if (given != null) {
            return given;
        }
        Duration all = limit().multipliedBy(Math.max(1, rounds));
        return all.compareTo(ALL_DOWNLOADS) < 0 ? all : ALL_DOWNLOADS;
    }

    /// The options for servers that may need a download, which extends the default limit.
    DoctorOptions forDownloads() {
        return new DoctorOptions(config, names, given, ways, true);
    }

    boolean has(Flag flag) {
        return ways.contains(flag);
    }

    static DoctorOptions parse(List<String> words) throws ServeOptions.Problem {
        Set<String> flags = Stream.of(Flag.values()).map(flag -> flag.option).collect(Collectors.toSet());
        CommandArguments read = CommandArguments.parse(
                new CommandArguments.Grammar("doctor", flags, Set.of("--config", "--timeout")), words);
        String limit = read.value("--timeout");
        Set<Flag> ways =
                Stream.of(Flag.values()).filter(flag -> read.has(flag.option)).collect(Collectors.toSet());
        return new DoctorOptions(
                ConfigCommand.named(read), read.names(), limit == null ? null : limit(limit), ways, false);
    }

    private static Duration limit(String text) throws ServeOptions.Problem {
        if (!text.matches("\\d{1,9}") || Long.parseLong(text) < LEAST_MILLIS) {
            throw new ServeOptions.Problem(
                    "invalid --timeout \"" + text + "\": must be at least " + LEAST_MILLIS + " ms");
        }
        return Duration.ofMillis(Long.parseLong(text));
    }
}
