package dev.fusebox.config;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// All that the operator has said, with what is usual where nothing was said. Immutable.
///
/// @param servers in the order of the file
/// @param expose what clients see of them
/// @param pins single tools that clients see in any case, each as `server/tool`
/// @param gateway what holds for all of them
public record Configuration(List<ServerConfig> servers, Expose expose, List<String> pins, Gateway gateway) {
    /// What holds for the whole gateway. Immutable.
    ///
    /// @param pool how much may be under way at once
    /// @param life how servers that are processes are kept alive, unless a preset says otherwise
    /// @param http the front that clients reach over HTTP
    /// @param limits limits for clients and servers
    /// @param nullPolicy how nulls for optional arguments are treated
    /// @param discovery how tools are found
    /// @param provision which servers may be added
    /// @param execute what scripts may cost
    /// @param logLevel the least severe of what the log holds
    /// @param collector where traces go; null if nowhere
    public record Gateway(
            PoolConfig pool,
            LifecycleSettings life,
            HttpConfig http,
            LimitConfig limits,
            NullPolicy nullPolicy,
            DiscoveryConfig discovery,
            ProvisionConfig provision,
            ExecuteConfig execute,
            LogLevel logLevel,
            @Nullable URI collector) {}

    public Configuration {
        servers = List.copyOf(servers);
        pins = List.copyOf(pins);
    }

    /// The same, with servers switched on or off by an operator.
    ///
    /// @param switched whether they are on, by their ids; the others are as the file says
    public Configuration switched(Map<String, Boolean> switched) {
        List<ServerConfig> all = servers.stream()
                .map(server -> {
                    Boolean isOn = switched.get(server.id());
                    return isOn == null ? server : server.switched(isOn);
                })
                .toList();
        return new Configuration(all, expose, pins, gateway);
    }

    public PoolConfig pool() {
        return gateway.pool();
    }

    public HttpConfig http() {
        return gateway.http();
    }

    public LimitConfig limits() {
        return gateway.limits();
    }

    public NullPolicy nullPolicy() {
        return gateway.nullPolicy();
    }

    public DiscoveryConfig discovery() {
        return gateway.discovery();
    }

    public ProvisionConfig provision() {
        return gateway.provision();
    }

    public ExecuteConfig execute() {
        return gateway.execute();
    }

    /// All that is wrong with single servers.
    public Stream<ConfigProblem> problems() {
        return servers.stream().flatMap(server -> server.problems().stream());
    }

    /// How a server is kept alive.
    public LifecycleSettings settings(ServerConfig server) {
        LifecycleSettings usual = gateway.life();
        boolean isProcess = server.isProcess();
        LifecycleSettings.Polls polls =
                isProcess && server.presence().isKept() ? usual.polls().ofKept() : usual.polls();
        LifecycleSettings rules =
                new LifecycleSettings(isProcess, server.rules().crashes(), usual.restartDelays(), polls);
        return server.presence().idlePolicy().isBrief() ? rules.withoutRestarts() : rules;
    }

    /// The servers that are started with the gateway: those that are eager, and as many processes as the pool
    /// keeps, vital ones first.
    public List<String> early() {
        List<ServerConfig> eager =
                servers.stream().filter(server -> server.presence().isEager()).toList();
        List<ServerConfig> processes =
                servers.stream().filter(ServerConfig::isProcess).toList();
        Stream<ServerConfig> others = Stream.concat(
                        processes.stream().filter(ServerConfig::isVital),
                        processes.stream().filter(server -> !server.isVital()))
                .filter(server -> !server.presence().isEager()
                        && !server.presence().idlePolicy().isBrief());
        long missing = pool().processes().keeping().least()
                - eager.stream().filter(ServerConfig::isProcess).count();
        return Stream.concat(eager.stream(), others.limit(Math.max(0, missing)))
                .map(ServerConfig::id)
                .toList();
    }
}
