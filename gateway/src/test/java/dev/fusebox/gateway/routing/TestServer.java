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
import dev.fusebox.gateway.era.Gate;
import dev.fusebox.gateway.upstream.ServerPolicy;
import dev.fusebox.platform.Platform;
import java.net.URI;
import java.time.Duration;
import java.util.function.UnaryOperator;

/// One server of a street: how it is reached, and under which rules. Immutable.
record TestServer(
        String name, Reach reach, EraPolicy era, PipelineRules pipeline, ServerPolicy rules, LifecycleSettings life) {
    private static final Duration LONG = Duration.ofSeconds(20);

    /// Where the things are that all servers share.
    record Ground(Platform platform, ChildProcesses children, OutboundHttpClient outboundHttpClient) {}

    /// How a server is reached.
    sealed interface Reach {
        record Started(ChildSpec spec) implements Reach {}

        record Remote(URI uri) implements Reach {}
    }

    /// A process of its own, which is our scripted server.
    static TestServer of(String name, ServerScript script) {
        return of(name, Gate.server(script));
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
        return new TestServer(name, reach, other, pipeline, rules, life);
    }

    TestServer pipeline(UnaryOperator<PipelineRules> shape) {
        return new TestServer(name, reach, era, shape.apply(pipeline), rules, life);
    }

    TestServer rules(UnaryOperator<ServerPolicy> shape) {
        return new TestServer(name, reach, era, pipeline, shape.apply(rules), life);
    }

    TestServer life(UnaryOperator<LifecycleSettings> shape) {
        return new TestServer(name, reach, era, pipeline, rules, shape.apply(life));
    }

    /// A server that may crash as often as it likes.
    TestServer crashing() {
        return life(
                old -> old.with(new LifecycleSettings.Crashes(0, old.crashes().window())));
    }

    /// With so long for a call.
    TestServer within(Duration timeout) {
        return rules(old -> new ServerPolicy(
                timeout, old.filter(), old.toolRenaming(), old.retrySafety(), old.toolRetrySafety(), old.backup()));
    }

    Connector connector(Ground ground) {
        return switch (reach) {
            case Reach.Started(ChildSpec spec) -> new StdioConnector(ground.platform(), name, ground.children(), spec);
            case Reach.Remote(URI uri) ->
                new FallbackConnector(ground.platform(), ground.outboundHttpClient(), HttpTarget.of(uri));
        };
    }
}
