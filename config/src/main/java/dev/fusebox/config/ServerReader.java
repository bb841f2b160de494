package dev.fusebox.config;

import dev.fusebox.config.ServerSection.TransportType;
import dev.fusebox.config.ServerState.AwaitingConfig;
import dev.fusebox.config.ServerState.Disabled;
import dev.fusebox.config.ServerState.Faulty;
import dev.fusebox.config.ServerState.Ready;
import dev.fusebox.config.ServerState.Replicated;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads one server after the other; an error in one leaves the others usable. Immutable.
///
/// @param file the whole file
/// @param breakers the sections that set values of breakers
/// @param allServers all servers of the file
/// @param secrets stored secrets that the file refers to
/// @param self recognizes Fusebox itself; has the environment and the folder of the file
/// @param ownPort the port that the gateway listens on over HTTP; 0 if it is not known yet
/// @param usualTimeout the time for a call that the environment sets; null for none
record ServerReader(
        ConfigSection file,
        BreakerLayers breakers,
        AllServers allServers,
        FileSecrets secrets,
        SelfReference self,
        int ownPort,
        @Nullable Duration usualTimeout) {
    /// Shorter times are a common mistake: seconds were written where milliseconds are meant.
    private static final Duration SHORT_FOR_A_PROCESS = Duration.ofSeconds(10);

    ServerConfig read(ServerName name, JsonMember entry) {
        ProblemList own = entry.location().problems().apart();
        ConfigSection server = ConfigSection.read(
                ServerSection.SECTION, entry.value(), entry.location().reportingTo(own));
        ConfigSection named = new ConfigSection(
                entry.nameLocation().reportingTo(own), server.values(), server.locations(), server.isUnderstood());
        ServerConfig read = read(name, named);
        entry.location().problems().adoptWarnings(own);
        return read;
    }

    private ServerConfig read(ServerName name, ConfigSection server) {
        AllServers.References others = allServers.references(name);
        VariableExpansion variableExpansion = new VariableExpansion(self.environment(), secrets);
        boolean isGroup = server.has(ServerSection.REPLICAS);
        List<String> replicas = isGroup ? others.replicas(server) : List.of();
        ServerEndpoint endpoint =
                isGroup ? null : new ServerEndpointReader(server, variableExpansion, self, ownPort).read();
        EraRule eras = new EraRule(era(server), file.section(FileSection.LIMITS).millis(LimitSection.ERA_PROBE_MS));
        ServerTimeouts times = times(server);
        CallSettings rules = rules(server, others);
        ServerConfig.Presence presence = presence(server);
        ServerState state = state(server, variableExpansion, endpoint, replicas);
        return new ServerConfig(name, presence, state, eras, times, rules);
    }

    private CallSettings rules(ConfigSection server, AllServers.References others) {
        ConfigSection breaker = server.section(ServerSection.BREAKER);
        BreakerPreset preset = breakers.preset(breaker);
        ConfigSection recovery =
                ConfigSection.parse(RecoverySection.SECTION, preset == null ? "{}" : preset.recovery());
        String backup = server.written(ServerSection.BACKUP);
        return new CallSettings(
                breakers.read(breaker),
                ToolBreakerSection.read(
                        server.section(ServerSection.TOOL_BREAKER), file.section(FileSection.TOOL_BREAKER), preset),
                RetrySection.read(
                        server.section(ServerSection.RETRY).over(file.section(FileSection.RETRY)),
                        server.value(ServerSection.REPLAY)),
                ToolSection.read(server.section(ServerSection.TOOLS)),
                RecoverySection.crashes(file.section(FileSection.RECOVERY).over(recovery)),
                backup == null ? null : others.backup(backup, server.at(ServerSection.BACKUP)),
                ResultsSection.orNoLimit(server.written(ServerSection.MAX_RESULT_BYTES)));
    }

    private static ServerConfig.Presence presence(ConfigSection server) {
        IdlePolicy idlePolicy = server.written(ServerSection.LIFECYCLE);
        ServerIsolation serverIsolation = server.value(ServerSection.ISOLATION);
        int instances = server.number(ServerSection.INSTANCES);
        if (serverIsolation == ServerIsolation.SESSION && instances > 1) {
            server.at(ServerSection.INSTANCES)
                    .error("is " + instances
                            + ", but with \"isolation\": \"session\" each client has its own instance");
        }
        return new ServerConfig.Presence(
                server.value(ServerSection.CRITICALITY),
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
        if (server.value(ServerSection.DISABLED)) {
            return new Disabled(wanted);
        }
        if (wanted instanceof AwaitingConfig(List<String> missing)) {
            server.location().warn("needs " + new MissingVariables(missing).needs());
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
            throw new IllegalStateException("no endpoint and no problem at " + server.location());
        }
        return new Ready(endpoint);
    }

    /// The old transport is older than the stateless era, so there is nothing to detect.
    private static EraPolicy era(ConfigSection server) {
        boolean isOld = server.written(ServerSection.TYPE) == TransportType.SSE;
        EraPolicy era = server.value(ServerSection.ERA);
        if (isOld && era == EraPolicy.STATELESS) {
            server.at(ServerSection.ERA).error("is \"modern\", which a server of type sse does not support");
        }
        return isOld ? EraPolicy.SESSION : era;
    }

    private ServerTimeouts times(ConfigSection server) {
        Duration call = callTimeout(server);
        Duration connect = server.millis(ServerSection.CONNECT_TIMEOUT_MS);
        Duration tcp = server.millis(ServerSection.TCP_CONNECT_TIMEOUT_MS);
        boolean isLonger = tcp.compareTo(connect) > 0;
        if (isLonger && server.has(ServerSection.TCP_CONNECT_TIMEOUT_MS)) {
            server.at(ServerSection.TCP_CONNECT_TIMEOUT_MS)
                    .error("is longer than connectTimeoutMs, " + connect.toMillis() + ", which includes it");
        }
        return new ServerTimeouts(call, connect, shorter(shorter(tcp, connect), withinCall(call)));
    }

    /// A call that times out while its connection is being opened gives no information about the server, so
    /// opening a connection has a shorter timeout.
    private static Duration withinCall(Duration call) {
        return Duration.ofMillis(call.toMillis() * 3 / 4 + 1);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    private Duration callTimeout(ConfigSection server) {
        BreakerPreset preset = breakers.preset(server.section(ServerSection.BREAKER));
        Duration ofPreset = preset == null ? null : preset.callTimeout();
        Long written = server.written(ServerSection.TIMEOUT_MS);
        Duration timeout;
        SourceLocation source = server.location();
        if (written != null) {
            timeout = Duration.ofMillis(written);
            source = server.at(ServerSection.TIMEOUT_MS);
        } else if (ofPreset != null) {
            timeout = ofPreset;
        } else if (usualTimeout != null) {
            timeout = usualTimeout;
        } else {
            timeout = server.millis(ServerSection.TIMEOUT_MS);
        }
        if (server.has(ServerSection.COMMAND) && timeout.compareTo(SHORT_FOR_A_PROCESS) < 0) {
            source.warn("allows a call only " + timeout.toMillis() + " ms, which is short for a process; times are in"
                    + " milliseconds");
        }
        return timeout;
    }
}
