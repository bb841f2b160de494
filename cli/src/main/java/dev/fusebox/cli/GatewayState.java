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
/// @param clients what it serves, in words; empty if it does not report that
/// @param state `serving`, `replaced` (it ends after its last client), `draining` (it is shutting down), or
/// `silent` if it does not respond in time
record GatewayState(
        RunningGateways.Gateway gateway, @Nullable Path file, boolean isShared, String clients, String state) {
    private static final String SERVING = "serving";
    private static final String SILENT = "silent";
    private static final long MINUTE_MS = 60_000;

    /// Blocks for the limit at most.
    static GatewayState of(RunningGateways.Gateway gateway, Duration limit) {
        try {
            return of(gateway, gateway.servers(limit));
        } catch (IOException unheard) {
            return new GatewayState(gateway, null, false, "", SILENT);
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
                clients(report),
                state == null ? SERVING : state);
    }

    private static String clients(JsonView report) {
        String kind = report.string("kind");
        JsonView count = report.member("clientCount");
        String connected = count == null ? "" : "; " + connected(count.json()) + ending(report.member("endsInMs"));
        return switch (kind == null ? "" : kind) {
            case "stdio" -> "gateway of one stdio client";
            case "shared" -> "shared gateway of the stdio clients of this file" + connected;
            case "http" -> "HTTP gateway" + (count == null ? "" : ", shared with stdio clients" + connected);
            // Older gateways do not report it.
            default -> "";
        };
    }

    private static String connected(String count) {
        return (count.equals("0") ? "no client" : OutputText.counted(count, "client")) + " connected";
    }

    /// In whole minutes, because each new text counts as a change for `--watch`.
    private static String ending(@Nullable JsonView endsInMs) {
        if (endsInMs == null) {
            return "";
        }
        long minutes = Math.ceilDiv(Long.parseLong(endsInMs.json()), MINUTE_MS);
        return ", ends " + (minutes > 1 ? "in " + minutes + " minutes" : "within a minute");
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
                + (file == null ? ", without a configuration file" : ", " + OutputText.plain(file.toString()));
        return switch (state) {
            case "replaced" -> name + ", replaced by another gateway: it ends when its last clients have left";
            case "draining" -> name + ", shutting down";
            case SILENT -> "gateway " + gateway.pid() + ", not responding";
            default -> name;
        };
    }
}
