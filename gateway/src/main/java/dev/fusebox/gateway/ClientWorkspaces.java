package dev.fusebox.gateway;

import dev.fusebox.config.ConfigProblem;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.Expose;
import dev.fusebox.config.ProfileConfig;
import dev.fusebox.config.ReadResult;
import dev.fusebox.gateway.era.GatewayService;
import dev.fusebox.gateway.reload.ConfigReload;
import dev.fusebox.gateway.routing.MultipleServers;
import dev.fusebox.gateway.session.ClientHistory;
import dev.fusebox.gateway.share.ClientPlace;
import dev.fusebox.gateway.share.SharedServices;
import dev.fusebox.gateway.share.VariableNames;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Timer;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The workspaces of a shared gateway: one for each place at which clients see the same. Servers that are the same
/// in several of them are one server. Thread-safe; [#open] blocks while the configuration is read.
///
/// A workspace without clients is kept for a while: with it the breakers of its servers, and their lists.
final class ClientWorkspaces implements SharedServices {
    private static final System.Logger LOG = LazyLoggers.of(ClientWorkspaces.class);

    /// The most workspaces without clients that are kept; beyond that, those unused for the longest time are closed.
    private static final int MAX_UNUSED = 16;

    private final Platform platform;
    private final ConfigReload.Source source;
    private final ClientWorkspace home;
    private final Builder builder;
    private final Map<ClientPlace, Use> uses = new LinkedHashMap<>();

    /// The variables that the present file may refer to.
    private volatile List<String> variables;

    /// A workspace and its clients.
    private static final class Use {
        private final ClientWorkspace workspace;
        private int clients;
        private @Nullable Timer end;

        Use(ClientWorkspace workspace) {
            this.workspace = workspace;
        }
    }

    /// Builds and changes workspaces. Implementations must not block.
    interface Builder {
        /// The workspace of a configuration.
        ///
        /// @param isProfile whether the configuration is that of a profile
        ClientWorkspace open(LaunchPlace place, Configuration configuration, boolean isProfile) throws GatewayException;

        void apply(ClientWorkspace workspace, Configuration next) throws GatewayException;

        /// The operator's switches.
        UnaryOperator<Configuration> switches();
    }

    /// @param source of the configuration
    /// @param home the workspace at the place of the gateway itself, which stays open
    ClientWorkspaces(Platform platform, ConfigReload.Source source, ClientWorkspace home, Builder builder) {
        this.platform = platform;
        this.source = source;
        this.home = home;
        this.builder = builder;
        this.variables = VariableNames.in(source.file());
    }

    /// The place of this process.
    ///
    /// @param source of the configuration
    /// @param folder in which it was started
    static ClientPlace here(Platform platform, ConfigReload.Source source, String folder) {
        List<String> names = VariableNames.in(source.file());
        Map<String, String> variables = VariableNames.select(names, platform.environment());
        return new ClientPlace(
                folder, names, variables, null, source.overrides().profile());
    }

    @Override
    public List<String> variables() {
        return variables;
    }

    // ---- Clients

    @Override
    public synchronized Lease open(ClientPlace place) throws Unservable {
        if (place.equals(home.place().client())) {
            return new WorkspaceLease(home, () -> {}, List.of());
        }
        Use use = uses.get(place);
        List<String> notes = List.of();
        if (use == null) {
            ReadResult.Usable read = read(place);
            use = new Use(opened(place, read.configuration()));
            notes = read.lines().toList();
            uses.put(place, use);
        }
        Use entered = use;
        if (entered.end != null) {
            entered.end.cancel();
            entered.end = null;
        }
        entered.clients++;
        return new WorkspaceLease(entered.workspace, () -> leave(place, entered), notes);
    }

