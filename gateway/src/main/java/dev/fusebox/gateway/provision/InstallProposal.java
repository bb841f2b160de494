package dev.fusebox.gateway.provision;

import dev.fusebox.config.PackageRelease;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What can be done about an entry of a registry. Immutable.
///
/// @param entry as the registry has it
/// @param id what the server would be called
/// @param release what would be run; null if that is not sure
/// @param launchConfig how, if nobody has to look at it; null if somebody has to
/// @param command by which a person adds it; null if nobody should
/// @param note why it is not started without asking, or not at all; empty if nothing is wrong with it
record InstallProposal(
        RegistryEntry entry,
        String id,
        @Nullable PackageRelease release,
        @Nullable LaunchConfig launchConfig,
        @Nullable String command,
        String note) {
    /// Whether the operator trusts what would be run, whatever the entry says of it.
    boolean isTrusted(Set<PackageRelease> trusted) {
        return release != null && trusted.contains(release);
    }
}
