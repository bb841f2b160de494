package dev.fusebox.cli;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorCode;
import dev.fusebox.client.process.ChildProcess;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.SelfReference;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.gateway.doctor.PackageRunner;
import dev.fusebox.gateway.tools.EmbeddingStore;
import dev.fusebox.gateway.upstream.ServerSnapshot;
import dev.fusebox.gateway.upstream.UpstreamServers;
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

/// One round in which servers list their tools for the cache. Used once, by one thread; [#ask] blocks, at most for
/// five minutes and the time that processes take to end.
///
/// All servers are asked at the same time and for `discovery.firstListWaitMs`, but those of package runners, which
/// may have to install them first: a few at a time, each for a minute from its start, and none is started when
/// three minutes are over. A package runner that has not sent a message by then hears no more and has another
/// minute to finish the installation. Ended in the middle, it would leave an incomplete copy that no later start
/// repairs.
final class ListRound {
    /// As long as a server usually has to connect (`connectTimeoutMs`).
    private static final Duration DOWNLOADING = Duration.ofMinutes(1);

    private static final Duration LAST_START = Duration.ofMinutes(3);

    /// For all that was started to end.
    private static final Duration ENDING = Duration.ofSeconds(20);

    /// A failure that takes no longer is not worth remembering: asking again costs little.
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

    /// Where it is written down what servers say, and that they say nothing.
    record Notes(FreshListStore lists, FailedListAttempts failedListAttempts) {}

    ListRound(Platform platform, Path file, Configuration configuration, Notes notes) {
        this.platform = platform;
        this.file = file;
        this.configuration = configuration;
        this.notes = notes;
        this.begun = platform.ticker().nanos();
    }

    /// Servers whose package was probably still being installed when the time was over.
    Collection<String> downloading() {
        return downloading;
    }

    /// Those that were not started in time.
    Collection<String> unasked() {
        return unasked;
    }

    /// @param most above all other limits, but what package runners may take to finish
    void ask(List<ServerConfig> servers, Duration most, CommandOutput output)
            throws ServeOptions.Problem, InterruptedException {
        List<ServerConfig> runners =
                servers.stream().filter(PackageRunner::starts).toList();
        List<ServerConfig> others =
                servers.stream().filter(server -> !PackageRunner.starts(server)).toList();
        left.set(servers.size());
        if (runners.size() > PackageRunner.atOnce()) {
            output.err()
                    .println("fusebox: asking " + servers.size() + " servers for their tools; those that may have to be"
                            + " downloaded are started a few at a time, in "
                            + CacheFiller.minutes(LAST_START.plus(DOWNLOADING).plus(PackageRunner.FINISHING))
                            + " at most");
        }
        Queue<ServerConfig> queue = new ConcurrentLinkedQueue<>(runners);
        try (Progress _ = Progress.of(platform, output, this::said)) {
            takeTurns(queue, most);
            ServeOptions.Problem unusable = askTogether(others, most);
            Duration start = shorter(LAST_START, most);
            platform.await(
                    start.plus(limit(most)).plus(PackageRunner.FINISHING).plus(ENDING), () -> turning.get() == 0);
            queue.forEach(server -> unasked.add(server.id()));
            if (unusable != null) {
                throw unusable;
            }
        }
    }

    private String said() {
        return "waiting for " + ServerTable.counted(left.get(), "server");
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

    /// A server that may be slow to come is waited for no shorter than another.
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
        try (Gateway gateway = open(Set.of(server.id()), ServeMode.INSTALLING)) {
            read(gateway, limit(most.minus(spent())));
            isInstalling = gateway.children().live().stream().anyMatch(ChildProcess::isSilent);
        } catch (ServeOptions.Problem unusable) {
            // Only addresses need a proxy, and these are commands.
            unasked.add(server.id());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        boolean isQuick = platform.ticker().nanos() - started < QUICK.toNanos();
        note(server, isInstalling, isInstalling || !isQuick);
    }

    /// A package runner is believed once that it is still at work.
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

    // ---- The others

    /// The error in their configuration, which the package runners need not suffer from; null if there is none.
    private ServeOptions.@Nullable Problem askTogether(List<ServerConfig> servers, Duration most)
            throws InterruptedException {
        if (servers.isEmpty()) {
            return null;
        }
        Set<String> ids = servers.stream().map(ServerConfig::id).collect(Collectors.toSet());
        Set<String> silent;
        try (Gateway gateway = open(ids, ServeMode.TO_MANY)) {
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

    private static Set<String> silent(Gateway gateway) {
        return gateway.service() instanceof UpstreamServers upstreamServers
                ? upstreamServers.snapshots().stream()
                        .filter(ListRound::isSilent)
                        .map(ServerSnapshot::id)
                        .collect(Collectors.toSet())
                : Set.of();
    }

    private static boolean isSilent(ServerSnapshot server) {
        CallFailure trouble = server.trouble();
        return !server.known() && (trouble == null || trouble.code() == ErrorCode.TIMEOUT);
    }

    // ---- Both

    /// The other servers are not started, not even those that start with the gateway.
    private Gateway open(Set<String> servers, ServeMode serveMode) throws ServeOptions.Problem {
        Map<String, Boolean> off = configuration.servers().stream()
                .map(ServerConfig::id)
                .filter(id -> !servers.contains(id))
                .collect(Collectors.toMap(id -> id, id -> false));
        return Gateway.open(
                platform.withEnvironment(SelfReference.below(platform.environment(), file)),
                configuration.switched(off),
                serveMode,
                new PersistentState(notes.lists(), EmbeddingStore.NOTHING));
    }

    private static void read(Gateway gateway, Duration limit) throws InterruptedException {
        if (gateway.service() instanceof UpstreamServers upstreamServers) {
            upstreamServers.waitForFirstLists(limit);
            upstreamServers.readFirstLists();
        }
    }
}
