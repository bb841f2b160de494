package dev.fusebox.config;

import dev.fusebox.config.ServerState.AwaitingConfig;
import dev.fusebox.config.ServerState.Disabled;
import dev.fusebox.config.ServerState.Faulty;
import dev.fusebox.config.ServerState.Ready;
import dev.fusebox.config.ServerState.Replicated;
import java.util.List;

/// One server of a configuration. Immutable. Of one that is faulty the rest is what could be read, and otherwise
/// usual.
///
/// @param name what it is called
/// @param presence whether it goes first, and how long it stays
/// @param state whether it can be used, and how it is reached then
/// @param eras which era it speaks, or that the era is detected
/// @param times how long things may take
/// @param rules what calls to it keep to
public record ServerConfig(
        ServerName name, Presence presence, ServerState state, EraRule eras, ServerTimeouts times, CallSettings rules) {
    /// Whether and how long it is there. Immutable.
    ///
    /// @param isVital whether it goes first where not all can
    /// @param idlePolicy how long an idle connection stays
    /// @param serverIsolation which clients have a connection of their own
    /// @param instances how many of it there may be for calls at the same time
    public record Presence(boolean isVital, IdlePolicy idlePolicy, ServerIsolation serverIsolation, int instances) {
        /// How clients share its connections.
        ///
        /// @param hasOneClient whether the gateway serves a single client
        public ConnectionSharing connectionSharing(boolean hasOneClient) {
            boolean isApart = switch (serverIsolation) {
                case AUTO -> hasOneClient && instances == 1;
                case SHARED -> false;
                case SESSION -> true;
            };
            return new ConnectionSharing(isApart ? Isolation.SESSION : Isolation.SHARED, isApart ? 1 : instances);
        }

        /// Whether it stays when it is idle.
        public boolean isKept() {
            return idlePolicy instanceof IdlePolicy.KeepAlive;
        }

        /// Whether its connections come and go in the same way.
        public boolean isAlike(Presence other) {
            return idlePolicy.equals(other.idlePolicy)
                    && serverIsolation == other.serverIsolation
                    && instances == other.instances;
        }

        /// Whether it is started with the gateway.
        public boolean isEager() {
            return idlePolicy instanceof IdlePolicy.KeepAlive(var idle, boolean isEager) && isEager;
        }
    }

    /// Whether it goes first where not all can.
    public boolean isVital() {
        return presence.isVital();
    }

    /// Whether it is a process of ours.
    public boolean isProcess() {
        return state instanceof ServerState.Ready(ServerEndpoint.Stdio process);
    }

    /// What it is called wherever names go.
    public String id() {
        return name.id();
    }

    /// The same, switched on or off by an operator, whatever the file says.
    public ServerConfig switched(boolean isOn) {
        ServerState next = switch (state) {
            case Disabled(ServerState otherwise) -> isOn ? otherwise : state;
            case Ready ready -> isOn ? state : new Disabled(state);
            case Replicated replicated -> isOn ? state : new Disabled(state);
            case AwaitingConfig awaiting -> isOn ? state : new Disabled(state);
            case Faulty faulty -> state;
        };
        return new ServerConfig(name, presence, next, eras, times, rules);
    }

    /// All that is wrong with it; empty for most.
    public List<ConfigProblem> problems() {
        return state instanceof Faulty(List<ConfigProblem> problems) ? problems : List.of();
    }
}
