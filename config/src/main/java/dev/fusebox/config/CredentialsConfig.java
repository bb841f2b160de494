package dev.fusebox.config;

import java.util.List;

/// Where tokens and secrets are stored. Immutable.
///
/// @param store the kind of store
/// @param command the program of the store `command` and its arguments; empty for the others
public record CredentialsConfig(CredentialStore store, List<String> command) {
    /// Files.
    public static final CredentialsConfig USUAL = new CredentialsConfig(CredentialStore.FILE, List.of());

    public CredentialsConfig {
        command = List.copyOf(command);
    }

    /// Without the command, whose arguments may be secret.
    @Override
    public String toString() {
        return "CredentialsConfig[" + store + "]";
    }
}
