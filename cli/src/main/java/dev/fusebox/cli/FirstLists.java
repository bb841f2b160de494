package dev.fusebox.cli;

import dev.fusebox.gateway.cache.SchemaCache;
import dev.fusebox.gateway.config.ConfigFile;
import dev.fusebox.gateway.config.Configuration;
import dev.fusebox.gateway.config.Overrides;
import dev.fusebox.gateway.config.Reading;
import dev.fusebox.gateway.config.SelfReference;
import dev.fusebox.gateway.config.ServerConfig;
import dev.fusebox.gateway.config.ServerState;
import dev.fusebox.gateway.crowd.Crowd;
import dev.fusebox.gateway.crowd.Memory;
import dev.fusebox.gateway.crowd.ToolList;
import dev.fusebox.gateway.meta.ReadBefore;
import dev.fusebox.world.World;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Fills the cache without a gateway: servers whose tools it does not have are started once, list them, and end.
/// For one thread; blocks until each has answered or failed, at most for `discovery.firstListWaitMs`.
final class FirstLists {
    private final World world;
    private final Path file;
    private final Configuration configuration;
    private final Duration limit;

    /// @param file that the configuration stands in
    FirstLists(World world, Path file, Configuration configuration) {
        this(world, file, configuration, configuration.discovery().firstListWait());
    }

    private FirstLists(World world, Path file, Configuration configuration, Duration limit) {
        this.world = world;
        this.file = file;
        this.configuration = configuration;
        this.limit = limit;
    }

    /// Fills the cache for these servers of a file that has just been written. What cannot be read is left to the first
    /// use.
    static void ofImported(World world, Path file, Set<String> servers, Screen screen) {
        if (ConfigFile.read(world, file, Overrides.NONE) instanceof Reading.Usable(Configuration read, var _)) {
            try {
                new FirstLists(world, file, read).read(servers::contains, screen);
            } catch (IOException | ServeOptions.Problem unusable) {
                screen.err()
                        .println("fusebox: tools of the imported servers are not known yet: "
                                + ServerTable.plain(unusable.getMessage()));
            }
        }
    }

    /// The same, which blocks for this at most, if that is less.
    FirstLists within(Duration other) {
        return new FirstLists(world, file, configuration, other.compareTo(limit) < 0 ? other : limit);
    }

    /// Reads all servers that the cache does not have. Gives what is known afterwards.
    Memory read(Screen screen) throws IOException, ServeOptions.Problem {
        return read(server -> true, screen);
    }

    /// The same for these servers, by their ids.
    Memory read(Predicate<String> which, Screen screen) throws IOException, ServeOptions.Problem {
        try (SchemaCache cache = Cache.of(world, file)) {
            FreshLists lists = new FreshLists(cache);
            Set<String> unknown = configuration.servers().stream()
                    .filter(server -> which.test(server.id()) && isUnknown(server, lists))
                    .map(ServerConfig::id)
                    .collect(Collectors.toSet());
            if (!unknown.isEmpty() && limit.isPositive()) {
                read(unknown, lists, screen);
            }
            return lists;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return Memory.NONE;
        }
    }

    private static boolean isUnknown(ServerConfig server, Memory lists) {
        return server.state() instanceof ServerState.Ready && !ToolList.isRemembered(lists, Wiring.identity(server));
    }

    /// The others are not started, not even those that start with the gateway.
    private Configuration only(Set<String> servers) {
        Map<String, Boolean> off = configuration.servers().stream()
                .map(ServerConfig::id)
                .filter(id -> !servers.contains(id))
                .collect(Collectors.toMap(id -> id, id -> false));
        return configuration.switched(off);
    }

    private void read(Set<String> unknown, Memory lists, Screen screen)
            throws ServeOptions.Problem, InterruptedException {
        try (Backend backend = Backend.open(
                        SelfReference.below(world, file),
                        only(unknown),
                        Manner.TO_MANY,
                        new Remembered(lists, ReadBefore.NOTHING));
                Progress _ = Progress.of(world, screen, "asking " + unknown.size() + " server(s) for tools")) {
            if (backend.service() instanceof Crowd crowd) {
                crowd.waitForFirstLists(limit);
                crowd.readFirstLists();
            }
        }
    }
}
