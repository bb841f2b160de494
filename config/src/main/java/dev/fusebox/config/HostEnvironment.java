package dev.fusebox.config;

import java.util.Map;

/// What a configuration depends on beside its file. Immutable.
///
/// @param variables environment variables, which are expanded in the file
/// @param memory bytes that all processes may have together, which the default size of the pool follows; 0 if
/// unknown
public record HostEnvironment(Map<String, String> variables, long memory) {
    public HostEnvironment {
        variables = Map.copyOf(variables);
    }

    /// The variables, where the memory is not known.
    public HostEnvironment(Map<String, String> variables) {
        this(variables, 0);
    }
}
