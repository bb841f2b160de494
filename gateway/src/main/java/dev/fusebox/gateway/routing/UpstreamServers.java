package dev.fusebox.gateway.routing;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ClientSession;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.resilience.CallObserver;
import dev.fusebox.config.NullPolicy;
import dev.fusebox.config.SessionBounds;
import dev.fusebox.gateway.catalog.CatalogKind;
import dev.fusebox.gateway.catalog.CatalogStore;
import dev.fusebox.gateway.extension.ExtensionPolicy;
import dev.fusebox.gateway.extension.ServerAddresses;
import dev.fusebox.gateway.lifecycle.LifecycleEvent;
import dev.fusebox.gateway.lifecycle.ServerHealth;
import dev.fusebox.gateway.result.ResultLimiter;
import dev.fusebox.gateway.result.ResultRules;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.gateway.task.TaskIds;
import dev.fusebox.gateway.task.TaskKey;
import dev.fusebox.gateway.tools.AvailableTools;
import dev.fusebox.gateway.upstream.CatalogListener;
import dev.fusebox.gateway.upstream.CatalogRestore;
import dev.fusebox.gateway.upstream.PlannedServer;
import dev.fusebox.gateway.upstream.ServerSnapshot;
import dev.fusebox.gateway.upstream.ServerSpec;
import dev.fusebox.gateway.upstream.ServerView;
import dev.fusebox.gateway.upstream.SharedServerTable;
import dev.fusebox.gateway.upstream.UnavailableServer;
import dev.fusebox.gateway.upstream.UpstreamContext;
import dev.fusebox.gateway.upstream.UpstreamServer;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.VirtualThreadStarter;
import dev.fusebox.protocol.Message;
import dev.fusebox.schema.ArgumentCheck;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The upstream servers of a gateway, their merged catalog, and operator commands for single servers. Each
/// server has its own call pipeline, so that a fault of one does not affect the others. Thread-safe; operator
/// commands block until the new state of the server is known.
public final class UpstreamServers implements AutoCloseable {
    private final Platform platform;
    private final Parameters parameters;
    private final ListeningClients listeningClients;
    private final CatalogRestore catalogRestore;
    private final SearchableTools searchableTools = new SearchableTools();
    private final CatalogWarmup catalogWarmup;
    private final ArgumentCheck arguments = new ArgumentCheck();
    private volatile NullPolicy nullPolicy = NullPolicy.LENIENT;
    private volatile ExtensionPolicy extensions = ExtensionPolicy.DEFAULT;
    private final LastReadApps lastReadApps = new LastReadApps();

    /// Whether any server has had apps or skills. Most gateways have none, and then no result is read for them.
    private volatile boolean hasAddresses;

    private volatile ExposurePolicy exposurePolicy;
    private final AtomicBoolean prepared = new AtomicBoolean();
    private final ClientSessions clientSessions = new ClientSessions(this::servers);
    private final ServerRegistry registry;
    private volatile Catalog catalog = Catalog.EMPTY;
    private volatile VisibleCatalog visibleCatalog;
    private final CatalogViews views = new CatalogViews(this);
    private final LoginElicitations loginElicitations;
    private final ResultLimiter results;
    private volatile boolean hasSharedLists;

    /// The settings that hold for all clients. Immutable.
    ///
    /// @param settings of each session
    /// @param bounds on sessions over HTTP
    /// @param pages the most pages of a server's list
    /// @param events listener of lifecycle events
    /// @param observer notified of calls that are refused because their server cannot be called
    /// @param exposurePolicy what clients see
    /// @param catalogStore keeps catalogs on disk
    /// @param userLogins the logins that clients ask their users for
    /// @param taskKey signs the ids of tasks
    public record Parameters(
            SessionSettings settings,
            SessionBounds bounds,
            int pages,
            LifecycleEvent.Listener events,
            CallObserver observer,
            ExposurePolicy exposurePolicy,
            CatalogStore catalogStore,
            UserLogins userLogins,
            TaskKey taskKey) {
        /// Parameters without a lifecycle listener and without a cache, where clients see everything that
        /// servers offer.
        public Parameters(SessionSettings settings, SessionBounds bounds, int pages) {
            this(
                    settings,
                    bounds,
                    pages,
                    LifecycleEvent.Listener.NONE,
                    CallObserver.NONE,
                    ExposurePolicy.proxy(),
                    CatalogStore.NONE,
                    UserLogins.NONE,
                    TaskKey.OF_THIS_RUN);
        }

        /// A table for the servers of one or more views.
        public SharedServerTable newTable(Platform platform, RandomGenerator secrets) {
            TaskIds taskIds = new TaskIds(platform, taskKey, secrets);
            return new SharedServerTable(new UpstreamContext(platform, secrets, pages, events, catalogStore, taskIds));
        }

        /// The same with another exposure policy.
        public Parameters with(ExposurePolicy other) {
            return new Parameters(settings, bounds, pages, events, observer, other, catalogStore, userLogins, taskKey);
        }
    }

