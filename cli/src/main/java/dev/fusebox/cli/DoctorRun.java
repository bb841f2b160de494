package dev.fusebox.cli;

import dev.fusebox.breaker.Breakers;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.http.ProxyRules;
import dev.fusebox.client.process.ChildProcess;
import dev.fusebox.client.process.ChildProcesses;
import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.client.resilience.CallObserver;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.GatewayClients;
import dev.fusebox.config.SelfReference;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.config.ServerState;
import dev.fusebox.config.SourceLines;
import dev.fusebox.config.SpellingSuggestion;
import dev.fusebox.doctor.CapturedStderr;
import dev.fusebox.doctor.CheckResults;
import dev.fusebox.doctor.DiagnosedServer;
import dev.fusebox.doctor.Diagnostics;
import dev.fusebox.doctor.Finding;
import dev.fusebox.doctor.PackageRunner;
import dev.fusebox.gateway.ConnectionPools;
import dev.fusebox.gateway.GatewayCore;
import dev.fusebox.gateway.GatewayException;
import dev.fusebox.gateway.GatewayHome;
import dev.fusebox.gateway.ServerLogins;
import dev.fusebox.gateway.UpstreamFactory;
import dev.fusebox.gateway.catalog.ServerLabel;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.gateway.session.ServerRequestLimit;
import dev.fusebox.gateway.session.SessionListener;
import dev.fusebox.gateway.settings.LoginConversions;
import dev.fusebox.oauth.LoginExamination;
import dev.fusebox.oauth.LoginListener;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Platform;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// A run of `doctor` over the selected servers. Used once, by one thread; [#examine] blocks until all checks are
/// done or the time limit is reached.
final class DoctorRun {
    /// The part of the limit that is reserved for stopping processes.
    private static final Duration STOP_RESERVE = Duration.ofSeconds(2);

    private final Platform platform;
    private final DoctorOptions options;
    private final long begun;
    private final LiveGateways gateways;
    private final List<ChildProcesses> ofRunners = new ArrayList<>();
    private final Set<String> secrets = ConcurrentHashMap.newKeySet();
    private Duration limit;

    /// @param begun when the run began, by the monotonic clock
    /// @param file the configuration file
    DoctorRun(Platform platform, DoctorOptions options, long begun, Path file) {
        this.platform = platform.withEnvironment(SelfReference.below(platform.environment(), file));
        this.options = options;
        this.begun = begun;
        this.limit = options.limit();
        this.gateways = options.has(DoctorOptions.Flag.FRESH) || options.has(DoctorOptions.Flag.CONFIG_ONLY)
                ? LiveGateways.NONE
                : LiveGateways.of(platform, file, options.limit().dividedBy(8));
    }

    /// What logins and programs for headers have sent, which no report may show.
    Redactor secrets() {
        return Redactor.of(secrets);
    }

    private LoginListener collector() {
        return new LoginListener() {
            @Override
            public void secrets(String server, Collection<String> others) {
                secrets.addAll(others);
            }
        };
    }

    List<Finding> silentGateways() {
        return gateways.silent();
    }

    /// The results of each selected server, in the order of the file.
    List<CheckResults> examine(Path file, Configuration configuration)
            throws ServeOptions.Problem, InterruptedException {
        List<ServerConfig> servers = named(options.names(), configuration.servers());
        limit = options.limit(rounds(servers));
        Map<String, CapturedStderr> stderrByServer = new ConcurrentHashMap<>();
        ChildProcesses children =
                ChildProcesses.open(platform, configuration.pool().startsAtOnce());
        try (Breakers unused = Breakers.settings().build();
                ConnectionPools pools = ConnectionPools.open(platform, configuration);
                ServerLogins serverLogins = new ServerLogins(
                        platform,
                        GatewayHome.loginPlace(platform, configuration),
                        proxies(configuration),
                        collector())) {
            UpstreamFactory.Listeners listeners = new UpstreamFactory.Listeners(
                    CallObserver.NONE,
                    server -> stderrByServer.computeIfAbsent(server, each -> new CapturedStderr()),
                    ServerRequestLimit.USUAL,
                    SessionListener.NONE);
            ProxyRules proxyRules = proxies(configuration);
            UpstreamFactory.Parts parts = new UpstreamFactory.Parts(
                    children, unused, proxyRules, listeners, pools, serverLogins, GatewayClients.MANY);
            SourceLines sourceLines = SourceLines.of(file);
            List<DiagnosedServer> diagnosedServers = new ArrayList<>();
            for (ServerConfig server : servers) {
                CapturedStderr capturedStderr =
                        stderrByServer.computeIfAbsent(server.id(), each -> new CapturedStderr());
                ChildProcesses own = PackageRunner.starts(server) ? ofRunner(configuration) : children;
                UpstreamFactory upstreamFactory = new UpstreamFactory(platform, configuration, parts.with(own));
                Runnable onEnd = own.equals(children) ? () -> {} : own::close;
                diagnosedServers.add(new DiagnosedServer(
                        server,
                        sourceLines,
                        capturedStderr,
                        access(server, upstreamFactory),
                        credentials(server, serverLogins),
                        onEnd));
            }
            Duration left = left();
            Duration each = options.limit().compareTo(left) < 0 ? options.limit() : left;
            return new Diagnostics(platform, each, left).examine(diagnosedServers);
        } finally {
            end(children);
        }
    }

    private ProxyRules proxies(Configuration configuration) throws ServeOptions.Problem {
        try {
            return UpstreamFactory.proxies(platform, configuration);
        } catch (GatewayException unusable) {
            throw new ServeOptions.Problem(String.valueOf(unusable.getMessage()));
        }
    }

