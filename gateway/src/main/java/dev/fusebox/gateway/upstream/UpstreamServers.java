package dev.fusebox.gateway.upstream;

import dev.fusebox.client.ClientMetadata;
import dev.fusebox.client.ClientSession;
import dev.fusebox.client.Deadline;
import dev.fusebox.client.Outcome;
import dev.fusebox.client.ServerMessageHandler;
import dev.fusebox.client.resilience.CallObserver;
import dev.fusebox.config.NullPolicy;
import dev.fusebox.config.SessionBounds;
import dev.fusebox.gateway.arguments.ArgumentCheck;
import dev.fusebox.gateway.lifecycle.LifecycleEvent;
import dev.fusebox.gateway.lifecycle.ServerHealth;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.gateway.tools.AvailableTools;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.VirtualThreadStarter;
import dev.fusebox.protocol.Message;
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

/// The upstream servers of a gateway, their merged catalog, and what an operator does to single servers. Each server has
/// its own call pipeline, so that a fault of one does not affect the others. Thread-safe; an operator's commands block
/// until the new state of the server is known.
public final class UpstreamServers implements AutoCloseable {
    private final Platform platform;
    private final Parameters parameters;
    private final ListeningClients listeningClients;
    private final CatalogRestore catalogRestore;
    private final SearchableTools searchableTools = new SearchableTools();
    private final CatalogWarmup catalogWarmup;
    private final ArgumentCheck arguments = new ArgumentCheck();
    private volatile NullPolicy nullPolicy = NullPolicy.LENIENT;
    private final AtomicBoolean prepared = new AtomicBoolean();
    private final ClientSessions clientSessions = new ClientSessions(this::servers);
    private final ServerRegistry registry;
    private volatile Catalog catalog = Catalog.EMPTY;
    private volatile VisibleCatalog visibleCatalog;
    private final CatalogViews views = new CatalogViews(this);

    /// What holds for all clients. Immutable.
    ///
    /// @param settings what a conversation keeps to
    /// @param bounds how many there may be over HTTP
    /// @param pages how many a server's list may have
    /// @param events hears of the lives of servers
    /// @param observer sees calls that are refused because their server cannot be called
    /// @param exposurePolicy what clients see
    /// @param catalogStore keeps what servers offer
    public record Parameters(
            SessionSettings settings,
            SessionBounds bounds,
            int pages,
            LifecycleEvent.Listener events,
            CallObserver observer,
            ExposurePolicy exposurePolicy,
            CatalogStore catalogStore) {
        /// Nobody hears of the lives of servers, clients see all that these have, and nothing is remembered.
        public Parameters(SessionSettings settings, SessionBounds bounds, int pages) {
            this(
                    settings,
                    bounds,
                    pages,
                    LifecycleEvent.Listener.NONE,
                    CallObserver.NONE,
                    ExposurePolicy.proxy(),
                    CatalogStore.NONE);
        }

        /// The same with another menu.
        public Parameters with(ExposurePolicy other) {
            return new Parameters(settings, bounds, pages, events, observer, other, catalogStore);
        }
    }

    /// @param secrets makes the tickets of calls that wait for their client
    public UpstreamServers(Platform platform, Parameters parameters, Servers servers, RandomGenerator secrets) {
        this.platform = platform;
        this.parameters = parameters;
        this.listeningClients = new ListeningClients(platform.timers());
        this.catalogRestore =
                new CatalogRestore(platform, parameters.catalogStore(), () -> listeningClients.changed(merged()));
        this.catalogWarmup = new CatalogWarmup(this, catalogRestore);
        this.visibleCatalog = new VisibleCatalog(catalog, parameters.exposurePolicy());
        UpstreamContext upstreamContext = new UpstreamContext(
                platform, secrets, parameters.pages(), parameters.events(), parameters.catalogStore(), clientSessions);
        this.registry = new ServerRegistry(upstreamContext, new ChangeListener(), servers);
    }

