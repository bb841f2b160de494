package dev.fusebox.gateway.provision;

import dev.fusebox.gateway.config.ProvisionConfig;

/// A server that could be added, and whether it may be. Immutable.
///
/// @param confidence that it is meant, from 0 to 1; it decides nothing else
/// @param isTrusted whether the operator trusts exactly what would be run
/// @param isAutomatic whether it would be added if its caller says so
/// @param note why it would not; empty if it would
record Match(Proposal proposal, double confidence, boolean isTrusted, boolean isAutomatic, String note) {
    private static final String OFF = "servers are not added by themselves here (provision.autoProvision)";
    private static final String UNTRUSTED =
            "the operator does not trust this package at this version (provision.trusted)";

    /// @param isOpen whether anything can be added at all
    static Match of(Find.Fit fit, ProvisionConfig config, boolean isOpen) {
        Proposal proposal = Recipe.of(fit.entry(), config.trusted());
        boolean isTrusted = proposal.isTrusted(config.trusted());
        boolean isStartable = isTrusted && proposal.launch() != null;
        boolean isAutomatic = isStartable && config.isAutomatic() && isOpen;
        String note = isAutomatic ? "" : isStartable ? OFF : proposal.note().isEmpty() ? UNTRUSTED : proposal.note();
        return new Match(proposal, fit.confidence(), isTrusted, isAutomatic, note);
    }
}
