package dev.fusebox.config;

import java.util.Map;

/// The inputs of a configuration other than its file. Immutable.
///
/// @param variables environment variables, which are expanded in the file
/// @param memory the memory for all processes together, in bytes, which determines the default size of the pool; 0
/// if unknown
/// @param secrets stored secrets, which are expanded in the file
public record HostEnvironment(Map<String, String> variables, long memory, SecretLookup secrets) {
    public HostEnvironment {
        variables = Map.copyOf(variables);
    }

    /// An environment without stored secrets.
    public HostEnvironment(Map<String, String> variables, long memory) {
        this(variables, memory, SecretLookup.NONE);
    }

    /// An environment with unknown memory and without stored secrets.
    public HostEnvironment(Map<String, String> variables) {
        this(variables, 0);
    }
}