    /// All servers of a configuration. Immutable.
    ///
    /// @param specs those that can be called, in the order of the configuration
    /// @param unavailableServers those that cannot
    /// @param replicaSets the ids of those that others consist of, by the id of each of these
    public record Servers(
            List<ServerSpec> specs, List<UnavailableServer> unavailableServers, Map<String, List<String>> replicaSets) {
        public Servers {
            specs = List.copyOf(specs);
            unavailableServers = List.copyOf(unavailableServers);
            replicaSets = Collections.unmodifiableMap(new LinkedHashMap<>(replicaSets));
        }

        /// Each stands for itself.
        public Servers(List<ServerSpec> specs, List<UnavailableServer> unavailableServers) {
            this(specs, unavailableServers, Map.of());
        }
    }

    /// What holds for all clients.
    public Parameters parameters() {
        return parameters;
    }

    SessionSettings settings() {
        return parameters.settings();
    }

    ListeningClients listeningClients() {
        return listeningClients;
    }

    ClientSessions clientSessions() {
        return clientSessions;
    }

    // ---- Who is there

    CallObserver observer() {
        return parameters.observer();
    }

    Platform platform() {
        return platform;
    }

    ArgumentCheck arguments() {
        return arguments;
    }

    NullPolicy nullPolicy() {
        return nullPolicy;
    }

    /// What becomes of nulls for optional arguments from now on.
    public void treat(NullPolicy other) {
        nullPolicy = other;
    }

    Catalog catalog() {
        return catalog;
    }

    /// All tools of all servers, as far as they are known.
    public ToolList tools() {
        return searchableTools.of(catalog, servers());
    }

    /// What clients see of the catalog.
    VisibleCatalog visibleCatalog() {
        return visibleCatalog;
    }

    /// The catalog as single clients see it.
    CatalogViews views() {
        return views;
    }

    /// What clients get to see.
    ExposurePolicy exposurePolicy() {
        return parameters.exposurePolicy();
    }

    /// All that can be called, in the order of the configuration.
    List<UpstreamServer> servers() {
        return List.copyOf(registry.registrySnapshot().servers().values());
    }

    /// The names of all servers, also of those that cannot be called.
    List<String> names() {
        return registry.names();
    }

    /// Those that consist of others.
    Collection<ReplicaSet> replicaSets() {
        return registry.registrySnapshot().replicaSets().values();
    }

    /// What servers say they offer, for whoever waits for it.
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

    /// How long a client waits at most for servers of which nothing is known, not even from the cache.
    public void waitForFirstLists(Duration limit) {
        catalogWarmup.waitAtFirst(limit);
    }

    /// Has all servers list what they offer of which nothing is known, and waits for them as a client does.
    public void readFirstLists() throws InterruptedException {
        catalogWarmup.awaitTools(null, FirstListWait.unobserved(platform.ticker()));
    }

    // ---- What they offer

    /// Begins to read from memory what servers offered when they were last seen. Lists that clients ask for
    /// meanwhile wait for it for a moment.
    ///
    /// @param searcher is handed what there is then, before anybody searches it; may take a moment
    public void remember(Consumer<AvailableTools> searcher) {
        catalogRestore.begin(servers(), () -> {
            wantAll();
            searcher.accept(tools().availableTools());
        });
    }

    /// How all servers are at this moment, in the order of the configuration, those that cannot be called last.
    public List<ServerSnapshot> snapshots() {
        return registry.snapshots(catalog);
    }

    /// Starts a server anew. Blocks until it is known how it is then.
    ///
    /// @return null if there is no such server that can be called
    public @Nullable ServerHealth restart(String server) throws InterruptedException {
        UpstreamServer upstreamServer = server(server);
        return upstreamServer == null ? null : upstreamServer.controls().restart();
    }

    /// Connects to a server, if it has no connection. Blocks until it is known how it is then.
    ///
    /// @return null if there is no such server that can be called
    public @Nullable ServerHealth connect(String server) throws InterruptedException {
        UpstreamServer upstreamServer = server(server);
        return upstreamServer == null ? null : upstreamServer.controls().connect();
    }