    /// @param secrets source of the resume tokens of suspended calls and of calls that wait for a login
    public UpstreamServers(Platform platform, Parameters parameters, Servers servers, RandomGenerator secrets) {
        this.platform = platform;
        this.parameters = parameters;
        this.exposurePolicy = parameters.exposurePolicy();
        this.listeningClients = new ListeningClients(platform.timers());
        this.catalogRestore =
                new CatalogRestore(platform, parameters.catalogStore(), () -> listeningClients.changed(merged()));
        this.catalogWarmup = new CatalogWarmup(this, catalogRestore);
        this.loginElicitations = new LoginElicitations(platform, parameters.userLogins(), secrets);
        this.visibleCatalog = new VisibleCatalog(catalog, exposurePolicy);
        SharedServerTable table = servers.table() == null ? parameters.newTable(platform, secrets) : servers.table();
        this.results = new ResultLimiter(table.resultStore());
        this.registry = new ServerRegistry(
                table, new ServerView(new ChangeListener(), clientSessions, servers.origin()), servers);
    }

    /// All servers of a configuration. Immutable.
    ///
    /// @param planned those that can be called, in the order of the configuration
    /// @param unavailableServers those that cannot
    /// @param replicaSets the ids of the replicas by the id of their set
    /// @param table of the servers of all views; null if this is the only view
    /// @param origin where the clients are, as in [ServerView]
    public record Servers(
            List<PlannedServer> planned,
            List<UnavailableServer> unavailableServers,
            Map<String, List<String>> replicaSets,
            @Nullable SharedServerTable table,
            Object origin) {
        public Servers {
            planned = List.copyOf(planned);
            unavailableServers = List.copyOf(unavailableServers);
            replicaSets = Collections.unmodifiableMap(new LinkedHashMap<>(replicaSets));
        }

        /// Servers of a gateway with one view.
        public static Servers of(
                List<ServerSpec> specs,
                List<UnavailableServer> unavailableServers,
                Map<String, List<String>> replicaSets) {
            return new Servers(
                    specs.stream().map(PlannedServer::of).toList(), unavailableServers, replicaSets, null, "");
        }
    }

    /// The settings that hold for all clients.
    public Parameters parameters() {
        return parameters;
    }

    ListeningClients listeningClients() {
        return listeningClients;
    }

    LoginElicitations loginElicitations() {
        return loginElicitations;
    }

    ClientSessions clientSessions() {
        return clientSessions;
    }

    // ---- Registry

    Platform platform() {
        return platform;
    }

    /// The ids that clients get for tasks.
    TaskIds taskIds() {
        return registry.upstreamContext().taskIds();
    }

    ArgumentCheck arguments() {
        return arguments;
    }

    NullPolicy nullPolicy() {
        return nullPolicy;
    }

    /// Sets how nulls for optional arguments are treated from now on.
    public void setNullPolicy(NullPolicy other) {
        nullPolicy = other;
    }

    /// The limits on results for clients.
    ResultLimiter results() {
        return results;
    }

    /// Whether lists do not depend on the client.
    boolean hasSharedLists() {
        return hasSharedLists;
    }

    /// Notes that lists do not depend on the client: no token is required, and neither a profile nor the folder of
    /// the client selects servers.
    public void setSharedLists() {
        hasSharedLists = true;
    }

