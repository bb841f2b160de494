package dev.fusebox.cli;

import dev.fusebox.config.ConfigFile;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.Overrides;
import dev.fusebox.config.ReadResult;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.ServerState;
import dev.fusebox.gateway.GatewayHome;
import dev.fusebox.gateway.UpstreamFactory;
import dev.fusebox.gateway.cache.SchemaCache;
import dev.fusebox.gateway.catalog.CatalogStore;
import dev.fusebox.gateway.routing.ToolList;
import dev.fusebox.gateway.settings.HostEnvironments;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/// Fills the schema cache without a gateway: servers whose tools are not cached are started once, list their
/// tools, and are stopped. For one thread; blocks until each server has answered or failed, within the limits of
/// [ToolListRun].
final class CacheFiller {
    private final Platform platform;
    private final Path file;
    private final Configuration configuration;
    /// The upper limit of the whole run.
    private final Duration most;
    /// Servers whose latest attempt had one of these outcomes are skipped.
    private final Set<FailedListAttempts.Outcome> spared;
    private final Set<String> downloading = new TreeSet<>();
    private final Set<String> unasked = new TreeSet<>();

    /// @param file of the configuration
    CacheFiller(Platform platform, Path file, Configuration configuration) {
        this(platform, file, configuration, new Bounds(ChronoUnit.FOREVER.getDuration(), Set.of()));
    }

    private record Bounds(Duration most, Set<FailedListAttempts.Outcome> spared) {}

    private CacheFiller(Platform platform, Path file, Configuration configuration, Bounds bounds) {
        this.platform = platform;
        this.file = file;
        this.configuration = configuration;
        this.most = bounds.most();
        this.spared = bounds.spared();
    }

    /// Fills the cache for these servers of a file that has just been written. A file that cannot be used is
    /// skipped.
    static void ofImported(Platform platform, Path file, Set<String> servers, CommandOutput output) {
        if (ConfigFile.read(HostEnvironments.of(platform), file, Overrides.NONE)
                instanceof ReadResult.Usable(Configuration read, var _)) {
            try {
                CacheFiller lists = new CacheFiller(platform, file, read);
                CatalogStore catalogStore = lists.read(servers::contains, output);
                lists.printUnlisted(catalogStore, servers::contains, output);
            } catch (IOException | ServeOptions.Problem unusable) {
                output.err()
                        .println("fusebox: cannot list the tools of the imported servers: "
                                + OutputText.plain(unusable.getMessage()));
            }
        }
    }

    private void printUnlisted(CatalogStore catalogStore, Predicate<String> which, CommandOutput output) {
        List<String> silent = silent(catalogStore, which);
        if (!silent.isEmpty()) {
            output.err()
                    .println("fusebox: these servers have not listed their tools: " + String.join(", ", silent) + "; `"
                            + FuseboxCommand.onFile("doctor") + "` diagnoses them");
        }
        printPending(output);
    }

    /// Reports servers that may only need more time.
    void printPending(CommandOutput output) {
        String again = "; `" + FuseboxCommand.of("tools") + "` retries";
        if (!downloading.isEmpty()) {
            output.err()
                    .println("fusebox: still downloading after the time limit: " + String.join(", ", downloading)
                            + again);
        }
        if (!unasked.isEmpty()) {
            output.err().println("fusebox: not started within the time limit: " + String.join(", ", unasked) + again);
        }
    }

    /// The servers without a tool list, except those that may only need more time.
    List<String> silent(CatalogStore catalogStore, Predicate<String> which) {
        return unlisted(catalogStore, configuration, which).stream()
                .filter(id -> !downloading.contains(id) && !unasked.contains(id))
                .toList();
    }

    /// The ids of callable servers without a tool list, neither cached nor from this run.
    static List<String> unlisted(CatalogStore catalogStore, Configuration configuration, Predicate<String> which) {
        return configuration.servers().stream()
                .filter(server -> which.test(server.id()) && isUnknown(server, catalogStore))
                .map(ServerConfig::id)
                .toList();
    }

    /// A limit in whole minutes, as text.
    static String minutes(Duration limit) {
        long minutes = Math.ceilDiv(limit.toSeconds(), 60L);
        return minutes == 1 ? "a minute" : minutes + " minutes";
    }

    /// A copy with this upper limit.
    CacheFiller within(Duration other) {
        return new CacheFiller(platform, file, configuration, new Bounds(other, spared));
    }

    /// A copy that skips servers that did not answer recently.
    ///
    /// @param alsoDownloading whether it also skips servers that were still being downloaded
    CacheFiller skipping(boolean alsoDownloading) {
        Set<FailedListAttempts.Outcome> outcomes = alsoDownloading
                ? EnumSet.of(FailedListAttempts.Outcome.SILENT, FailedListAttempts.Outcome.DOWNLOADING)
                : EnumSet.of(FailedListAttempts.Outcome.SILENT);
        return new CacheFiller(platform, file, configuration, new Bounds(most, outcomes));
    }

    /// Records that these servers did not answer just now.
    void noteSilent(Set<String> ids) throws IOException {
        if (ids.isEmpty()) {
            return;
        }
        try (SchemaCache cache = GatewayHome.schemaCache(platform, file)) {
            FailedListAttempts failedListAttempts = new FailedListAttempts(platform, cache);
            configuration.servers().stream()
                    .filter(server -> ids.contains(server.id()) && isUnknown(server, cache))
                    .forEach(server -> failedListAttempts.note(server, FailedListAttempts.Outcome.SILENT));
        }
    }

    /// Lists the tools of all servers that are not cached, and returns the resulting lists.
    CatalogStore read(CommandOutput output) throws IOException, ServeOptions.Problem {
        return read(server -> true, output);
    }

    /// The same for the servers with these ids.
    CatalogStore read(Predicate<String> which, CommandOutput output) throws IOException, ServeOptions.Problem {
        try (SchemaCache cache = GatewayHome.schemaCache(platform, file)) {
            FreshListStore lists = new FreshListStore(cache);
            FailedListAttempts failedListAttempts = new FailedListAttempts(platform, cache);
            List<ServerConfig> asked = asked(which, lists, failedListAttempts);
            if (!asked.isEmpty() && most.isPositive()) {
                ToolListRun round = new ToolListRun(
                        platform, file, configuration, new ToolListRun.Notes(lists, failedListAttempts));
                round.ask(asked, most, output);
                downloading.addAll(round.downloading());
                unasked.addAll(round.unasked());
            }
            return lists;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return CatalogStore.NONE;
        }
    }

    private List<ServerConfig> asked(
            Predicate<String> which, CatalogStore lists, FailedListAttempts failedListAttempts) {
        List<ServerConfig> asked = new ArrayList<>();
        for (ServerConfig server : configuration.servers()) {
            if (!which.test(server.id()) || !isUnknown(server, lists)) {
                continue;
            }
            FailedListAttempts.Outcome latest =
                    spared.isEmpty() ? FailedListAttempts.Outcome.UNKNOWN : failedListAttempts.latest(server);
            if (!spared.contains(latest)) {
                asked.add(server);
            } else if (latest == FailedListAttempts.Outcome.DOWNLOADING) {
                downloading.add(server.id());
            }
        }
        return asked;
    }

    static boolean isUnknown(ServerConfig server, CatalogStore lists) {
        return server.state() instanceof ServerState.Ready
                && !ToolList.isRemembered(lists, UpstreamFactory.identity(server));
    }
}
