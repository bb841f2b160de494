package dev.fusebox.gateway;

import dev.fusebox.breaker.Breakers;
import dev.fusebox.client.http.ProxyRules;
import dev.fusebox.client.process.ChildProcesses;
import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.client.resilience.PlatformSurroundings;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.Expose;
import dev.fusebox.config.GatewayClients;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.gateway.admin.AdminApi;
import dev.fusebox.gateway.admin.AdminControls;
import dev.fusebox.gateway.admin.ServerReportBuilder;
import dev.fusebox.gateway.admin.ToolFinder;
import dev.fusebox.gateway.catalog.CatalogStore;
import dev.fusebox.gateway.era.GatewayService;
import dev.fusebox.gateway.front.ProfileServices;
import dev.fusebox.gateway.lifecycle.LifecycleEvent;
import dev.fusebox.gateway.observe.CallCounts;
import dev.fusebox.gateway.observe.CallTelemetry;
import dev.fusebox.gateway.observe.ConfigEvent;
import dev.fusebox.gateway.observe.EventLog;
import dev.fusebox.gateway.observe.LogBuffer;
import dev.fusebox.gateway.observe.Metrics;
import dev.fusebox.gateway.observe.ServerLifecycleEvent;
import dev.fusebox.gateway.observe.SessionCounts;
import dev.fusebox.gateway.observe.Traces;
import dev.fusebox.gateway.provision.ProvisionTool;
import dev.fusebox.gateway.provision.ServerInstaller;
import dev.fusebox.gateway.provision.ToolSearcher;
import dev.fusebox.gateway.reload.ConfigDifference;
import dev.fusebox.gateway.reload.ConfigReload;
import dev.fusebox.gateway.routing.ExposurePolicy;
import dev.fusebox.gateway.routing.MultipleServers;
import dev.fusebox.gateway.routing.UpstreamServers;
import dev.fusebox.gateway.session.ServerRequestLimit;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.gateway.settings.Endpoints;
import dev.fusebox.gateway.settings.ScriptSettings;
import dev.fusebox.gateway.share.OneService;
import dev.fusebox.gateway.share.SharedServices;
import dev.fusebox.gateway.tools.FeatureStore;
import dev.fusebox.gateway.tools.ToolSearch;
import dev.fusebox.gateway.upstream.ServerSnapshot;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.SecretIds;
import dev.fusebox.sandbox.Sandbox;
import dev.fusebox.sandbox.WorkerProgram;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A gateway without front ends: the servers of a configuration, and what is needed to reach and serve them. For
/// commands that serve no client; a whole gateway is a [Gateway].
///
/// Thread-safe, but [#replaceServers] must not be called by two threads concurrently; [#close] blocks until
/// everything that was started has ended.
public final class GatewayCore implements AutoCloseable, ConfigReload.Running {
    /// How long a package runner may take to finish its installation after the doctor has stopped waiting for it:
    /// the default connect timeout once more.
    public static final Duration INSTALLATION = Duration.ofMinutes(1);

    /// The gateway's own name in messages.
    private static final String NAME = "fusebox";

    /// Each call pipeline has its own bounds; this one only protects memory. It is larger than the number of
    /// HTTP connections, so that calls waiting for one server take no room from those for another.
    private static final int MAX_CALLS = 20_000;

    private static final long MAX_CALL_BYTES = 64L << 20;

    private final ChildProcesses children;
    private final ConnectionPools pools;
    private final Breakers breakers;
    private final EventLog eventLog;
    private final LogBuffer logBuffer;
    private final CallCounts counts;
    private final SessionCounts sessions;
    private final CallTelemetry callTelemetry;
    private final Platform platform;
    private final GatewayClients clients;
    private final GatewayService service;
    private final LaunchPlace here;

    /// The servers as this process itself sees them; null if the only server is passed through.
    private final @Nullable ClientWorkspace home;

    private final Runnable whenClosed;
    private final ActiveConfiguration active;

    /// The location of the configuration, and the problems that keep its current content from being active.
    private volatile AdminApi.Source source = new AdminApi.Source(null, List.of());

    private final AdminControls adminControls;
    /// Includes secrets of removed servers, which may still appear in messages.
    private final KnownSecrets knownSecrets;
    private final AdminApi adminApi;
    private final Traces traces;
    private final ServerLogins serverLogins;
    private final ToolSearch search;
    private final Optional<Sandbox> sandbox;
    private final ClientWorkspaceFactory workspaceFactory;
    private final ProvisionTool provision;
    private volatile Optional<ServerInstaller> serverInstaller = Optional.empty();