    /// Sets the limits on results of all servers from now on. Clients are notified if that adds or removes the
    /// template of cut results.
    public void setResultRules(ResultRules rules) {
        boolean before = hasLimitedResults();
        results.setRules(rules);
        if (before != hasLimitedResults()) {
            listeningClients.changed(Set.of(CatalogKind.TEMPLATES));
        }
    }

    /// Whether results may be cut, so that clients have to read resources of the gateway.
    boolean hasLimitedResults() {
        return results.limitsAll()
                || servers().stream().anyMatch(server -> server.rules().limitsResults());
    }

    Catalog catalog() {
        return catalog;
    }

    /// Notes whether servers have apps or skills.
    void noteAddresses(Catalog of) {
        if (!of.addresses().isEmpty()) {
            hasAddresses = true;
        }
    }

    /// The addresses of apps and skills as a client sees them.
    ServerAddresses addresses(ClientMetadata client) {
        return hasAddresses ? views.catalog(client).addresses() : ServerAddresses.NONE;
    }

    /// The extensions that the gateway supports.
    ExtensionPolicy extensions() {
        return extensions;
    }

    /// Sets which extensions the gateway supports from now on.
    ///
    /// @param passed those that pass unchanged
    /// @param listsApps whether clients that render apps see the tools with apps where they see no other tools of
    ///     servers
    public void setExtensions(Collection<String> passed, boolean listsApps) {
        boolean isChanged = extensions.listsApps() != listsApps;
        extensions = new ExtensionPolicy(Set.copyOf(passed), listsApps);
        if (isChanged) {
            listeningClients.changed(Set.of(CatalogKind.TOOLS));
        }
    }

    /// The apps that client sessions have read last.
    LastReadApps lastReadApps() {
        return lastReadApps;
    }

    /// All known tools of all servers.
    public ToolList tools() {
        return searchableTools.of(catalog, servers());
    }

    /// The part of the catalog that clients see.
    VisibleCatalog visibleCatalog() {
        return visibleCatalog;
    }

    /// The catalog as single clients see it.
    CatalogViews views() {
        return views;
    }

    /// What clients get to see.
    ExposurePolicy exposurePolicy() {
        return exposurePolicy;
    }

    /// Sets what clients get to see. Takes effect completely with the next [#replaceServers].
    public void setExposurePolicy(ExposurePolicy other) {
        exposurePolicy = other;
    }

    /// All servers that can be called, in the order of the configuration.
    public List<UpstreamServer> servers() {
        return List.copyOf(registry.registrySnapshot().servers().values());
    }

    /// The names of all servers, including those that cannot be called.
    List<String> names() {
        return registry.names();
    }

    /// The replica sets.
    Collection<ReplicaSet> replicaSets() {
        return registry.registrySnapshot().replicaSets().values();
    }

    /// The initial reading of lists.
    CatalogWarmup catalogWarmup() {
        return catalogWarmup;
    }

    @Nullable
    UpstreamServer server(String id) {
        return registry.registrySnapshot().servers().get(id);
    }

    @Nullable
    ReplicaSet replicas(String id) {
        return registry.registrySnapshot().replicaSets().get(id);
    }

    @Nullable
    UnavailableServer unavailableServer(String id) {
        return registry.unavailableServer(id);
    }

    /// Sets how long a client waits at most for servers whose lists are unknown, not even from the cache.
    public void waitForFirstLists(Duration limit) {
        catalogWarmup.waitAtFirst(limit);
    }

    /// Reads all lists that are unknown, and waits for them as a client does. Blocks.
    public void readFirstLists() throws InterruptedException {
        catalogWarmup.awaitTools(null, FirstListWait.unobserved(platform.ticker()));
    }

    // ---- Catalog

    /// Starts restoring the servers' catalogs from the cache. List requests wait a moment for it.
    ///
    /// @param searcher receives the restored tools before the first search; may take a moment
    public void restoreCatalogs(Consumer<AvailableTools> searcher) {
        List<UpstreamServer> all = servers();
        catalogRestore.begin(all, () -> {
            wantLists(all);
            searcher.accept(tools().availableTools());
        });
    }

