package dev.fusebox.gateway;

import dev.fusebox.config.Configuration;
import dev.fusebox.config.ProfileConfig;
import dev.fusebox.gateway.era.GatewayService;
import dev.fusebox.gateway.front.ProfileServices;
import dev.fusebox.gateway.reload.ConfigReload;
import dev.fusebox.gateway.routing.MultipleServers;
import dev.fusebox.gateway.routing.UpstreamServers;
import dev.fusebox.platform.LazyLoggers;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The profiles of a gateway over HTTP: each a workspace at the place of the gateway itself, with a part of its
/// servers. It is opened for its first client, and stays open as long as the profile exists: it has no process of its
/// own. Thread-safe.
final class ProfileWorkspaces implements ProfileServices {
    private static final System.Logger LOG = LazyLoggers.of(ProfileWorkspaces.class);

    private final ClientWorkspace home;
    private final Options options;
    private final ClientWorkspaces.Builder builder;
    private final Object changes;
    private final GatewayService whole;
    private final Map<String, Opened> opened = new ConcurrentHashMap<>();
    private volatile Consumer<String> removals = name -> {};

    /// A profile that has had clients.
    private record Opened(ClientWorkspace workspace, GatewayService service) {
        static Opened of(ClientWorkspace workspace) {
            return new Opened(workspace, new MultipleServers(workspace.servers()));
        }
    }

    /// The options of the gateway that concern profiles. Immutable.
    ///
    /// @param only the profile that the gateway itself serves; null if it serves everything
    /// @param isExposeGiven whether what clients see was given on the command line, which takes precedence
    record Options(@Nullable String only, boolean isExposeGiven) {
        static Options of(ConfigReload.@Nullable Source source) {
            return source == null
                    ? new Options(null, false)
                    : new Options(
                            source.overrides().profile(), source.overrides().has("--expose"));
        }
    }

    /// @param home the workspace of the gateway itself
    /// @param changes the lock under which configurations are applied
    ProfileWorkspaces(ClientWorkspace home, Options options, ClientWorkspaces.Builder builder, Object changes) {
        this.home = home;
        this.whole = new MultipleServers(home.servers());
        this.options = options;
        this.builder = builder;
        this.changes = changes;
    }

    @Override
    public List<String> names() {
        String only = options.only();
        return only == null ? List.copyOf(home.configuration().profiles().keySet()) : List.of(only);
    }

    @Override
    public @Nullable GatewayService find(String name) {
        if (name.equals(options.only())) {
            return whole;
        }
        Opened known = opened.get(name);
        Opened found = known == null ? open(name) : known;
        return found == null ? null : found.service();
    }

    private @Nullable Opened open(String name) {
        synchronized (changes) {
            Opened known = opened.get(name);
            Configuration seen = seen(name);
            if (known != null || seen == null) {
                return known;
            }
            try {
                Opened made = Opened.of(builder.open(home.place(), seen, true));
                opened.put(name, made);
                return made;
            } catch (GatewayException problem) {
                LOG.log(Level.WARNING, "cannot serve profile " + name + ": " + problem.getMessage());
                return null;
            }
        }
    }

    /// What the clients of a profile see; null if there is no such profile.
    private @Nullable Configuration seen(String name) {
        Configuration all = home.configuration();
        ProfileConfig profile = options.only() == null ? all.profiles().get(name) : null;
        if (profile == null) {
            return null;
        }
        Configuration part = all.in(profile);
        return options.isExposeGiven() ? part.exposing(all.expose()) : part;
    }

    /// Follows the configuration of the gateway, which was changed. Called under the lock; does not block.
    void reload() {
        Map.copyOf(opened).forEach((name, profile) -> {
            Configuration next = seen(name);
            if (next == null) {
                remove(name);
            } else {
                apply(name, profile.workspace(), next);
            }
        });
    }

    private void apply(String name, ClientWorkspace workspace, Configuration next) {
        try {
            builder.apply(workspace, next);
        } catch (GatewayException problem) {
            LOG.log(
                    Level.WARNING,
                    "the changed configuration is not applied to profile " + name + ": " + problem.getMessage());
        }
    }

    /// Calls in flight may finish, as those to a removed server.
    private void remove(String name) {
        Opened removed = opened.remove(name);
        if (removed != null) {
            UpstreamServers servers = removed.workspace().servers();
            removals.accept(name);
            servers.replaceServers(List.of(), home.configuration().pool().drain());
            servers.close();
        }
    }

    @Override
    public void onRemoved(Consumer<String> listener) {
        removals = listener;
    }

    @Override
    public void close() {
        synchronized (changes) {
            opened.values().forEach(profile -> profile.workspace().servers().close());
        }
    }
}
