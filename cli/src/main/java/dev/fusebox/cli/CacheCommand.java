package dev.fusebox.cli;

import dev.fusebox.gateway.GatewayHome;
import dev.fusebox.gateway.cache.CacheFolder;
import dev.fusebox.gateway.cache.SchemaCache;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The command `cache`, which deletes cached tool lists. For one thread; blocks on disk I/O.
final class CacheCommand {
    private static final CommandArguments.Grammar GRAMMAR =
            new CommandArguments.Grammar("cache", Set.of("--json"), Set.of());

    private static final String USAGE = "usage: cache clear [NAME]";

    private final Platform platform;

    CacheCommand(Platform platform) {
        this.platform = platform;
    }

    /// The schema cache, or null if it has no place; for commands that work without one.
    static @Nullable SchemaCache ofOrNull(Platform platform, Path file) {
        try {
            return GatewayHome.schemaCache(platform, file);
        } catch (IOException nowhere) {
            return null;
        }
    }

    ExitStatus run(List<String> arguments, CommandOutput output) {
        try {
            CommandArguments commandArguments = CommandArguments.parse(GRAMMAR, arguments);
            List<String> names = commandArguments.names();
            String action = names.isEmpty() ? "" : names.getFirst();
            if (!action.equals("clear")) {
                throw CommandArguments.unknownAction("cache", action, List.of("clear"), USAGE);
            }
            if (names.size() > 2) {
                throw new ServeOptions.Problem(USAGE);
            }
            Removed removed = clear(names.subList(1, names.size()));
            output.out().println(commandArguments.has("--json") ? json(removed.servers()) : describe(removed));
            return ExitStatus.DONE;
        } catch (ServeOptions.Problem problem) {
            output.err().println("fusebox: " + problem.getMessage());
            return ExitStatus.USAGE;
        } catch (IOException unusable) {
            output.err().println("fusebox: cannot clear the cache: " + unusable.getMessage());
            return ExitStatus.FAILED;
        }
    }

    /// @param servers how many of them had a cache entry
    /// @param vectors whether there was an embedding cache
    private record Removed(int servers, boolean vectors) {}

    /// @param names none for all
    private Removed clear(List<String> names) throws IOException {
        CacheFolder folder = new CacheFolder(GatewayHome.cacheFolder(platform));
        boolean hadVectors;
        int servers;
        try {
            servers = folder.clear(content -> names.isEmpty() || names.contains(server(content)));
        } finally {
            hadVectors = names.isEmpty() && folder.clearVectors();
        }
        return new Removed(servers, hadVectors);
    }

    private static String json(int removed) {
        return new JsonWriter()
                .beginObject()
                .name("removed")
                .number(removed)
                .endObject()
                .toString();
    }

    private static String describe(Removed removed) {
        int servers = removed.servers();
        if (servers == 0 && !removed.vectors()) {
            return "the cache is empty";
        }
        String cleared =
                servers == 0 ? "search index" : "cached tool lists of " + OutputText.counted(servers, "server");
        return "deleted the " + cleared + "; running gateways keep what they have loaded";
    }

    /// The server of a cache entry; empty if the entry is unreadable.
    private static String server(byte[] content) {
        try {
            String server = JsonView.parse(content).string("server");
            return server == null ? "" : server;
        } catch (JsonSyntaxError spoilt) {
            return "";
        }
    }
}
