package dev.fusebox.gateway.config;

import dev.fusebox.gateway.config.ServerState.Faulty;
import dev.fusebox.gateway.served.EraRule;
import java.util.List;

/// One server of a configuration. Immutable. Of one that is faulty the rest is what could be read, and otherwise usual.
///
/// @param name what it is called
/// @param isVital whether it goes first where not all can
/// @param state whether it can be used, and how it is reached then
/// @param eras which era it speaks, as far as the operator knows
/// @param times how long things may take
/// @param rules what calls to it keep to
public record ServerConfig(
        ServerName name, boolean isVital, ServerState state, EraRule eras, ServerTimes times, ServerRules rules) {
    /// What it is called wherever names go.
    public String id() {
        return name.id();
    }

    /// All that is wrong with it; empty for most.
    public List<ConfigProblem> problems() {
        return state instanceof Faulty(List<ConfigProblem> problems) ? problems : List.of();
    }
}
