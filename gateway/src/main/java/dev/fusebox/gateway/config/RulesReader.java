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
/// @param sharedSettings what the file says for all
/// @param neighbours the other servers of the file
record RulesReader(ConfigSection server, SharedSettings sharedSettings, AllServers.Of neighbours) {
    /// @param callTimeout how long a call to it may take
    CallSettings read(Duration callTimeout) {
        ConfigSection breaker = server.section(ServerKeys.BREAKER);
        BreakerPolicy policy = sharedSettings.policy(breaker, callTimeout);
        ToolBreakerReader ofTools = new ToolBreakerReader(server, sharedSettings.file());
        return new CallSettings(
                policy,
                ofTools.read(sharedSettings.preset(breaker), callTimeout),
                retry(),
                tools(),
                crashes(breaker),
                backup());
    }

    private @Nullable String backup() {
        String backup = server.written(ServerKeys.BACKUP);
        return backup == null ? null : neighbours.backup(backup, server.at(ServerKeys.BACKUP));
    }

    private CallSettings.Crashes crashes(ConfigSection breaker) {
        ConfigSection preset = PresetSection.recovery(
                sharedSettings.preset(breaker), server.location().problems());
        LayeredSection layeredSection =
                sharedSettings.file().section(FileKeys.RECOVERY).over(preset);
        return new CallSettings.Crashes(
                Math.toIntExact(layeredSection.value(RecoveryKeys.MAX_CRASHES)),
                layeredSection.value(RecoveryKeys.AFTER_MAX_CRASHES) == AfterMaxCrashes.STOP);
    }

    private RetryConfig retry() {
        LayeredSection layeredSection =
                server.section(ServerKeys.RETRY).over(sharedSettings.file().section(FileKeys.RETRY));
        List<Duration> backoff = layeredSection.value(RetryKeys.BACKOFF_MS).stream()
                .map(Duration::ofMillis)
                .toList();
        return new RetryConfig(
                layeredSection.value(RetryKeys.REPLAY),
                Math.toIntExact(layeredSection.value(RetryKeys.MAX_ATTEMPTS)),
                backoff,
                layeredSection.value(RetryKeys.BUDGET_RATIO),
                server.value(ServerKeys.REPLAY));
    }

    private ToolSettings tools() {
        ConfigSection tools = server.section(ServerKeys.TOOLS);
        Map<String, String> rename = tools.value(ToolKeys.RENAME);
        Map<String, String> ownOf = new HashMap<>();
        rename.forEach((own, shown) -> {
            String other = ownOf.putIfAbsent(shown, own);
            if (other != null) {
                tools.at(ToolKeys.RENAME)
                        .error("shows " + PrintableText.quoted(other) + " and " + PrintableText.quoted(own)
                                + " under one name, " + PrintableText.quoted(shown));
            }
        });
        return new ToolSettings(tools.value(ToolKeys.INCLUDE), tools.value(ToolKeys.EXCLUDE), rename);
    }
}
