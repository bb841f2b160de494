package dev.fusebox.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What was asked of the doctor. Immutable.
///
/// @param config the file that is meant; null for the usual one
/// @param names of the servers that are meant; empty for all
/// @param limit for everything together
/// @param ways how it is done
record DoctorWords(@Nullable Path config, List<String> names, Duration limit, Set<Way> ways) {
    /// As long as a person waits without doubt that anything happens.
    private static final Duration USUAL = Duration.ofSeconds(30);

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

        static Optional<Way> of(String word) {
            return List.of(values()).stream()
                    .filter(way -> way.option.equals(word))
                    .findFirst();
        }
    }

    DoctorWords {
        names = List.copyOf(names);
        ways = Set.copyOf(ways);
    }

    boolean has(Way way) {
        return ways.contains(way);
    }

    static DoctorWords parse(List<String> words) throws ServeOptions.Problem {
        Path config = null;
        Duration limit = USUAL;
        List<String> names = new ArrayList<>();
        List<Way> ways = new ArrayList<>();
        Iterator<String> rest = words.iterator();
        while (rest.hasNext()) {
            String word = rest.next();
            Optional<Way> way = Way.of(word);
            if (way.isPresent()) {
                ways.add(way.get());
            } else if (word.equals("--config")) {
                config = Config.path(rest.hasNext() ? rest.next() : null);
            } else if (word.equals("--timeout")) {
                limit = limit(rest.hasNext() ? rest.next() : "");
            } else if (word.startsWith("-")) {
                throw Words.unknown("doctor", word);
            } else {
                names.add(word);
            }
        }
        return new DoctorWords(config, names, limit, Set.copyOf(ways));
    }

    private static Duration limit(String text) throws ServeOptions.Problem {
        if (!text.matches("\\d{1,9}") || Long.parseLong(text) < LEAST_MILLIS) {
            throw new ServeOptions.Problem(
                    "--timeout is \"" + text + "\"; it must be milliseconds, " + LEAST_MILLIS + " or more");
        }
        return Duration.ofMillis(Long.parseLong(text));
    }
}