    /// Stops all processes. After the limit they are killed, except package runners, which may be in the middle of
    /// an installation.
    private void end(ChildProcesses children) {
        if (left().isZero()) {
            children.kill();
        } else {
            children.close();
        }
        ofRunners.forEach(each -> each.live().forEach(ChildProcess::stop));
        ofRunners.forEach(ChildProcesses::close);
    }

    /// Each package runner has its own process group, so that its turn ends when it has exited.
    private ChildProcesses ofRunner(Configuration configuration) {
        ChildProcesses own = ChildProcesses.open(platform, configuration.pool().startsAtOnce());
        own.startupGrace(GatewayCore.INSTALLATION);
        ofRunners.add(own);
        return own;
    }

    /// How many package runners are run one after the other.
    private static int rounds(List<ServerConfig> servers) {
        long runners = servers.stream().filter(PackageRunner::starts).count();
        return Math.ceilDiv((int) runners, PackageRunner.atOnce());
    }

    /// Whether package runners take turns, which may take minutes.
    boolean hasTurns(Configuration configuration) throws ServeOptions.Problem {
        return !options.has(DoctorOptions.Flag.CONFIG_ONLY) && rounds(named(configuration)) > 1;
    }

    /// The limit of the whole run, depending on the number of downloads.
    Duration limit(Configuration configuration) throws ServeOptions.Problem {
        return options.limit(rounds(named(configuration)));
    }

    /// The remaining time for checks, without the reserve for stopping processes.
    Duration left() {
        Duration quarter = limit.dividedBy(4);
        Duration reserve = quarter.compareTo(STOP_RESERVE) < 0 ? quarter : STOP_RESERVE;
        Duration spent = Duration.ofNanos(platform.ticker().nanos() - begun);
        Duration left = limit.minus(reserve).minus(spent);
        return left.isNegative() ? Duration.ZERO : left;
    }

    private DiagnosedServer.Access access(ServerConfig server, UpstreamFactory upstreamFactory) {
        if (options.has(DoctorOptions.Flag.CONFIG_ONLY)
                || !(server.state() instanceof ServerState.Ready(ServerEndpoint endpoint))) {
            return new DiagnosedServer.Access.None();
        }
        Supplier<FrontTarget> target =
                () -> upstreamFactory.spec(server, endpoint).frontTarget();
        return gateways.of(server.id())
                .map(gateway -> new LiveCheck(platform.ticker(), gateway, server.id(), rejected(endpoint)))
                .<DiagnosedServer.Access>map(live -> new DiagnosedServer.Access.ThroughGateway(live::report, target))
                .orElseGet(() -> new DiagnosedServer.Access.Fresh(target));
    }

    /// What is sent to the server, in the order of precedence.
    private DiagnosedServer.Credentials credentials(ServerConfig server, ServerLogins serverLogins) {
        ServerEndpoint.Remote remote =
                server.state() instanceof ServerState.Ready(ServerEndpoint endpoint) ? endpoint.address() : null;
        if (remote == null || hasHeader(remote)) {
            return new DiagnosedServer.Credentials.Given(remote == null ? "" : "sends an Authorization header");
        }
        if (!remote.headersHelper().isEmpty()) {
            return new DiagnosedServer.Credentials.Given(
                    "sends the headers that " + remote.headersHelper().getFirst() + " prints");
        }
        if (!remote.oauth().isEnabled() || GatewayHome.loginFolder(platform) == null) {
            return new DiagnosedServer.Credentials.Given(
                    remote.oauth().isEnabled()
                            ? "sends no credentials: without HOME and FUSEBOX_HOME there is no place for logins"
                            : "sends no credentials: \"oauth\": false turns logins off");
        }
        LoginExamination examination = serverLogins.logins().examination(LoginConversions.of(server.id(), remote));
        return !remote.headers().isEmpty() && examination.stored() == null
                ? new DiagnosedServer.Credentials.Given("sends the headers of the configuration, and there is no login")
                : new DiagnosedServer.Credentials.OfLogin(examination, () -> serverLogins.login(server.id()));
    }

    private static boolean hasHeader(ServerEndpoint.Remote remote) {
        return remote.headers().keySet().stream().anyMatch("Authorization"::equalsIgnoreCase);
    }

    /// What it means that the server rejects its credentials.
    private static ErrorId rejected(ServerEndpoint endpoint) {
        ServerEndpoint.Remote remote = endpoint.address();
        if (remote == null || hasHeader(remote)) {
            return ErrorId.HTTP_401;
        }
        if (!remote.headersHelper().isEmpty()) {
            return ErrorId.HEADERS_HELPER_FAILED;
        }
        return remote.oauth().isEnabled() ? ErrorId.LOGIN_REQUIRED : ErrorId.HTTP_401;
    }

    /// The selected servers.
    List<ServerConfig> named(Configuration configuration) throws ServeOptions.Problem {
        return named(options.names(), configuration.servers());
    }

    static List<ServerConfig> named(List<String> names, List<ServerConfig> all) throws ServeOptions.Problem {
        List<String> ids = all.stream().map(ServerConfig::id).toList();
        for (String name : names) {
            ServerLabel label = ServerLabel.of(name);
            if (label.isFurther() && ids.contains(label.server())) {
                throw new ServeOptions.Problem(
                        "the doctor checks servers of the configuration, and " + ServerLabelText.of(label) + "; `"
                                + FuseboxCommand.of("doctor", label.server()) + "` checks " + label.server());
            }
            if (!ids.contains(name)) {
                String guess = SpellingSuggestion.nearest(name, ids)
                        .map(near -> "; did you mean \"" + near + "\"?")
                        .orElse("");
                throw new ServeOptions.Problem("no server \"" + name + "\" in the configuration" + guess);
            }
        }
        return all.stream()
                .filter(server -> names.isEmpty() || names.contains(server.id()))
                .toList();
    }
}
