package dev.fusebox.gateway.settings;

import dev.fusebox.config.CredentialStore;
import dev.fusebox.config.HostEnvironment;
import dev.fusebox.config.SecretLookup;
import dev.fusebox.platform.Platform;

/// What a configuration depends on beside its file, taken from the platform. Thread-safe; nothing blocks. The
/// lookup of secrets blocks as their store does, and loads no class of it before a file refers to a secret.
public final class HostEnvironments {
    private HostEnvironments() {}

    /// The environment variables, the memory of this machine, and stored secrets.
    public static HostEnvironment of(Platform platform) {
        return with(platform, (credentials, name) -> StoredSecrets.text(platform, credentials, name));
    }

    /// The same for a file that is only checked, and may come from somebody else: it runs no program. Secrets that
    /// only a program could read have a text of no meaning.
    public static HostEnvironment ofUnapproved(Platform platform) {
        return with(
                platform,
                (credentials, name) -> credentials.store() == CredentialStore.FILE
                        ? StoredSecrets.text(platform, credentials, name)
                        : "unread");
    }

    /// The same without secrets, so that a configuration names those that it needs.
    public static HostEnvironment withoutSecrets(Platform platform) {
        return with(platform, SecretLookup.NONE);
    }

    private static HostEnvironment with(Platform platform, SecretLookup secrets) {
        return new HostEnvironment(platform.environment(), platform.processes().memory(), secrets);
    }
}
