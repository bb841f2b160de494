package dev.fusebox.client.process;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Environment of a child process: a few variables that every program needs, the configured ones, and nothing
/// else. Pure functions; thread-safe.
public final class ChildEnvironment {
    /// `FUSEBOX_SERVED` names the configuration files that the gateways above a process serve: a gateway does not
    /// serve a file that a gateway above it serves.
    private static final Set<String> NAMES =
            Set.of("PATH", "HOME", "LANG", "TZ", "TERM", "TMPDIR", "USER", "SHELL", "FUSEBOX_SERVED");

    /// The names of the variables that every program needs; a `*` at the end stands for any further characters.
    public static final List<String> PATTERNS =
            Stream.concat(NAMES.stream().sorted(), Stream.of("LC_*")).toList();

    private ChildEnvironment() {}

    /// The variables of a child.
    ///
    /// @param own the variables that it may inherit
    public static Map<String, String> of(ChildSpec spec, Map<String, String> own) {
        var variables = new TreeMap<String, String>();
        own.forEach((name, value) -> {
            if (NAMES.contains(name)
                    || name.startsWith("LC_")
                    || spec.inheritEnv().contains(name)) {
                variables.put(name, value);
            }
        });
        variables.putAll(spec.env());
        return variables;
    }
}
