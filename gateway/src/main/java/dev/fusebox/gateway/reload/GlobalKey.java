package dev.fusebox.gateway.reload;

import dev.fusebox.config.Configuration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/// A configuration key for all servers, and when a change of it takes effect. Immutable.
record GlobalKey(String name, Effect effect, Function<Configuration, Object> value) {
    /// When a change takes effect.
    enum Effect {
        /// At once.
        LIVE,
        /// After a restart, because its subject is created when the gateway starts.
        NEXT_START
    }

    private static final List<GlobalKey> ALL = List.of(
            live("pool.callsAtOnce", all -> all.pool().callsAtOnce()),
            live("pool.callQueueLength", all -> all.pool().callQueueLength()),
            live("pool.maxInFlightBytes", all -> all.pool().maxInFlightBytes()),
            live("pool.poolSize", all -> all.pool().processes().size()),
            live("pool.resPoolSize", all -> all.pool().processes().reserve().size()),
            live("pool.resPoolTimeout", all -> all.pool().processes().reserve().after()),
            live("pool.minPoolSize", all -> all.pool().processes().idleRules().least()),
            live("pool.idleTimeoutMs", all -> all.pool().processes().idleRules().idle()),
            live("pool.queueLength", all -> all.pool().processes().waiting().length()),
            live("pool.queueTimeoutMs", all -> all.pool().processes().waiting().limit()),
            live("pool.maxRemoteSessions", all -> all.pool().remotes().size()),
            live("pool.drainMs", all -> all.pool().drain()),
            live("recovery.pingTimeoutMs", all -> all.gateway().life().polls().limit()),
            live("limits.frameBytes", all -> all.limits().frameBytes()),
            live("limits.stuckWriteMs", all -> all.limits().stuckWrite()),
            live("limits.eraProbeMs", all -> all.limits().eraProbe()),
            live("telemetry.logLevel", all -> all.gateway().logLevel()),
            nextStart("credentials.store", all -> all.credentials().store()),
            nextStart("credentials.command", all -> all.credentials().command()),
            live("login.ask", all -> all.login().ask()),
            live("profiles", Configuration::profiles),
            nextStart("share.mode", all -> all.share().mode()),
            live("share.idleMs", all -> all.share().idle()),
            nextStart("expose", Configuration::expose),
            nextStart("pin", Configuration::pins),
            nextStart(
                    "telemetry.otlpEndpoint",
                    all -> String.valueOf(all.gateway().collector())),
            live("recovery.maxCrashes", all -> all.gateway().life().crashes().most()),
            live("recovery.crashWindowMs", all -> all.gateway().life().crashes().window()),
            live(
                    "recovery.afterMaxCrashes",
                    all -> all.gateway().life().crashes().stops()),
            live("recovery.restartDelaysMs", all -> all.gateway().life().restartDelays()),
            live("recovery.healthCheckMs", all -> all.gateway().life().polls().health()),
            live("recovery.pingMs", all -> all.gateway().life().polls().ping()),
            live("recovery.selfProbeMs", all -> all.gateway().life().polls().self()),
            nextStart("pool.startsAtOnce", all -> all.pool().startsAtOnce()),
            nextStart("http.host", all -> all.http().host()),
            nextStart("http.port", all -> all.http().port()),
            nextStart("http.allowedOrigins", all -> all.http().allowedOrigins()),
            nextStart("http.auth.mode", all -> all.http().needsToken()),
            nextStart("http.sessionIdleMs", all -> all.http().sessions().idle()),
            nextStart("http.maxSessions", all -> all.http().sessions().most()),
            nextStart("http.maxBodyBytes", all -> all.http().intake().maxBodyBytes()),
            nextStart("http.maxConnections", all -> all.http().intake().maxConnections()),
            nextStart("http.headerTimeoutMs", all -> all.http().intake().headerTimeout()),
            live("arguments.nulls", Configuration::nullPolicy),
            live("extensions.pass", all -> all.extensions().passed()),
            live("extensions.listApps", all -> all.extensions().listsApps()),
            nextStart("discovery.semantic", all -> all.discovery().semanticMode()),
            nextStart("discovery.limit", all -> all.discovery().limit()),
            live("discovery.firstListWaitMs", all -> all.discovery().firstListWait()),
            live("provision.registry", all -> String.valueOf(all.provision().registry())),
            live("provision.trusted", all -> all.provision().lines()),
            live("provision.autoProvision", all -> all.provision().isAutomatic()),
            nextStart("execute.enabled", all -> all.execute().isEnabled()),
            nextStart("execute.timeoutMs", all -> all.execute().limit()),
            nextStart("execute.memoryMb", all -> all.execute().memoryMb()),
            nextStart("execute.maxCalls", all -> all.execute().maxCalls()),
            nextStart("execute.maxOutputBytes", all -> all.execute().maxOutputBytes()),
            nextStart("execute.runsAtOnce", all -> all.execute().runsAtOnce()),
            live("results.maxTokens", all -> all.results().maxTokens()),
            live("results.keepMs", all -> all.results().keep()),
            nextStart("limits.depth", all -> all.limits().depth()),
            nextStart("limits.toolPages", all -> all.limits().toolPages()),
            nextStart("limits.clientWriteMs", all -> all.limits().clientWrite()),
            nextStart("limits.clientWaitMs", all -> all.limits().clientWait()));

    private static GlobalKey live(String name, Function<Configuration, Object> value) {
        return new GlobalKey(name, Effect.LIVE, value);
    }

    private static GlobalKey nextStart(String name, Function<Configuration, Object> value) {
        return new GlobalKey(name, Effect.NEXT_START, value);
    }

    /// The names of the keys that differ. A change of a key that is missing from this list is never ignored
    /// silently.
    static List<String> changed(Configuration before, Configuration after, Effect effect) {
        List<GlobalKey> changed =
                ALL.stream().filter(key -> key.isChanged(before, after)).toList();
        boolean isUnlisted = changed.isEmpty() && !before.gateway().equals(after.gateway());
        Stream<String> unlisted =
                isUnlisted && effect == Effect.NEXT_START ? Stream.of("a key for all servers") : Stream.of();
        return Stream.concat(
                        changed.stream().filter(key -> key.effect == effect).map(GlobalKey::name), unlisted)
                .toList();
    }

    private boolean isChanged(Configuration before, Configuration after) {
        return !value.apply(before).equals(value.apply(after));
    }
}
