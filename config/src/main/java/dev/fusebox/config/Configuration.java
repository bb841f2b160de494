package dev.fusebox.config;

import dev.fusebox.config.ServerState.Replicated;
import java.net.URI;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The complete configuration, with defaults for everything that is left out. Immutable.
///
/// @param servers in the order of the file
/// @param expose what clients see of them
/// @param pins single tools that clients see in any case, each as `server/tool`
/// @param tools those of their tools that clients can see, find and call
/// @param gateway the settings for all of them
public record Configuration(
        List<ServerConfig> servers, Expose expose, List<String> pins, VisibleTools tools, Gateway gateway) {
    /// The settings of the whole gateway. Immutable.
    ///
    /// @param pool limits on concurrent work
    /// @param life the lifecycle of servers that are processes, unless a preset overrides it
    /// @param http the HTTP front end
    /// @param limits limits for clients and servers
    /// @param nullPolicy how nulls for optional arguments are treated
    /// @param discovery how tools are found
    /// @param provision which servers may be added
    /// @param execute limits for scripts
    /// @param results limits for results
    /// @param logLevel the lowest severity in the log
    /// @param collector the address of the trace collector; null if there is none
    /// @param credentials where tokens and secrets are stored
    /// @param login how users are asked to log in
    /// @param share whether clients share a gateway
    /// @param extensions which protocol extensions it supports
    /// @param profiles parts of the configuration that clients choose by name, in the order of the file
    public record Gateway(
            PoolConfig pool,
            LifecycleSettings life,
            HttpConfig http,
            LimitConfig limits,
            NullPolicy nullPolicy,
            DiscoveryConfig discovery,
            ProvisionConfig provision,
            ExecuteConfig execute,
            ResultsConfig results,
            LogLevel logLevel,
            @Nullable URI collector,
            CredentialsConfig credentials,
            LoginConfig login,
            ShareConfig share,
            ExtensionConfig extensions,
            Map<String, ProfileConfig> profiles) {
        public Gateway {
            profiles = Collections.unmodifiableMap(new LinkedHashMap<>(profiles));
        }
    }

    public Configuration {
        servers = List.copyOf(servers);
        pins = List.copyOf(pins);
    }

    /// The same, with servers enabled or disabled by an operator.
    ///
    /// @param switched whether they are enabled, by their ids; all other servers keep the state of the file
    public Configuration switched(Map<String, Boolean> switched) {
        List<ServerConfig> all = servers.stream()
                .map(server -> {
                    Boolean isOn = switched.get(server.id());
                    return isOn == null ? server : server.switched(isOn);
                })
                .toList();
        return new Configuration(all, expose, pins, tools, gateway);
    }

    /// The part that a profile has. A replica set brings its replicas.
    public Configuration in(ProfileConfig profile) {
        Set<String> replicas = servers.stream()
                .filter(server -> profile.has(server.id()))
                .flatMap(server -> server.state() instanceof Replicated(List<String> of) ? of.stream() : Stream.empty())
                .collect(Collectors.toSet());
        List<ServerConfig> own = servers.stream()
                .filter(server -> profile.has(server.id()) || replicas.contains(server.id()))
                .toList();
        List<String> ownPins = pins.stream()
                .filter(pin -> profile.has(pin.substring(0, pin.indexOf('/'))))
                .toList();
        return new Configuration(
                own, Objects.requireNonNullElse(profile.expose(), expose), ownPins, profile.tools(), gateway);
    }

    /// The same with another view of it.
    public Configuration exposing(Expose other) {
        return new Configuration(servers, other, pins, tools, gateway);
    }

    public Map<String, ProfileConfig> profiles() {
        return gateway.profiles();
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

    public ResultsConfig results() {
        return gateway.results();
    }

    public CredentialsConfig credentials() {
        return gateway.credentials();
    }

    public ExtensionConfig extensions() {
        return gateway.extensions();
    }

    public ShareConfig share() {
        return gateway.share();
    }

    public LoginConfig login() {
        return gateway.login();
    }

    /// All problems of single servers.
    public Stream<ConfigProblem> problems() {
        return servers.stream().flatMap(server -> server.problems().stream());
    }

    /// The lifecycle settings of a server.
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
        long missing = pool().processes().idleRules().least()
                - eager.stream().filter(ServerConfig::isProcess).count();
        return Stream.concat(eager.stream(), others.limit(Math.max(0, missing)))
                .map(ServerConfig::id)
                .toList();
    }
}