    /// Null unless clients share the gateway.
    private volatile @Nullable ClientWorkspaces workspaces;

    /// Applies a change for the clients that choose profiles.
    private volatile Runnable reloadProfiles = () -> {};

    /// Opens a gateway. Starts no server yet: a server is started by its first call.
    ///
    /// @throws GatewayException if the servers cannot be served in this mode
    public static GatewayCore open(Platform platform, Configuration configuration, CoreOptions options)
            throws GatewayException {
        ProxyRules proxies = UpstreamFactory.proxies(platform, configuration);
        ServeMode mode = options.serveMode();
        if (mode.isPassThrough() && configuration.expose() != Expose.PROXY) {
            throw new GatewayException(
                    "--no-prefix passes a single server through unchanged; it requires --expose proxy");
        }
        PassedThrough only = mode.isPassThrough() ? PassedThrough.of(configuration) : null;
        return new GatewayCore(platform, configuration, options, new Resolved(proxies, only));
    }

    /// The parts of the configuration that can be wrong. Immutable.
    ///
    /// @param only the single server in pass-through mode; null if all are served as one
    private record Resolved(ProxyRules proxies, @Nullable PassedThrough only) {}

    private GatewayCore(Platform platform, Configuration configuration, CoreOptions options, Resolved resolved) {
        this.platform = platform;
        this.here = options.here() == null ? LaunchPlace.HERE : new LaunchPlace(options.here());
        this.clients = options.serveMode().clients();
        this.active = new ActiveConfiguration(configuration, new ConfigurationTarget());
        this.knownSecrets = new KnownSecrets(Endpoints.secrets(configuration));
        this.children = ChildProcesses.open(platform, configuration.pool().startsAtOnce());
        children.startupGrace(options.serveMode().mayInstall() ? INSTALLATION : Duration.ZERO);
        this.pools = ConnectionPools.open(platform, configuration);
        this.breakers = Breakers.settings()
                .surroundings(PlatformSurroundings.of(platform))
                .build();
        CoreObservers observers = CoreObservers.open(platform, breakers, active::current);
        this.eventLog = observers.events();
        this.logBuffer = observers.log();
        this.traces = observers.traces();
        this.counts = observers.counts();
        this.sessions = observers.sessions();
        this.callTelemetry = observers.calls();
        this.search =
                searching(configuration, options, options.persistentState().featureStore());
        this.sandbox = (configuration.execute().isEnabled() ? options.worker().get() : Optional.<WorkerProgram>empty())
                .map(program -> new Sandbox(platform, children, program, ScriptSettings.of(configuration.execute())));
        this.provision = new ProvisionTool(
                platform,
                new ToolSearcher(search, searching(configuration, options, FeatureStore.NOTHING)),
                new ProvisionTool.Parts(
                        resolved.proxies(), () -> active.current().provision(), () -> serverInstaller));
        this.serverLogins = new ServerLogins(
                platform,
                LoginPlace.of(options.persistentState().loginFolder(), configuration.credentials()),
                resolved.proxies(),
                new LoginObserver(eventLog, knownSecrets));
        UpstreamFactory factory = factory(configuration, resolved.proxies());
        this.workspaceFactory = workspaceFactory(configuration, options.persistentState());
        PassedThrough only = resolved.only();
        RunningService watched = only == null
                ? RunningService.of(servers(configuration, factory.at(here)))
                : only.open(factory, this::publish);
        this.service = watched.service();
        this.home = service instanceof MultipleServers(UpstreamServers upstreamServers, var _)
                ? new ClientWorkspace(here, configuration, upstreamServers, false)
                : null;
        this.whenClosed = watched.whenClosed();
        Supplier<List<ServerSnapshot>> snapshots = only == null ? this::snapshots : watched.snapshots();
        Metrics metrics = metrics(new ServerGauges(snapshots), options.version());
        ServerReportBuilder reports = new ServerReportBuilder(
                snapshots, new ServerReportBuilder.Sources(counts::restarts, pools::snapshot, serverLogins::report));
        this.adminControls = service instanceof MultipleServers(UpstreamServers upstreamServers, var _)
                ? new GatewayControls(this::everywhere, breakers, active::switchTo, serverLogins)
                : AdminControls.NONE;
        this.adminApi = new AdminApi(
                platform,
                new AdminApi.Views(
                        reports, finder(), breakers, eventLog, adminControls, metrics::text, logBuffer, () -> source),
                knownSecrets::redactor);
    }

