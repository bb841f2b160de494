package dev.fusebox.config;

import dev.fusebox.config.ServerState.AwaitingConfig;
import dev.fusebox.config.ServerState.Disabled;
import dev.fusebox.config.ServerState.Faulty;
import dev.fusebox.config.ServerState.Ready;
import dev.fusebox.config.ServerState.Replicated;
import java.util.List;

/// One server of a configuration. Immutable. An invalid server has the values that could be read, and defaults
/// otherwise.
///
/// @param name its name
/// @param presence its priority, and how long it stays connected
/// @param state whether it can be used, and its endpoint
/// @param eras its era, or that the era is detected
/// @param times its timeouts
/// @param rules the rules for calls to it
public record ServerConfig(
        ServerName name, Presence presence, ServerState state, EraRule eras, ServerTimeouts times, CallSettings rules) {
    /// The priority and lifetime of a server. Immutable.
    ///
    /// @param isVital whether it takes precedence if not all can be started
    /// @param idlePolicy how long an idle connection stays
    /// @param serverIsolation which clients have their own connection
    /// @param instances the maximum number of instances for concurrent calls
    public record Presence(boolean isVital, IdlePolicy idlePolicy, ServerIsolation serverIsolation, int instances) {
        /// How clients share its connections.
        ///
        /// @param clients that the gateway serves
        /// @param endpoint of the server
        public ConnectionSharing connectionSharing(GatewayClients clients, ServerEndpoint endpoint) {
            Isolation isolation = switch (serverIsolation) {
                case AUTO -> instances == 1 ? automatic(clients, endpoint) : Isolation.SHARED;
                case SHARED -> Isolation.SHARED;
                case SESSION -> Isolation.SESSION;
            };
            return new ConnectionSharing(isolation, isolation == Isolation.SHARED ? instances : 1);
        }

        private static Isolation automatic(GatewayClients clients, ServerEndpoint endpoint) {
            return switch (clients) {
                case ONE -> Isolation.SESSION;
                case MANY -> Isolation.SHARED;
                case CONNECTED -> UnsharedPrograms.include(endpoint) ? Isolation.SESSION : Isolation.ADAPTIVE;
            };
        }

        /// Whether it keeps running when it is idle.
        public boolean isKept() {
            return idlePolicy instanceof IdlePolicy.KeepAlive;
        }

        /// Whether its connections have the same lifecycle.
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

    /// Whether it takes precedence if not all can be started.
    public boolean isVital() {
        return presence.isVital();
    }

    /// Whether it is a child process.
    public boolean isProcess() {
        return state instanceof ServerState.Ready(ServerEndpoint.Stdio process);
    }

    /// The id, which is used as its name everywhere.
    public String id() {
        return name.id();
    }

    /// The same, enabled or disabled by an operator, regardless of the file.
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

    /// All its problems; usually empty.
    public List<ConfigProblem> problems() {
        return state instanceof Faulty(List<ConfigProblem> problems) ? problems : List.of();
    }
}
