package dev.fusebox.gateway.routing;

import dev.fusebox.client.Connector;
import dev.fusebox.client.StdioConnector;
import dev.fusebox.client.http.FallbackConnector;
import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.client.http.OutboundHttpClient;
import dev.fusebox.client.process.ChildProcesses;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.config.EraPolicy;
import dev.fusebox.config.LifecycleSettings;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.upstream.ServerPolicy;
import dev.fusebox.platform.Platform;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/// One server of a street: how it is reached, and under which rules. Immutable.
record TestServer(
        String name,
        Reach reach,
        EraPolicy era,
        PipelineRules pipeline,
        ServerPolicy policy,
        LifecycleSettings lifecycle) {
    private static final Duration LONG = Duration.ofSeconds(20);

    /// Where the things are that all servers share.
    record Connections(Platform platform, ChildProcesses children, OutboundHttpClient outboundHttpClient) {}

    /// How a server is reached.
    sealed interface Reach {
        record Started(ChildSpec spec) implements Reach {}

        record Remote(URI uri) implements Reach {}
    }

    /// A process of its own, which is our scripted server.
    static TestServer of(String name, ServerScript script) {
        return of(name, SingleServerHarness.server(script));
    }

    static TestServer of(String name, ChildSpec spec) {
        return new TestServer(
                name,
                new Reach.Started(spec),
                EraPolicy.AUTO,
                PipelineRules.of(name, false),
                ServerPolicy.within(LONG),
                LifecycleSettings.usual(true));
    }

    /// A server that listens.
    static TestServer at(String name, URI uri) {
        return new TestServer(
                name,
                new Reach.Remote(uri),
                EraPolicy.AUTO,
                PipelineRules.of(name, true),
                ServerPolicy.within(LONG),
                LifecycleSettings.usual(false));
    }

    TestServer with(EraPolicy other) {
        return new TestServer(name, reach, other, pipeline, policy, lifecycle);
    }

    TestServer pipeline(UnaryOperator<PipelineRules> shape) {
        return new TestServer(name, reach, era, shape.apply(pipeline), policy, lifecycle);
    }

    TestServer policy(UnaryOperator<ServerPolicy> shape) {
        return new TestServer(name, reach, era, pipeline, shape.apply(policy), lifecycle);
    }

    TestServer lifecycle(UnaryOperator<LifecycleSettings> shape) {
        return new TestServer(name, reach, era, pipeline, policy, shape.apply(lifecycle));
    }

    /// A server that may crash as often as it likes.
    TestServer crashing() {
        return lifecycle(
                old -> old.with(new LifecycleSettings.Crashes(0, old.crashes().window())));
    }

    /// A server that is started by calls only: the gateway itself restarts one that has crashed after a second.
    TestServer restartedByCalls() {
        return lifecycle(old -> old.withDelays(List.of(Duration.ofHours(1))));
    }

    /// With so long for a call.
    TestServer within(Duration timeout) {
        return policy(old -> new ServerPolicy(
                timeout,
                old.filter(),
                old.toolRenaming(),
                old.retrySafety(),
                old.toolRetrySafety(),
                old.backup(),
                Long.MAX_VALUE));
    }

    Connector connector(Connections connections) {
        return switch (reach) {
            case Reach.Started(ChildSpec spec) ->
                new StdioConnector(connections.platform(), name, connections.children(), spec);
            case Reach.Remote(URI uri) ->
                new FallbackConnector(connections.platform(), connections.outboundHttpClient(), HttpTarget.of(uri));
        };
    }
}