    private Metrics metrics(ServerGauges gauges, String version) {
        return new Metrics(
                new Metrics.Totals(counts, sessions, version),
                breakers,
                new Metrics.Gauges(
                        gauges::states,
                        gauges::queues,
                        pools::snapshots,
                        () -> children.live().size()));
    }

    private ToolSearch searching(Configuration of, CoreOptions options, FeatureStore featureStore) {
        return new ToolSearch(
                platform,
                of.discovery().semanticMode(),
                new ToolSearch.Stores(options.persistentState().embeddingStore(), featureStore));
    }

    private UpstreamFactory factory(Configuration of, ProxyRules proxies) {
        UpstreamFactory.Listeners listeners = new UpstreamFactory.Listeners(
                callTelemetry, logBuffer::listener, new ServerRequestLimit(counts::questionRefused), sessions);
        return new UpstreamFactory(
                platform,
                of,
                new UpstreamFactory.Parts(children, breakers, proxies, listeners, pools, serverLogins, clients));
    }

    /// The logins of the servers.
    public ServerLogins logins() {
        return serverLogins;
    }

    private CatalogStore withoutSecrets(CatalogStore catalogStore) {
        return new SecretFreeCatalogStore(catalogStore, knownSecrets::redactor);
    }

    private ClientWorkspaceFactory workspaceFactory(Configuration configuration, PersistentState persistentState) {
        SessionSettings settings = SessionSettings.of(NAME)
                .withClientWait(configuration.limits().clientWait())
                .withMaxDepth(configuration.limits().depth())
                .withCalls(MAX_CALLS, MAX_CALL_BYTES)
                .withSessions(sessions);
        UpstreamServers.Parameters parameters = new UpstreamServers.Parameters(
                settings,
                configuration.http().sessions(),
                configuration.limits().toolPages(),
                this::publish,
                callTelemetry,
                ExposurePolicy.proxy(),
                withoutSecrets(persistentState.servers()),
                serverLogins.byUsers(() -> active.current().login().isAsking()),
                persistentState.taskKey());
        return new ClientWorkspaceFactory(
                platform,
                parameters,
                new ClientWorkspaceFactory.Tools(search, provision, sandbox, traces),
                parameters.newTable(platform, SecretIds.system()),
                persistentState.isReadAhead());
    }

    private UpstreamServers servers(Configuration configuration, UpstreamFactory factory) {
        UpstreamServers upstreamServers = workspaceFactory.open(configuration, factory);
        serverLogins.connectBy(upstreamServers::loggedIn);
        return upstreamServers;
    }

    private ToolFinder finder() {
        int most = active.current().discovery().limit();
        return service instanceof MultipleServers(UpstreamServers upstreamServers, var _)
                ? query -> upstreamServers.tools().find(search, query, most)
                : ToolFinder.NONE;
    }

    private void publish(String server, LifecycleEvent event) {
        if (event instanceof LifecycleEvent.Restarted) {
            counts.restarted(server);
        }
        eventLog.publish(new ServerLifecycleEvent(server, event));
    }

    // ---- Configuration reload

    @Override
    public Optional<String> apply(Configuration next, ConfigDifference difference) {
        return active.reload(next);
    }

    private final class ConfigurationTarget implements ActiveConfiguration.Target {
        @Override
        public void apply(Configuration next) throws GatewayException {
            ClientWorkspace own = home;
            if (own == null) {
                throw new GatewayException("with --no-prefix the change takes effect at the next start");
            }
            UpstreamFactory factory = changed(next);
            pools.update(next);
            own.apply(next, factory, workspaceFactory);
        }

        @Override
        public void applyToOthers() {
            reloadProfiles.run();
            ClientWorkspaces others = workspaces;
            if (others != null) {
                others.reload();
            }
        }
    }

    /// Enables adding servers to the configuration file.
    ///
    /// @param readFile triggers a reload of the file; must not block
    void enableAdditions(Path file, Runnable readFile) {
        if (service instanceof MultipleServers(UpstreamServers upstreamServers, var _)) {
            serverInstaller = Optional.of(new ServerInstaller(
                    platform, file, new ConfigFileServerAdder(upstreamServers, active::current, readFile)));
        }
    }

