package dev.fusebox.cli;

import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What a running gateway reports of itself. Immutable.
///
/// @param file its configuration file; null if it has none or does not respond in time
/// @param isShared whether clients share it
/// @param state `serving`, `replaced` (it ends after its last client), `draining` (it is shutting down), or
/// `silent` if it does not respond in time
record GatewayState(
        RunningGateways.Gateway gateway, @Nullable Path file, boolean isShared, String state) {
    private static final String SERVING = "serving";
    private static final String SILENT = "silent";

    /// Blocks for the limit at most.
    static GatewayState of(RunningGateways.Gateway gateway, Duration limit) {
        try {
            return of(gateway, gateway.servers(limit));
        } catch (IOException unheard) {
            return new GatewayState(gateway, null, false, SILENT);
        }
    }

    /// @param report the answer of the gateway to `servers`; older gateways do not report their state
    static GatewayState of(RunningGateways.Gateway gateway, JsonView report) {
        String file = report.string("config");
        String state = report.string("state");
        JsonView shared = report.member("shared");
        return new GatewayState(
                gateway,
                file == null ? null : Path.of(file),
                shared != null && shared.isTrue(),
                state == null ? SERVING : state);
    }

    /// Whether it responds and is not about to end.
    boolean isServing() {
        return state.equals(SERVING);
    }

    /// Whether it is about to end, and clients use the other gateway in its place.
    boolean isFollowedBy(GatewayState other) {
        return !isServing()
                && other.isShared
                && other.isServing()
                && file != null
                && other.file != null
                && RunningGateways.isSame(file, other.file);
    }

    /// The heading of its lines: process id, file, and whether it is about to end.
    String title() {
        String name = "gateway " + gateway.pid()
                + (file == null ? ", without a configuration file" : ", " + ServerTable.plain(file.toString()));
        return switch (state) {
            case "replaced" -> name + ", replaced by another gateway: it ends when its last clients have left";
            case "draining" -> name + ", shutting down";
            case SILENT -> "gateway " + gateway.pid() + ", not responding";
            default -> name;
        };
    }
}