    /// Status snapshots of all servers, in the order of the configuration, unavailable ones last.
    public List<ServerSnapshot> snapshots() {
        return registry.snapshots(catalog);
    }

    /// Connects to a server that has no connection. Blocks until its new state is known.
    ///
    /// @return null if there is no such server that can be called
    public @Nullable ServerHealth connect(String server) throws InterruptedException {
        UpstreamServer upstreamServer = server(server);
        return upstreamServer == null ? null : upstreamServer.controls().connect();
    }

    /// Uses the login that was just made to a server. Blocks until its new state is known.
    ///
    /// @return null if there is no such server that can be called
    public @Nullable ServerHealth loggedIn(String server) throws InterruptedException {
        UpstreamServer upstreamServer = server(server);
        return upstreamServer == null ? null : upstreamServer.controls().loggedIn();
    }

    /// The servers that are being added.
    public PendingServers pendingServers() {
        return registry.pendingServers();
    }

    /// Waits until the state of a server is known, at most until the deadline.
    public void awaitSettled(String server, Deadline deadline) throws InterruptedException {
        UpstreamServer upstreamServer = server(server);
        if (upstreamServer != null) {
            upstreamServer.lifecycle().awaitSettled(deadline);
        }
    }

    /// Connects to these servers in the background, as far as they can be called. Those with a process for each
    /// session are started when the first session begins.
    public void warmUp(List<String> servers) {
        for (String server : servers) {
            UpstreamServer upstreamServer = server(server);
            if (upstreamServer != null && upstreamServer.sessions().isIsolated()) {
                clientSessions.whenOneIsHere(upstreamServer::wake);
            } else if (upstreamServer != null) {
                upstreamServer.wake();
            }
        }
    }

    // ---- Changes

    private final class ChangeListener implements CatalogListener {
        @Override
        public void changed() {
            listeningClients.changed(merged());
            prepareOnce();
        }

        @Override
        public void changed(ClientMetadata client, Set<CatalogKind> kinds) {
            boolean isSeen = exposurePolicy().hasAll() || extensions.listsApps(client);
            listeningClients.changed(isSeen ? kinds : Set.of());
        }

        @Override
        public void updated(String server, @Nullable ClientSession session, Message.Notification notification) {
            listeningClients.updated(server, session, notification);
        }
    }

    void prepareOnce() {
        if (prepared.compareAndSet(false, true)) {
            VirtualThreadStarter.start("fusebox-prepare", this::prepare, () -> prepared.set(false));
        }
    }

    /// The first argument check takes half a second; it is done here, so that no call waits for it.
    private void prepare() {
        catalog.all(CatalogKind.TOOLS).stream()
                .limit(1)
                .forEach(tool -> arguments.check(
                        tool.shown(), tool.catalogEntry().definition().member("inputSchema"), null));
    }

    /// Rebuilds the merged catalog; returns the kinds that have changed.
    private synchronized Set<CatalogKind> merged() {
        VisibleCatalog before = visibleCatalog;
        Catalog.Listed listed = Catalog.Listed.of(servers(), names(), UpstreamServer::contents);
        Catalog next = new Catalog(listed, List.copyOf(replicaSets()), catalog, exposurePolicy());
        catalog = next;
        noteAddresses(next);
        visibleCatalog = new VisibleCatalog(next, exposurePolicy());
        return visibleCatalog.differences(before);
    }

    /// Replaces the servers by these, in this order; servers that are not named are removed. Calls in flight on
    /// replaced generations may finish within the drain limit. Does not block; must not be called by two threads
    /// concurrently.
    ///
    /// If lists have been requested before, those of new servers are read now: no client would request them
    /// before it is notified of a change.
    public void replaceServers(List<ReloadAction> reloadActions, Duration drain) {
        List<UpstreamServer> joined = registry.replaceServers(reloadActions, drain);
        listeningClients.changed(merged());
        catalogRestore.begin(joined, () -> wantLists(joined));
    }

    private void wantLists(List<UpstreamServer> joined) {
        if (!registry.isClosed()) {
            catalogWarmup.renew(joined);
        }
    }

    @Override
    public void close() {
        registry.close();
        results.close();
    }
}
