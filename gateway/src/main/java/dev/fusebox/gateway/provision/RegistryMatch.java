package dev.fusebox.gateway.provision;

import dev.fusebox.config.PackageRelease;
import dev.fusebox.config.ProvisionConfig;
import java.util.List;

/// A server that matches an intent, and whether it may be added. Immutable.
///
/// @param confidence of the match, from 0 to 1; it decides nothing else
/// @param isTrusted whether the operator trusts exactly what would be run
/// @param isAutomatic whether it would be added on request
/// @param note why it would not; empty if it would
record RegistryMatch(InstallProposal proposal, double confidence, boolean isTrusted, boolean isAutomatic, String note) {
    private static final String OFF = "adding servers automatically is disabled (provision.autoProvision)";
    private static final String UNTRUSTED =
            "the operator does not trust this package at this version (provision.trusted)";

    /// @param isOpen whether servers can be added at all
    static RegistryMatch of(ProvisionSearch.EntryMatch fit, ProvisionConfig config, boolean isOpen) {
        InstallProposal proposal = InstallPlan.of(fit.entry(), config.trusted());
        boolean isTrusted = proposal.isTrusted(config.trusted());
        List<String> forbidden = isTrusted ? forbidden(proposal, config) : List.of();
        boolean isStartable = isTrusted && proposal.launchConfig() != null && forbidden.isEmpty();
        boolean isAutomatic = isStartable && config.isAutomatic() && isOpen;
        String note = isAutomatic
                ? ""
                : isStartable
                        ? OFF
                        : !forbidden.isEmpty()
                                ? "its entry in provision.trusted does not allow the variables that it requires (env): "
                                        + String.join(", ", forbidden)
                                : proposal.note().isEmpty() ? UNTRUSTED : proposal.note();
        return new RegistryMatch(proposal, fit.confidence(), isTrusted, isAutomatic, note);
    }

    /// Variables of the operator that would be passed, though the operator's own entry does not name them. A
    /// registry entry only requests them.
    private static List<String> forbidden(InstallProposal proposal, ProvisionConfig config) {
        LaunchConfig launchConfig = proposal.launchConfig();
        PackageRelease release = proposal.release();
        return launchConfig == null || release == null
                ? List.of()
                : launchConfig.inputs().stream()
                        .filter(each -> !config.env(release).contains(each))
                        .toList();
    }
}