    /// Publishes a configuration event, and keeps current problems for later queries.
    public void publish(ConfigEvent event) {
        List<String> problems = event instanceof ConfigEvent.Rejected rejected ? rejected.problems() : List.of();
        source = new AdminApi.Source(source.file(), problems);
        eventLog.publish(event);
    }

    /// Sets the location of the configuration, for messages to those who change it.
    public void setSource(Path place) {
        source = new AdminApi.Source(place, source.problems());
    }

    /// The active configuration.
    public Configuration configuration() {
        return active.current();
    }

    /// The servers as a front end serves them.
    public GatewayService service() {
        return service;
    }

    /// The servers for clients at several places, which share those that are the same.
    ///
    /// @param file the source of the configuration
    SharedServices share(ConfigReload.Source file) {
        if (home == null || here.client() == null) {
            return new OneService(service);
        }
        ClientWorkspaces opened = new ClientWorkspaces(platform, file, home, new WorkspaceBuilder());
        workspaces = opened;
        return opened;
    }

    /// The profiles for clients over HTTP.
    ///
    /// @param file the source of the configuration; null if there is none
    ProfileServices profiles(ConfigReload.@Nullable Source file) {
        if (home == null) {
            return ProfileServices.NONE;
        }
        ProfileWorkspaces opened =
                new ProfileWorkspaces(home, ProfileWorkspaces.Options.of(file), new WorkspaceBuilder(), this);
        reloadProfiles = opened::reload;
        return opened;
    }

    private final class WorkspaceBuilder implements ClientWorkspaces.Builder {
        @Override
        public ClientWorkspace open(LaunchPlace place, Configuration of, boolean isProfile) throws GatewayException {
            UpstreamFactory factory = changed(of).at(place);
            return new ClientWorkspace(place, of, workspaceFactory.open(of, factory), isProfile);
        }

        @Override
        public void apply(ClientWorkspace workspace, Configuration next) throws GatewayException {
            workspace.apply(next, changed(next), workspaceFactory);
        }

        @Override
        public UnaryOperator<Configuration> switches() {
            return active::switched;
        }
    }

    /// A factory for another configuration, whose secrets are hidden from now on.
    private UpstreamFactory changed(Configuration next) throws GatewayException {
        UpstreamFactory factory = factory(next, UpstreamFactory.proxies(platform, next));
        knownSecrets.add(Endpoints.secrets(next));
        return factory;
    }

    /// The servers of all workspaces, those of this process first.
    List<UpstreamServers> everywhere() {
        ClientWorkspaces all = workspaces;
        Stream<ClientWorkspace> found = all == null ? Stream.ofNullable(home) : all.all().stream();
        return found.map(ClientWorkspace::servers).toList();
    }

    /// The state of all servers, each once, in the order of the configuration.
    private List<ServerSnapshot> snapshots() {
        List<ServerSnapshot> snapshots = new ArrayList<>();
        Set<String> known = new HashSet<>();
        for (UpstreamServers servers : everywhere()) {
            servers.snapshots().stream()
                    .filter(snapshot -> known.add(snapshot.label()))
                    .forEach(snapshots::add);
        }
        List<String> order =
                active.current().servers().stream().map(ServerConfig::id).toList();
        // A server that is being added is not in the configuration yet.
        snapshots.sort(Comparator.comparingInt(
                snapshot -> order.contains(snapshot.id()) ? order.indexOf(snapshot.id()) : order.size()));
        return snapshots;
    }

    /// Its child processes.
    public ChildProcesses children() {
        return children;
    }

    /// The log of the gateway and its servers.
    public LogBuffer logBuffer() {
        return logBuffer;
    }

    /// Hides the secrets of current and former servers.
    Redactor redactor() {
        return knownSecrets.redactor();
    }

    /// The operator's commands for its servers.
    public AdminControls adminControls() {
        return adminControls;
    }

    /// The admin API: status and commands.
    public AdminApi adminApi() {
        return adminApi;
    }

    /// Child processes are ended even if closing the rest fails.
    @Override
    public void close() {
        try {
            adminApi.close();
            pools.close();
            ClientWorkspaces shared = workspaces;
            if (shared != null) {
                shared.close();
            }
            service.close();
            whenClosed.run();
            sandbox.ifPresent(Sandbox::close);
            provision.close();
            search.close();
            breakers.close();
            serverLogins.close();
        } finally {
            children.close();
            traces.close();
        }
    }
}
