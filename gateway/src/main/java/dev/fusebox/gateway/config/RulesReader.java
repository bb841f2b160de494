package dev.fusebox.gateway.config;

import dev.fusebox.breaker.BreakerPolicy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads what calls to one server keep to. Immutable.
///
/// @param server its section
/// @param common what the file says for all
/// @param neighbours the other servers of the file
record RulesReader(Section server, Common common, Neighbours.Of neighbours) {
    /// @param callTimeout how long a call to it may take
    ServerRules read(Duration callTimeout) {
        Section breaker = server.section(ServerKeys.BREAKER);
        BreakerPolicy policy = common.policy(breaker, callTimeout);
        ToolBreakerReader ofTools = new ToolBreakerReader(server, common.file());
        return new ServerRules(
                policy,
                ofTools.read(common.preset(breaker), callTimeout),
                retry(),
                tools(),
                crashes(breaker),
                backup());
    }

    private @Nullable String backup() {
        String backup = server.written(ServerKeys.BACKUP);
        return backup == null ? null : neighbours.backup(backup, server.at(ServerKeys.BACKUP));
    }

    private ServerRules.Crashes crashes(Section breaker) {
        Section preset =
                PresetSection.recovery(common.preset(breaker), server.spot().problems());
        Layers layers = common.file().section(FileKeys.RECOVERY).over(preset);
        return new ServerRules.Crashes(
                Math.toIntExact(layers.value(RecoveryKeys.MAX_CRASHES)),
                layers.value(RecoveryKeys.AFTER_MAX_CRASHES) == AfterMaxCrashes.STOP);
    }

    private RetryConfig retry() {
        Layers layers = server.section(ServerKeys.RETRY).over(common.file().section(FileKeys.RETRY));
        List<Duration> backoff = layers.value(RetryKeys.BACKOFF_MS).stream()
                .map(Duration::ofMillis)
                .toList();
        return new RetryConfig(
                layers.value(RetryKeys.REPLAY),
                Math.toIntExact(layers.value(RetryKeys.MAX_ATTEMPTS)),
                backoff,
                layers.value(RetryKeys.BUDGET_RATIO),
                server.value(ServerKeys.REPLAY));
    }

    private ToolRules tools() {
        Section tools = server.section(ServerKeys.TOOLS);
        Map<String, String> rename = tools.value(ToolKeys.RENAME);
        Map<String, String> ownOf = new HashMap<>();
        rename.forEach((own, shown) -> {
            String other = ownOf.putIfAbsent(shown, own);
            if (other != null) {
                tools.at(ToolKeys.RENAME)
                        .error("shows " + Visible.quoted(other) + " and " + Visible.quoted(own) + " under one name, "
                                + Visible.quoted(shown));
            }
        });
        return new ToolRules(tools.value(ToolKeys.INCLUDE), tools.value(ToolKeys.EXCLUDE), rename);
    }
}
