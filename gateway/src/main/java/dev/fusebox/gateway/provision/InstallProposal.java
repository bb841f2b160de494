package dev.fusebox.gateway.provision;

import dev.fusebox.config.PackageRelease;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An installation proposal for a registry entry. Immutable.
///
/// @param entry from the registry
/// @param id the server's name
/// @param release the package release to run; null if that is not certain
/// @param launchConfig the configuration if no review is needed; null otherwise
/// @param command the command by which a person adds it; null if it cannot be added
/// @param note why it is not started without asking, or not at all; empty if there is no objection
record InstallProposal(
        RegistryEntry entry,
        String id,
        @Nullable PackageRelease release,
        @Nullable LaunchConfig launchConfig,
        @Nullable String command,
        String note) {
    /// Whether the operator trusts the release, regardless of the entry.
    boolean isTrusted(Set<PackageRelease> trusted) {
        return release != null && trusted.contains(release);
    }
}
