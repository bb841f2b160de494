package dev.fusebox.gateway.config;

import dev.fusebox.breaker.Preset;
import dev.fusebox.gateway.config.ServerState.AwaitingConfig;
import dev.fusebox.gateway.config.ServerState.Disabled;
import dev.fusebox.gateway.config.ServerState.Faulty;
import dev.fusebox.gateway.config.ServerState.Ready;
import dev.fusebox.gateway.config.ServerState.Replicated;
import dev.fusebox.gateway.pool.IdlePolicy;
import dev.fusebox.gateway.session.EraPolicy;
import dev.fusebox.gateway.session.EraRule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads one server after the other; what is wrong with one is told of that one alone. Immutable.
///
/// @param sharedSettings what the file says for all
/// @param limits what servers are held to
/// @param surroundings what the file does not hold
/// @param allServers all servers of the file, in rough
record ServerReader(
        SharedSettings sharedSettings, LimitConfig limits, Surroundings surroundings, AllServers allServers) {
    /// Less is a common mistake: seconds were written where milliseconds are meant.
    private static final Duration SHORT_FOR_A_PROCESS = Duration.ofSeconds(10);

    /// What is read beside the file.
    ///
    /// @param environment the variables of the process
    /// @param folder that files are looked for in
    /// @param usualTimeout of a call, if the environment names one
    /// @param ownPort that the gateway listens on over HTTP; 0 if it is not known yet
    record Surroundings(
            Map<String, String> environment,
            Path folder,
            @Nullable Duration usualTimeout,
            int ownPort) {
        SelfReference self() {
            return new SelfReference(environment, folder);
        }
    }

    ServerConfig read(ServerName name, JsonMember entry) {
        ProblemList own = entry.location().problems().apart();
        ConfigSection server = ConfigSection.read(
                SectionType.SERVER, entry.value(), entry.location().telling(own));
        ConfigSection spoken = new ConfigSection(
                entry.nameLocation().telling(own), server.values(), server.locations(), server.isUnderstood());
        ServerConfig read = read(name, spoken);
        entry.location().problems().adoptWarnings(own);
        return read;
    }

    private ServerConfig read(ServerName name, ConfigSection server) {
        AllServers.Of others = allServers.of(name);
        VariableExpansion variableExpansion = new VariableExpansion(surroundings.environment());
        boolean isGroup = server.has(ServerKeys.REPLICAS);
        List<String> replicas = isGroup ? others.replicas(server) : List.of();
        ServerEndpoint endpoint = isGroup
                ? null
                : new ServerEndpointReader(server, variableExpansion, limits.childLimits(), surroundings).read();
        EraRule eras = new EraRule(era(server), limits.eraProbe());
        ServerTimeouts times = times(server);
        CallSettings rules = new RulesReader(server, sharedSettings, others).read(times.call());
        ServerConfig.Presence presence = presence(server);
        ServerState state = state(server, variableExpansion, endpoint, replicas);
        return new ServerConfig(name, presence, state, eras, times, rules);
    }

    private static ServerConfig.Presence presence(ConfigSection server) {
        IdlePolicy idlePolicy = server.written(ServerKeys.LIFECYCLE);
        ServerIsolation serverIsolation = server.value(ServerKeys.ISOLATION);
        int instances = Math.toIntExact(server.value(ServerKeys.INSTANCES));
        if (serverIsolation == ServerIsolation.SESSION && instances > 1) {
            server.at(ServerKeys.INSTANCES)
                    .error("is " + instances + ", but with \"isolation\": \"session\" each client has one of its own");
        }
        return new ServerConfig.Presence(
                server.value(ServerKeys.CRITICALITY),
                idlePolicy == null ? IdlePolicy.usual() : idlePolicy,
                serverIsolation,
                instances);
    }

    private static ServerState state(
            ConfigSection server,
            VariableExpansion variableExpansion,
            @Nullable ServerEndpoint endpoint,
            List<String> replicas) {
        List<ConfigProblem> errors = server.location().problems().errors();
        if (!errors.isEmpty()) {
            return new Faulty(errors);
        }
        ServerState wanted = wanted(server, variableExpansion, endpoint, replicas);
        if (server.value(ServerKeys.DISABLED)) {
            return new Disabled(wanted);
        }
        if (wanted instanceof AwaitingConfig(List<String> missing)) {
            server.location().warn("waits for variables that are not set: " + String.join(", ", missing));
        }
        return wanted;
    }

    private static ServerState wanted(
            ConfigSection server,
            VariableExpansion variableExpansion,
            @Nullable ServerEndpoint endpoint,
            List<String> replicas) {
        if (!replicas.isEmpty()) {
            return new Replicated(replicas);
        }
        if (!variableExpansion.missing().isEmpty()) {
            return new AwaitingConfig(variableExpansion.missing());
        }
        if (endpoint == null) {
            throw new IllegalStateException(
                    "nothing is wrong or missing, and yet no way leads to " + server.location());
        }
        return new Ready(endpoint);
    }

    /// The old transport is older than the stateless era, so there is nothing to find out.
    private static EraPolicy era(ConfigSection server) {
        boolean isOld = server.written(ServerKeys.TYPE) == TransportType.SSE;
        EraPolicy era = server.value(ServerKeys.ERA);
        if (isOld && era == EraPolicy.STATELESS) {
            server.at(ServerKeys.ERA).error("is \"modern\", which a server of type sse cannot speak");
        }
        return isOld ? EraPolicy.SESSION : era;
    }

    private ServerTimeouts times(ConfigSection server) {
        Duration call = callTimeout(server);
        Duration connect = Duration.ofMillis(server.value(ServerKeys.CONNECT_TIMEOUT_MS));
        Duration tcp = Duration.ofMillis(server.value(ServerKeys.TCP_CONNECT_TIMEOUT_MS));
        boolean isLonger = tcp.compareTo(connect) > 0;
        if (isLonger && server.has(ServerKeys.TCP_CONNECT_TIMEOUT_MS)) {
            server.at(ServerKeys.TCP_CONNECT_TIMEOUT_MS)
                    .error("is longer than connectTimeoutMs, " + connect.toMillis() + ", which it is a part of");
        }
        return new ServerTimeouts(call, connect, shorter(shorter(tcp, connect), withinCall(call)));
    }

    /// A call whose time ends while its line is still being opened says nothing about the server; so a line that
    /// never opens is given up before that.
    private static Duration withinCall(Duration call) {
        return Duration.ofMillis(call.toMillis() * 3 / 4 + 1);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    private Duration callTimeout(ConfigSection server) {
        ConfigSection breaker = server.section(ServerKeys.BREAKER);
        Preset preset = sharedSettings.preset(breaker);
        Duration ofPreset = PresetSection.callTimeout(preset);
        Long written = server.written(ServerKeys.TIMEOUT_MS);
        Duration timeout;
        SourceLocation source = server.location();
        if (written != null) {
            timeout = Duration.ofMillis(written);
            source = server.at(ServerKeys.TIMEOUT_MS);
        } else if (ofPreset != null) {
            timeout = ofPreset;
        } else if (surroundings.usualTimeout() != null) {
            timeout = surroundings.usualTimeout();
        } else {
            timeout = Duration.ofMillis(server.value(ServerKeys.TIMEOUT_MS));
        }
        if (server.has(ServerKeys.COMMAND) && timeout.compareTo(SHORT_FOR_A_PROCESS) < 0) {
            source.warn("lets a call take " + timeout.toMillis() + " ms, which is short for a process; times are in"
                    + " milliseconds");
        }
        return timeout;
    }
}
