package dev.fusebox.gateway;

import dev.fusebox.config.Configuration;
import dev.fusebox.config.ServerState.Disabled;
import dev.fusebox.gateway.admin.AdminControls;
import dev.fusebox.platform.FuseboxCommand;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The active configuration of a gateway: that of the file, with the operator's switches applied. Thread-safe;
/// changes block while servers are added and removed, one change after the other.
final class ActiveConfiguration {
    private final Target target;

    /// Written under the monitor only.
    private volatile State state;

    /// The servers to which the configuration applies.
    interface Target {
        /// Applies a configuration to the servers of the gateway itself.
        ///
        /// @throws GatewayException if it cannot be applied; nothing has changed then
        void apply(Configuration next) throws GatewayException;

        /// Applies the configuration, which is active now, to the servers of other clients.
        void applyToOthers();
    }

    /// Immutable.
    ///
    /// @param file the configuration as read
    /// @param switches whether a server is on, for those that an operator has switched
    private record State(Configuration file, Map<String, Boolean> switches, Configuration active) {
        static State of(Configuration file, Map<String, Boolean> switches) {
            return new State(file, Map.copyOf(switches), file.switched(switches));
        }
    }

    ActiveConfiguration(Configuration file, Target target) {
        this.target = target;
        this.state = State.of(file, Map.of());
    }

    Configuration current() {
        return state.active();
    }

    /// Applies the operator's switches to a configuration.
    Configuration switched(Configuration read) {
        return read.switched(state.switches());
    }

    /// Applies a changed file. A change of a server in the file overrides an earlier switch by an operator.
    ///
    /// @return the reason if it cannot be applied
    synchronized Optional<String> reload(Configuration next) {
        Map<String, Boolean> remaining = new HashMap<>(state.switches());
        remaining.keySet().removeIf(server -> !isUnchanged(state.file(), next, server));
        return activate(State.of(next, remaining));
    }

    /// Switches a server on or off until it is switched again, or its entry in the file changes.
    synchronized AdminControls.Result switchTo(String server, boolean isOn) {
        if (isOff(state.active(), server).equals(Optional.of(!isOn))) {
            return new AdminControls.Result.Done(server + " is already " + (isOn ? "enabled" : "disabled"));
        }
        Map<String, Boolean> next = new HashMap<>(state.switches());
        next.put(server, isOn);
        Optional<String> problem = activate(State.of(state.file(), next));
        if (problem.isPresent()) {
            return new AdminControls.Result.NotPossible(problem.get());
        }
        return new AdminControls.Result.Done(
                isOn
                        ? server + " is enabled"
                        : server + " is disabled; `" + FuseboxCommand.onFile("enable", server) + "` enables it");
    }

    private Optional<String> activate(State next) {
        try {
            target.apply(next.active());
        } catch (GatewayException problem) {
            return Optional.of(String.valueOf(problem.getMessage()));
        }
        state = next;
        target.applyToOthers();
        return Optional.empty();
    }

    private static boolean isUnchanged(Configuration before, Configuration after, String server) {
        return isOff(before, server).equals(isOff(after, server))
                && isOff(after, server).isPresent();
    }

    /// Empty if there is no such server.
    private static Optional<Boolean> isOff(Configuration configuration, String server) {
        return configuration.servers().stream()
                .filter(each -> each.id().equals(server))
                .map(each -> each.state() instanceof Disabled)
                .findFirst();
    }
}
