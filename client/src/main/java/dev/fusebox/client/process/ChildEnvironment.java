package dev.fusebox.client.process;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// The variables that a child gets: a few that every program needs, those it was promised, and nothing else.
final class ChildEnvironment {
    /// The last one names the files that the gateways above a process serve: a gateway does not serve a file that
    /// one above it serves.
    private static final Set<String> NAMES =
            Set.of("PATH", "HOME", "LANG", "TZ", "TERM", "TMPDIR", "USER", "SHELL", "FUSEBOX_SERVED");

    private ChildEnvironment() {}

    /// @param ours our own variables
    static Map<String, String> of(ChildSpec spec, Map<String, String> ours) {
        var variables = new TreeMap<String, String>();
        ours.forEach((name, value) -> {
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
