package dev.fusebox.cli;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.process.ChildProcess;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.SelfReference;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.doctor.PackageRunner;
import dev.fusebox.gateway.CoreOptions;
import dev.fusebox.gateway.GatewayCore;
import dev.fusebox.gateway.GatewayException;
import dev.fusebox.gateway.GatewayHome;
import dev.fusebox.gateway.PersistentState;
import dev.fusebox.gateway.ServeMode;
import dev.fusebox.gateway.routing.MultipleServers;
import dev.fusebox.gateway.routing.UpstreamServers;
import dev.fusebox.gateway.upstream.ServerSnapshot;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.VirtualThreadStarter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A run in which servers list their tools for the cache. Used once, by one thread; [#ask] blocks, at most for
/// five minutes and the time that processes take to exit.
///
/// All servers are queried concurrently, with the limit `discovery.firstListWaitMs`. Package runners, which may
/// have to install a server first, run a few at a time, each for one minute from its start, and none is started
/// after three minutes. A package runner that has sent no message by then gets no more requests and has another
/// minute to finish the installation: stopped halfway, it would leave an incomplete copy that no later start
/// repairs.
final class ToolListRun {
    /// The default `connectTimeoutMs`.
    private static final Duration DOWNLOADING = Duration.ofMinutes(1);

    private static final Duration LAST_START = Duration.ofMinutes(3);

    /// The time for all processes to exit.
    private static final Duration ENDING = Duration.ofSeconds(20);

    /// Quicker failures are not recorded: trying again costs little.
    private static final Duration QUICK = Duration.ofSeconds(5);

    private final Platform platform;
    private final Path file;
    private final Configuration configuration;
    private final Notes notes;
    private final long begun;
    private final AtomicInteger left = new AtomicInteger();
    private final AtomicInteger turning = new AtomicInteger();
    private final Set<String> downloading = ConcurrentHashMap.newKeySet();
    private final Set<String> unasked = ConcurrentHashMap.newKeySet();

    /// The stores for tool lists and failed attempts.
    record Notes(FreshListStore lists, FailedListAttempts failedListAttempts) {}

    ToolListRun(Platform platform, Path file, Configuration configuration, Notes notes) {
        this.platform = platform;
        this.file = file;
        this.configuration = configuration;
        this.notes = notes;
        this.begun = platform.ticker().nanos();
    }

    /// Servers whose package was probably still being installed at the time limit.
    Collection<String> downloading() {
        return downloading;
    }

    /// Servers that were not started within the time limit.
    Collection<String> unasked() {
        return unasked;
    }

    /// @param most the upper limit, except for package runners that finish an installation
    void ask(List<ServerConfig> servers, Duration most, CommandOutput output)
            throws ServeOptions.Problem, InterruptedException {
        List<ServerConfig> runners =
                servers.stream().filter(PackageRunner::starts).toList();
        List<ServerConfig> others =
                servers.stream().filter(server -> !PackageRunner.starts(server)).toList();
        left.set(servers.size());
        if (runners.size() > PackageRunner.atOnce()) {
            output.err()
                    .println("fusebox: listing the tools of " + servers.size()
                            + " servers; those that may need a download"
                            + " are started a few at a time, for up to "
                            + CacheFiller.minutes(LAST_START.plus(DOWNLOADING).plus(GatewayCore.INSTALLATION)));
        }
        Queue<ServerConfig> queue = new ConcurrentLinkedQueue<>(runners);
        try (Progress _ = Progress.of(platform, output, this::describe)) {
            takeTurns(queue, most);
            ServeOptions.Problem unusable = askTogether(others, most);
            Duration start = shorter(LAST_START, most);
            platform.await(
                    start.plus(limit(most)).plus(GatewayCore.INSTALLATION).plus(ENDING), () -> turning.get() == 0);
            queue.forEach(server -> unasked.add(server.id()));
            if (unusable != null) {
                throw unusable;
            }
        }
    }

    private String describe() {
        return "waiting for " + OutputText.counted(left.get(), "server");
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private Duration spent() {
        return Duration.ofNanos(platform.ticker().nanos() - begun);
    }

    // ---- Package runners

    private void takeTurns(Queue<ServerConfig> queue, Duration most) {
        Thread waiting = Thread.currentThread();
        int turns = Math.min(queue.size(), PackageRunner.atOnce());
        turning.set(turns);
        Runnable over = () -> {
            turning.decrementAndGet();
            LockSupport.unpark(waiting);
        };
        for (int i = 0; i < turns; i++) {
            VirtualThreadStarter.start("fusebox-first-lists", () -> takeTurn(queue, most, over), over);
        }
    }

    private void takeTurn(Queue<ServerConfig> queue, Duration most, Runnable over) {
        try {
            askAll(queue, most);
        } finally {
            over.run();
        }
    }

    private void askAll(Queue<ServerConfig> queue, Duration most) {
        for (ServerConfig next = queue.poll(); next != null; next = queue.poll()) {
            askAlone(next, most);
            left.decrementAndGet();
        }
    }

    /// Servers that may need a download are never given less time than others.
    private Duration limit(Duration most) {
        Duration wait = configuration.discovery().firstListWait();
        return shorter(most, wait.compareTo(DOWNLOADING) < 0 ? DOWNLOADING : wait);
    }

    private void askAlone(ServerConfig server, Duration most) {
        if (spent().compareTo(shorter(LAST_START, most)) >= 0) {
            unasked.add(server.id());
            return;
        }
        long started = platform.ticker().nanos();
        boolean isInstalling = false;
        try (GatewayCore gateway = open(Set.of(server.id()), ServeMode.INSTALLING)) {
            read(gateway, limit(most.minus(spent())));
            isInstalling = gateway.children().live().stream().anyMatch(ChildProcess::isSilent);
        } catch (ServeOptions.Problem unusable) {
            // Only URLs need a proxy, and these servers are commands.
            unasked.add(server.id());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        boolean isQuick = platform.ticker().nanos() - started < QUICK.toNanos();
        note(server, isInstalling, isInstalling || !isQuick);
    }

    /// A package runner counts as still downloading at most once.
    private void note(ServerConfig server, boolean isInstalling, boolean isWorthIt) {
        if (!CacheFiller.isUnknown(server, notes.lists())) {
            notes.failedListAttempts().forget(server);
        } else if (isInstalling
                && notes.failedListAttempts().latest(server) != FailedListAttempts.Outcome.DOWNLOADING) {
            downloading.add(server.id());
            notes.failedListAttempts().note(server, FailedListAttempts.Outcome.DOWNLOADING);
        } else if (isWorthIt) {
            notes.failedListAttempts().note(server, FailedListAttempts.Outcome.SILENT);
        }
    }

    /// The configuration error of these servers, which does not affect package runners; null if there is none.
    private ServeOptions.@Nullable Problem askTogether(List<ServerConfig> servers, Duration most)
            throws InterruptedException {
        if (servers.isEmpty()) {
            return null;
        }
        Set<String> ids = servers.stream().map(ServerConfig::id).collect(Collectors.toSet());
        Set<String> silent;
        try (GatewayCore gateway = open(ids, ServeMode.TO_MANY)) {
            read(gateway, shorter(most, configuration.discovery().firstListWait()));
            silent = silent(gateway);
        } catch (ServeOptions.Problem unusable) {
            return unusable;
        }
        for (ServerConfig server : servers) {
            note(server, false, silent.contains(server.id()));
            left.decrementAndGet();
        }
        return null;
    }

    private static Set<String> silent(GatewayCore gateway) {
        return gateway.service() instanceof MultipleServers(UpstreamServers upstreamServers, var _)
                ? upstreamServers.snapshots().stream()
                        .filter(ToolListRun::isSilent)
                        .map(ServerSnapshot::id)
                        .collect(Collectors.toSet())
                : Set.of();
    }

    private static boolean isSilent(ServerSnapshot server) {
        CallFailure trouble = server.failure();
        return !server.known() && (trouble == null || trouble.code() == ErrorCode.TIMEOUT);
    }

    /// All other servers are disabled, including eager ones.
    private GatewayCore open(Set<String> servers, ServeMode serveMode) throws ServeOptions.Problem {
        Map<String, Boolean> off = configuration.servers().stream()
                .map(ServerConfig::id)
                .filter(id -> !servers.contains(id))
                .collect(Collectors.toMap(id -> id, id -> false));
        try {
            return GatewayCore.open(
                    platform.withEnvironment(SelfReference.below(platform.environment(), file)),
                    configuration.switched(off),
                    CoreOptions.of(serveMode)
                            .with(PersistentState.listsIn(notes.lists())
                                    .withLogins(GatewayHome.loginFolder(platform))));
        } catch (GatewayException unusable) {
            throw new ServeOptions.Problem(String.valueOf(unusable.getMessage()));
        }
    }

    private static void read(GatewayCore gateway, Duration limit) throws InterruptedException {
        if (gateway.service() instanceof MultipleServers(UpstreamServers upstreamServers, var _)) {
            upstreamServers.waitForFirstLists(limit);
            upstreamServers.readFirstLists();
        }
    }
}
