package dev.fusebox.cli;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Tells gateways that run by a file what was just said of one of its servers. A file that says the same as before
/// is no news to them, though an operator may have switched the server since: whoever spoke last is right. For one
/// thread; blocks for their answers.
final class RunningGatewayNotifier {
    /// A gateway that lives says at once what it runs by.
    private static final Duration BRIEF = Duration.ofSeconds(5);

    /// The gateway does not have it, or not yet.
    private static final int UNKNOWN = 404;

    private final Platform platform;

    RunningGatewayNotifier(Platform platform) {
        this.platform = platform;
    }

    /// A server that is switched on or off.
    ///
    /// @param action `enable` or `disable`
    /// @param server by its id
    private record Turn(String action, String server, Path file) {
        String path() {
            return "servers/" + OwnerClient.encoded(server);
        }
    }

    /// @param action `enable` or `disable`
    /// @param server by its id
    void turn(String action, String server, Path file, CommandOutput output) {
        Turn turn = new Turn(action, server, file);
        for (RunningGateways.Gateway gateway : running(output)) {
            try {
                tell(gateway, turn, output);
            } catch (IOException untold) {
                output.err()
                        .println(
                                "fusebox: gateway " + gateway.pid() + " could not be told, and goes by the file alone: "
                                        + ServerTable.plain(untold.getMessage()));
            }
        }
    }

    private List<RunningGateways.Gateway> running(CommandOutput output) {
        try {
            return RunningGateways.find(platform).all();
        } catch (IOException unreadable) {
            output.err()
                    .println("fusebox: gateways that run cannot be found, and go by the file alone: "
                            + unreadable.getMessage());
            return List.of();
        }
    }

    private void tell(RunningGateways.Gateway gateway, Turn turn, CommandOutput output) throws IOException {
        OwnerClient brief = gateway.client().within(BRIEF);
        String config = brief.get("servers").good().string("config");
        if (config == null || !RunningGateways.isSame(Path.of(config), turn.file())) {
            return;
        }
        OwnerClient.Answer seen = brief.get(turn.path());
        if (seen.status() == UNKNOWN) {
            return;
        }
        boolean isOff = "disabled".equals(seen.good().string("status"));
        if (isOff == turn.action().equals("enable")) {
            String what = "waiting for gateway " + gateway.pid() + " to " + turn.action() + " " + turn.server();
            try (Progress _ = Progress.of(platform, output, what)) {
                gateway.client().post(turn.path() + "/" + turn.action(), "").good();
            }
        }
    }
}
