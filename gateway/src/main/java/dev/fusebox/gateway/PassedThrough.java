package dev.fusebox.gateway;

import dev.fusebox.client.ConnectionListener;
import dev.fusebox.client.resilience.CallPipeline;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.config.ServerState.Ready;
import dev.fusebox.gateway.era.SingleServer;
import dev.fusebox.gateway.lifecycle.LifecycleEvent;
import dev.fusebox.gateway.result.ResultLimiter;
import dev.fusebox.gateway.result.ResultRules;
import dev.fusebox.gateway.result.ResultStore;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.gateway.settings.CallRules;
import dev.fusebox.gateway.upstream.ServerSnapshot;
import dev.fusebox.gateway.upstream.ServerSpec;
import dev.fusebox.platform.SecretIds;
import java.util.List;

/// The single server of a configuration in pass-through mode. Immutable.
///
/// @param results the rules for its results, beside its own
record PassedThrough(ServerConfig server, ServerEndpoint endpoint, ResultRules results) {
    static PassedThrough of(Configuration configuration) throws GatewayException {
        List<ServerConfig> servers = configuration.servers();
        if (servers.size() != 1) {
            throw new GatewayException("--no-prefix requires exactly one server, but the configuration has "
                    + servers.size() + "; omit it to serve all of them");
        }
        ServerConfig server = servers.getFirst();
        if (server.state() instanceof Ready(ServerEndpoint endpoint)) {
            return new PassedThrough(server, endpoint, CallRules.results(configuration));
        }
        throw new GatewayException(
                UpstreamFactory.unavailableServer(server).why().message());
    }

    /// Its service, behind its call pipeline.
    ///
    /// @param events the only source of events for its processes
    RunningService open(UpstreamFactory factory, LifecycleEvent.Listener events) {
        ServerSpec spec = factory.spec(server, endpoint);
        CallPipeline pipeline = spec.pipeline().apply(1);
        FrontTarget pooled =
                spec.frontTarget().behind(connector -> spec.poolPolicy().behind(connector, server.id()));
        ResultLimiter limiter = new ResultLimiter(new ResultStore(factory.platform(), SecretIds.system()));
        limiter.setRules(results);
        SingleServer service = SingleServer.behind(
                        pipeline, pooled, spec.rules()::retrySafety, loss -> lost(loss, events))
                .limiting(limiter, spec.rules().maxResultBytes());
        List<ServerSnapshot> snapshots = List.of(ServerSnapshot.of(server.id(), pipeline));
        return new RunningService(service, () -> snapshots, spec.whenClosed());
    }

    private void lost(ConnectionListener.StateLost loss, LifecycleEvent.Listener events) {
        events.happened(server.id(), new LifecycleEvent.Restarted(loss.process(), loss.next(), loss.reason(), 1));
        events.happened(server.id(), new LifecycleEvent.StateLost(loss.process(), loss.next(), loss.reason()));
    }
}
