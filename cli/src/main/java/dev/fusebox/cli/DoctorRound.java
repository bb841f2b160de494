package dev.fusebox.cli;

import dev.fusebox.breaker.Breakers;
import dev.fusebox.client.http.ProxyRules;
import dev.fusebox.client.process.ChildProcess;
import dev.fusebox.client.process.ChildProcesses;
import dev.fusebox.client.resilience.CallObserver;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.SelfReference;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.config.ServerState;
import dev.fusebox.config.SourceLines;
import dev.fusebox.config.SpellingSuggestion;
import dev.fusebox.gateway.doctor.CapturedStderr;
import dev.fusebox.gateway.doctor.CheckResults;
import dev.fusebox.gateway.doctor.DiagnosedServer;
import dev.fusebox.gateway.doctor.Diagnostics;
import dev.fusebox.gateway.doctor.Finding;
import dev.fusebox.gateway.doctor.PackageRunner;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.gateway.session.ServerRequestLimit;
import dev.fusebox.gateway.session.SessionListener;
import dev.fusebox.platform.Platform;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// One round of the doctor through all servers that are meant. Used once, by one thread; [#examine] blocks until
/// all is known or the time is over.
final class DoctorRound {
    /// Kept for ending what was started, of the whole time.
    private static final Duration FAREWELL = Duration.ofSeconds(2);

    private final Platform platform;
    private final DoctorOptions words;
    private final long begun;
    private final LiveGateways gateways;
    private final List<ChildProcesses> ofRunners = new ArrayList<>();
    private Duration limit;

    /// @param begun when the doctor's time began, by the monotonic clock
    /// @param file that says what servers there are
    DoctorRound(Platform platform, DoctorOptions words, long begun, Path file) {
        this.platform = platform.withEnvironment(SelfReference.below(platform.environment(), file));
        this.words = words;
        this.begun = begun;
        this.limit = words.limit();
        this.gateways = words.has(DoctorOptions.Way.FRESH) || words.has(DoctorOptions.Way.CONFIG_ONLY)
                ? LiveGateways.NONE
                : LiveGateways.of(platform, file, words.limit().dividedBy(8));
    }

    List<Finding> silentGateways() {
        return gateways.silent();
    }

    /// A chart for each server that is meant, in the order of the file.
    List<CheckResults> examine(Path file, Configuration configuration)
            throws ServeOptions.Problem, InterruptedException {
        List<ServerConfig> servers = named(words.names(), configuration.servers());
        limit = words.limit(rounds(servers));
        Map<String, CapturedStderr> stderrByServer = new ConcurrentHashMap<>();
        ChildProcesses children =
                ChildProcesses.open(platform, configuration.pool().startsAtOnce());
        try (Breakers unused = Breakers.settings().build();
                PoolFactory slots = PoolFactory.open(platform, configuration)) {
            UpstreamFactory.Eyes listener = new UpstreamFactory.Eyes(
                    CallObserver.NOBODY,
                    server -> stderrByServer.computeIfAbsent(server, each -> new CapturedStderr()),
                    ServerRequestLimit.USUAL,
                    SessionListener.NONE);
            ProxyRules proxyRules = Gateway.proxies(platform, configuration);
            UpstreamFactory.Parts parts =
                    new UpstreamFactory.Parts(children, unused, proxyRules, listener, slots, false);
            SourceLines sourceLines = SourceLines.of(file);
            List<DiagnosedServer> diagnosedServers = new ArrayList<>();
            for (ServerConfig server : servers) {
                CapturedStderr capturedStderr =
                        stderrByServer.computeIfAbsent(server.id(), each -> new CapturedStderr());
                ChildProcesses own = PackageRunner.starts(server) ? ofRunner(configuration) : children;
                UpstreamFactory upstreamFactory = new UpstreamFactory(platform, configuration, parts.with(own));
                Runnable leaving = own.equals(children) ? () -> {} : own::close;
                diagnosedServers.add(new DiagnosedServer(
                        server, sourceLines, capturedStderr, visit(server, upstreamFactory), leaving));
            }
            Duration left = left();
            Duration each = words.limit().compareTo(left) < 0 ? words.limit() : left;
            return new Diagnostics(platform, each, left).examine(diagnosedServers);
        } finally {
            end(children);
        }
    }

    /// What did not end in time is not asked again, unless it may be in the middle of an installation.
    private void end(ChildProcesses children) {
        if (left().isZero()) {
            children.kill();
        } else {
            children.close();
        }
        ofRunners.forEach(each -> each.live().forEach(ChildProcess::stop));
        ofRunners.forEach(ChildProcesses::close);
    }

    /// Each has its own, so that the next one has its turn when the last one has gone. They start nothing yet.
    private ChildProcesses ofRunner(Configuration configuration) {
        ChildProcesses own = ChildProcesses.open(platform, configuration.pool().startsAtOnce());
        own.lettingFinish(PackageRunner.FINISHING);
        ofRunners.add(own);
        return own;
    }

    /// How many package runners come one after the other.
    private static int rounds(List<ServerConfig> servers) {
        long runners = servers.stream().filter(PackageRunner::starts).count();
        return Math.ceilDiv((int) runners, PackageRunner.atOnce());
    }

    /// Whether package runners take turns, which may take minutes.
    boolean hasTurns(Configuration configuration) throws ServeOptions.Problem {
        return !words.has(DoctorOptions.Way.CONFIG_ONLY) && rounds(named(configuration)) > 1;
    }

    /// For everything together, as far as servers have to be downloaded.
    Duration limit(Configuration configuration) throws ServeOptions.Problem {
        return words.limit(rounds(named(configuration)));
    }

    /// What is left for the servers, without what it takes to end what was started.
    Duration left() {
        Duration quarter = limit.dividedBy(4);
        Duration farewell = quarter.compareTo(FAREWELL) < 0 ? quarter : FAREWELL;
        Duration spent = Duration.ofNanos(platform.ticker().nanos() - begun);
        Duration left = limit.minus(farewell).minus(spent);
        return left.isNegative() ? Duration.ZERO : left;
    }

    private DiagnosedServer.Visit visit(ServerConfig server, UpstreamFactory upstreamFactory) {
        if (words.has(DoctorOptions.Way.CONFIG_ONLY)
                || !(server.state() instanceof ServerState.Ready(ServerEndpoint endpoint))) {
            return new DiagnosedServer.Visit.None();
        }
        Supplier<FrontTarget> way = () -> upstreamFactory.spec(server, endpoint).frontTarget();
        return gateways.of(server.id())
                .map(gateway -> new LiveCheck(platform.ticker(), gateway, server.id()))
                .<DiagnosedServer.Visit>map(live -> new DiagnosedServer.Visit.Asked(live::told, way))
                .orElseGet(() -> new DiagnosedServer.Visit.Fresh(way));
    }

    /// Those that are asked for.
    List<ServerConfig> named(Configuration configuration) throws ServeOptions.Problem {
        return named(words.names(), configuration.servers());
    }

    static List<ServerConfig> named(List<String> names, List<ServerConfig> all) throws ServeOptions.Problem {
        List<String> ids = all.stream().map(ServerConfig::id).toList();
        for (String name : names) {
            if (!ids.contains(name)) {
                String guess = SpellingSuggestion.nearest(name, ids)
                        .map(near -> "; did you mean \"" + near + "\"?")
                        .orElse("");
                throw new ServeOptions.Problem("there is no server \"" + name + "\" in the configuration" + guess);
            }
        }
        return all.stream()
                .filter(server -> names.isEmpty() || names.contains(server.id()))
                .toList();
    }
}