    /// Asks a server for a sign of life, as a call that its breaker judges. Blocks for the answer.
    ///
    /// @return null if there is no such server that can be called
    public @Nullable Outcome ping(String server) {
        UpstreamServer upstreamServer = server(server);
        return upstreamServer == null ? null : upstreamServer.ping();
    }

    /// Whether a server works on a call, so that it would prove nothing if it gave no sign of life.
    public boolean isAtWork(String server) {
        UpstreamServer upstreamServer = server(server);
        return upstreamServer != null && upstreamServer.isAtWork();
    }

    /// Servers that are being added.
    public PendingServers pendingServers() {
        return registry.pendingServers();
    }

    /// Waits until it is known how a server is, for as long as a caller has patience.
    public void awaitSettled(String server, Deadline deadline) throws InterruptedException {
        UpstreamServer upstreamServer = server(server);
        if (upstreamServer != null) {
            upstreamServer.lifecycle().awaitSettled(deadline);
        }
    }

    /// Connects to these servers, as far as they can be called, and waits for none of them. Those that are for
    /// guests alone are started when the first one comes.
    public void warm(List<String> servers) {
        for (String server : servers) {
            UpstreamServer upstreamServer = server(server);
            if (upstreamServer != null && upstreamServer.isIsolated()) {
                clientSessions.whenOneIsHere(upstreamServer::wake);
            } else if (upstreamServer != null) {
                upstreamServer.wake();
            }
        }
    }

    // ---- What changes

    private final class ChangeListener implements CatalogListener {
        @Override
        public void changed() {
            listeningClients.changed(merged());
            prepareOnce();
        }

        @Override
        public void changed(ClientMetadata client, Set<CatalogKind> kinds) {
            Set<CatalogKind> seen = exposurePolicy().hasAll() ? kinds : Set.of();
            ClientSession session = client.clientSession();
            List<String> methods = seen.stream().map(CatalogKind::changed).distinct().toList();
            if (session == null || methods.isEmpty() || !session.listsChanged(methods)) {
                listeningClients.changed(seen);
            }
        }

        @Override
        public void updated(String server, Message.Notification notification) {
            listeningClients.updated(server, notification);
        }
    }

    void prepareOnce() {
        if (prepared.compareAndSet(false, true)) {
            VirtualThreadStarter.start("fusebox-prepare", this::prepare, () -> prepared.set(false));
        }
    }

    /// The first check of arguments takes half a second, which no call needs to wait for: calls will come now.
    private void prepare() {
        catalog.all(CatalogKind.TOOLS).stream()
                .limit(1)
                .forEach(tool -> arguments.check(
                        tool.shown(), tool.catalogEntry().definition().member("inputSchema"), null));
    }

    /// Puts all lists together anew; gives the kinds that are not what they were.
    private synchronized Set<CatalogKind> merged() {
        VisibleCatalog before = visibleCatalog;
        Catalog next = new Catalog(servers(), List.copyOf(replicaSets()), catalog);
        catalog = next;
        visibleCatalog = new VisibleCatalog(next, exposurePolicy());
        return visibleCatalog.differences(before);
    }

    /// From now on the servers are these, in this order; those that are not named leave. Calls that are under
    /// way on what was before go on for so long at most. Does not block; not to be called by two threads at once.
    ///
    /// If lists have been asked for, those of who is new are read now: nobody would ask for them before hearing
    /// that there is something new.
    public void become(List<ReloadAction> reloadActions, Duration drain) {
        List<UpstreamServer> joined = registry.become(reloadActions, drain);
        listeningClients.changed(merged());
        catalogRestore.begin(joined, this::wantAll);
    }

    private void wantAll() {
        if (!registry.isClosed()) {
            catalogWarmup.renew();
        }
    }

    @Override
    public void close() {
        registry.close();
    }
}