    private ReadResult.Usable read(ClientPlace place) throws Unservable {
        LaunchPlace launchPlace = new LaunchPlace(place);
        ReadResult result = source.in(launchPlace.variables(platform.environment()))
                .inProfile(place.profile())
                .read();
        return switch (result) {
            case ReadResult.Usable usable -> usable;
            case ReadResult.Refused refused ->
                throw new Unservable(
                        refused.problems().stream().map(ConfigProblem::toString).collect(Collectors.joining("; ")));
        };
    }

    private ClientWorkspace opened(ClientPlace place, Configuration read) throws Unservable {
        Configuration configuration = exposed(place, builder.switches().apply(read));
        try {
            return builder.open(new LaunchPlace(place), configuration, place.profile() != null);
        } catch (GatewayException problem) {
            throw new Unservable(String.valueOf(problem.getMessage()));
        }
    }

    private static Configuration exposed(ClientPlace place, Configuration configuration) {
        String expose = place.expose();
        return expose == null ? configuration : configuration.exposing(Expose.valueOf(expose.toUpperCase(Locale.ROOT)));
    }

    private synchronized void leave(ClientPlace place, Use use) {
        use.clients--;
        if (use.clients == 0) {
            use.end = platform.timers().schedule(home.configuration().share().idle(), () -> end(place, use));
            List<ClientPlace> unused = new ArrayList<>();
            uses.forEach((each, its) -> {
                if (its.clients == 0) {
                    unused.add(each);
                }
            });
            unused.stream().limit(Math.max(0, unused.size() - MAX_UNUSED)).forEach(this::close);
        }
    }

    private synchronized void end(ClientPlace place, Use use) {
        if (use.clients == 0 && use.equals(uses.get(place))) {
            close(place);
        }
    }

    private void close(ClientPlace place) {
        Use use = uses.remove(place);
        if (use != null) {
            if (use.end != null) {
                use.end.cancel();
            }
            use.workspace.servers().close();
        }
    }

    /// The servers for one client.
    private static final class WorkspaceLease implements Lease {
        private final ClientWorkspace workspace;
        private final Runnable onClose;
        private final List<String> notes;
        private final AtomicBoolean closed = new AtomicBoolean();

        WorkspaceLease(ClientWorkspace workspace, Runnable onClose, List<String> notes) {
            this.workspace = workspace;
            this.onClose = onClose;
            this.notes = notes;
        }

        @Override
        public GatewayService service(ClientHistory history) {
            return new MultipleServers(workspace.servers(), history);
        }

        @Override
        public List<String> notes() {
            return notes;
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                onClose.run();
            }
        }
    }

    // ---- Changes

    /// All workspaces, that of the gateway first.
    synchronized List<ClientWorkspace> all() {
        return Stream.concat(Stream.of(home), uses.values().stream().map(use -> use.workspace))
                .toList();
    }

    /// Applies the changed file in all workspaces but that of the gateway, which has been changed. Blocks while it
    /// is read.
    void reload() {
        variables = VariableNames.in(source.file());
        Map<ClientPlace, Use> now;
        synchronized (this) {
            now = new HashMap<>(uses);
        }
        now.forEach((place, use) -> {
            try {
                builder.apply(use.workspace, next(place));
            } catch (Unservable | GatewayException problem) {
                LOG.log(
                        Level.WARNING,
                        "the changed configuration is not applied for clients in " + place.folder() + ": "
                                + problem.getMessage());
            }
        });
    }

    /// The clients of a removed profile see nothing any more.
    private Configuration next(ClientPlace place) throws Unservable {
        Configuration file = home.configuration();
        String profile = place.profile();
        if (profile != null && !file.profiles().containsKey(profile)) {
            LOG.log(
                    Level.WARNING,
                    "profile " + profile + " was removed; its clients in " + place.folder() + " see no servers");
            return file.in(ProfileConfig.NOTHING);
        }
        return exposed(place, builder.switches().apply(read(place).configuration()));
    }

    synchronized void close() {
        List.copyOf(uses.keySet()).forEach(this::close);
    }
}
