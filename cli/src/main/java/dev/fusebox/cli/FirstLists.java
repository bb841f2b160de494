package dev.fusebox.cli;

import dev.fusebox.gateway.cache.SchemaCache;
import dev.fusebox.gateway.config.Configuration;
import dev.fusebox.gateway.config.ServerConfig;
import dev.fusebox.gateway.config.ServerState;
import dev.fusebox.gateway.crowd.Crowd;
import dev.fusebox.world.World;
import java.io.IOException;
import java.nio.file.Path;

/// Fills the cache without a gateway: servers whose tools it does not have are started once, list them, and end.
/// For one thread; blocks until each has answered or failed, at most for `discovery.firstListWaitMs`.
final class FirstLists {
    private final World world;
    private final Path file;
    private final Configuration configuration;

    /// @param file that the configuration stands in
    FirstLists(World world, Path file, Configuration configuration) {
        this.world = world;
        this.file = file;
        this.configuration = configuration;
    }

    void read(Screen screen) throws IOException, ServeOptions.Problem {
        try (SchemaCache cache = Cache.of(world, file)) {
            long unknown = configuration.servers().stream()
                    .filter(server -> isUnknown(server, cache))
                    .count();
            if (unknown > 0) {
                read(cache, screen, "asking " + unknown + " server(s) for tools");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isUnknown(ServerConfig server, SchemaCache cache) {
        return server.state() instanceof ServerState.Ready && cache.recall(Wiring.identity(server)) == null;
    }

    private void read(SchemaCache cache, Screen screen, String doing)
            throws ServeOptions.Problem, InterruptedException {
        try (Backend backend = Backend.open(world, configuration, Manner.TO_MANY, Remembered.listsIn(cache));
                Progress _ = Progress.of(world, screen, doing)) {
            if (backend.service() instanceof Crowd crowd) {
                crowd.readFirstLists();
            }
        }
    }
}
