package dev.fusebox.client.process;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Environment of a child process: a few variables that every program needs, the configured ones, and nothing
/// else. Pure functions.
final class ChildEnvironment {
    /// `FUSEBOX_SERVED` names the configuration files that the gateways above a process serve: a gateway does not
    /// serve a file that a gateway above it serves.
    private static final Set<String> NAMES =
            Set.of("PATH", "HOME", "LANG", "TZ", "TERM", "TMPDIR", "USER", "SHELL", "FUSEBOX_SERVED");

    private ChildEnvironment() {}

    /// @param own the variables of this process
    static Map<String, String> of(ChildSpec spec, Map<String, String> own) {
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
