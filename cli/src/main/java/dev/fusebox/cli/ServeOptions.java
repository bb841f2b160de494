package dev.fusebox.cli;

import dev.fusebox.config.Overrides;
import dev.fusebox.config.ShareConfig;
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
/// @param front how clients connect
/// @param noPrefix whether the only server is exposed under its own names
/// @param share whether the client may share a gateway; null for what the file says
/// @param profile the part of the configuration that is served; null for all of it
/// @param overridden options that override the file
/// @param overrides the same, as the file is read with them
record ServeOptions(
        @Nullable Path config,
        Front front,
        boolean noPrefix,
        ShareConfig.@Nullable Mode share,
        @Nullable String profile,
        Map<String, String> overridden,
        Overrides overrides) {
    /// How clients connect.
    enum Front {
        /// One client, over standard input and output.
        STDIO,
        HTTP,
        /// Clients of this user, each through its connector, for a file of this user.
        SHARED,
        /// The same for a file that is used only with contents that the user has allowed.
        SHARED_PROJECT
    }

    private static final String CONFIG = "--config";
    private static final String TRANSPORT = "--transport";
    static final String NO_PREFIX = "--no-prefix";
    static final String SHARE = "--share";
    private static final String EXPOSE = "--expose";
    private static final String PROFILE = "--profile";
    private static final List<String> OF_HTTP = List.of("--host", "--port");

    /// A usage error.
    static class Problem extends Exception {
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
        Front front = front(values.getOrDefault(TRANSPORT, "stdio"));
        for (String option : OF_HTTP) {
            if (front != Front.HTTP && values.containsKey(option)) {
                throw new Problem(option + " requires --transport http");
            }
        }
        ShareConfig.Mode share = share(values.get(SHARE));
        Map<String, String> overridden = new HashMap<>(values);
        overridden.keySet().retainAll(Overrides.options());
        return new ServeOptions(
                config == null ? null : ConfigCommand.path(config),
                front,
                noPrefix,
                share,
                values.get(PROFILE),
                Map.copyOf(overridden),
                overrides(values).inProfile(values.get(PROFILE)));
    }

    private static ShareConfig.@Nullable Mode share(@Nullable String mode) throws Problem {
        return switch (mode) {
            case null -> null;
            case "auto" -> ShareConfig.Mode.AUTO;
            case "off" -> ShareConfig.Mode.OFF;
            default -> throw new Problem("invalid --share \"" + mode + "\": must be auto or off");
        };
    }

    boolean overHttp() {
        return front == Front.HTTP;
    }

    /// An option that cannot apply to one client of a shared gateway only; null if there is none.
    @Nullable
    String unshareable() {
        return noPrefix
                ? NO_PREFIX
                : overridden.keySet().stream()
                        .filter(option -> !option.equals(EXPOSE))
                        .sorted()
                        .findFirst()
                        .orElse(null);
    }

    /// What the client sees; null for what the file says.
    @Nullable
    String expose() {
        return overridden.get(EXPOSE);
    }

    private static void check(String word) throws Problem {
        Set<String> known = new HashSet<>(Overrides.options());
        known.addAll(List.of(CONFIG, TRANSPORT, NO_PREFIX, SHARE, PROFILE));
        if (!known.contains(word)) {
            throw CommandArguments.unknown("serve", word);
        }
    }

    /// The error does not name the values that only connectors use.
    private static Front front(String transport) throws Problem {
        return switch (transport) {
            case "http" -> Front.HTTP;
            case "stdio" -> Front.STDIO;
            case "shared" -> Front.SHARED;
            case "shared-project" -> Front.SHARED_PROJECT;
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
