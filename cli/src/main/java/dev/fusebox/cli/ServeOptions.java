package dev.fusebox.cli;

import dev.fusebox.config.Overrides;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The options of `serve`. Immutable.
///
/// @param config the configuration file; null to look for one
/// @param overHttp whether clients connect over HTTP; otherwise one client uses standard input and output
/// @param noPrefix whether the only server is exposed under its own names
/// @param overrides settings that override the file
record ServeOptions(@Nullable Path config, boolean overHttp, boolean noPrefix, Overrides overrides) {
    private static final String CONFIG = "--config";
    private static final String TRANSPORT = "--transport";
    private static final String NO_PREFIX = "--no-prefix";
    private static final List<String> OF_HTTP = List.of("--host", "--port");

    /// A usage error.
    static final class Problem extends Exception {
        private static final long serialVersionUID = 1;

        Problem(String message) {
            super(message);
        }
    }

    static ServeOptions parse(List<String> words) throws Problem {
        Map<String, String> values = new HashMap<>();
        boolean noPrefix = false;
        Iterator<String> rest = words.iterator();
        while (rest.hasNext()) {
            String word = rest.next();
            check(word);
            if (word.equals(NO_PREFIX)) {
                CommandArguments.once(word, !noPrefix);
                noPrefix = true;
            } else if (rest.hasNext()) {
                CommandArguments.once(word, values.put(word, rest.next()) == null);
            } else {
                throw new Problem(word + " needs a value");
            }
        }
        String config = values.get(CONFIG);
        boolean overHttp = isHttp(values.getOrDefault(TRANSPORT, "stdio"));
        for (String option : OF_HTTP) {
            if (!overHttp && values.containsKey(option)) {
                throw new Problem(option + " requires --transport http");
            }
        }
        return new ServeOptions(
                config == null ? null : ConfigCommand.path(config), overHttp, noPrefix, overrides(values));
    }

    private static void check(String word) throws Problem {
        Set<String> known = new HashSet<>(Overrides.options());
        known.addAll(List.of(CONFIG, TRANSPORT, NO_PREFIX));
        if (!known.contains(word)) {
            throw CommandArguments.unknown("serve", word);
        }
    }

    private static boolean isHttp(String transport) throws Problem {
        return switch (transport) {
            case "http" -> true;
            case "stdio" -> false;
            default -> throw new Problem("invalid --transport \"" + transport + "\": must be stdio or http");
        };
    }

    private static Overrides overrides(Map<String, String> values) throws Problem {
        Overrides overrides = Overrides.NONE;
        for (String option : new TreeSet<>(Overrides.options())) {
            String text = values.get(option);
            Optional<String> complaint = text == null ? Optional.empty() : Overrides.complaint(option, text);
            if (complaint.isPresent()) {
                throw new Problem(option + " " + complaint.get());
            }
            overrides = text == null ? overrides : overrides.with(option, text);
        }
        return overrides;
    }
}
