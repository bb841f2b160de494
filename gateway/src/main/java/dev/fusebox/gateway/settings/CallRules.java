package dev.fusebox.gateway.settings;

import dev.fusebox.client.resilience.FairBulkhead;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.client.resilience.RetryRules;
import dev.fusebox.client.resilience.RetrySafety;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.Replay;
import dev.fusebox.config.RetryConfig;
import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.ToolSettings;
import dev.fusebox.gateway.catalog.ToolFilter;
import dev.fusebox.gateway.catalog.ToolRenaming;
import dev.fusebox.gateway.result.ResultRules;
import dev.fusebox.gateway.upstream.ServerPolicy;
import java.util.Map;
import java.util.stream.Collectors;

/// The rules for calls to one server. Pure functions; thread-safe.
public final class CallRules {
    private CallRules() {}

    /// The rules of its call pipeline.
    public static PipelineRules pipeline(Configuration configuration, ServerConfig server) {
        RetryConfig retry = server.rules().retry();
        boolean isRemote = !server.isProcess();
        return PipelineRules.of(server.id(), isRemote)
                .with(BreakerPolicies.ofServer(server))
                .with(BreakerPolicies.ofTools(server))
                .with(RetryRules.of(retry.maxAttempts(), retry.backoff(), retry.budgetRatio(), isRemote)
                        .forVital(server.isVital()))
                .with(new FairBulkhead.Limits(
                        configuration.pool().callsAtOnce(),
                        configuration.pool().callQueueLength(),
                        configuration.pool().maxInFlightBytes()))
                .withPing(configuration.gateway().life().polls().limit());
    }

    /// Its rules among other servers.
    public static ServerPolicy policy(ServerConfig server) {
        ToolSettings tools = server.rules().tools();
        RetryConfig retry = server.rules().retry();
        Map<String, RetrySafety> ofTools = retry.ofTools().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, each -> retrySafety(each.getValue())));
        return new ServerPolicy(
                server.times().call(),
                new ToolFilter(tools.include(), tools.exclude()),
                new ToolRenaming(tools.rename()),
                retrySafety(retry.replay()),
                ofTools,
                server.rules().backup(),
                server.rules().maxResultBytes());
    }

    /// The rules for results of all servers.
    public static ResultRules results(Configuration configuration) {
        return new ResultRules(
                configuration.results().maxTokens(), configuration.results().keep());
    }

    private static RetrySafety retrySafety(Replay replay) {
        return switch (replay) {
            case SAFE -> RetrySafety.SAFE;
            case ALWAYS -> RetrySafety.ALWAYS;
            case NEVER -> RetrySafety.NEVER;
        };
    }
}
