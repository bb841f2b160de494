package dev.fusebox.cli;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// A notifier of running gateways about `enable` and `disable`. A gateway does not act on a file that is
/// unchanged, although an operator may have switched the server since; the last change wins. For one thread;
/// blocks for the responses.
final class RunningGatewayNotifier {
    /// A running gateway answers this request at once.
    private static final Duration QUICK_TIMEOUT = Duration.ofSeconds(5);

    /// The gateway does not have the server, or not yet.
    private static final int UNKNOWN = 404;

    private final Platform platform;

    RunningGatewayNotifier(Platform platform) {
        this.platform = platform;
    }

    /// A server to enable or disable.
    ///
    /// @param action `enable` or `disable`
    /// @param server its id
    private record Switch(String action, String server, Path file) {
        String path() {
            return "servers/" + OwnerClient.encoded(server);
        }
    }

    /// @param action `enable` or `disable`
    /// @param server its id
    void notifySwitch(String action, String server, Path file, CommandOutput output) {
        Switch change = new Switch(action, server, file);
        for (RunningGateways.Gateway gateway : running(output)) {
            try {
                send(gateway, change, output);
            } catch (IOException untold) {
                output.err()
                        .println("fusebox: cannot notify gateway " + gateway.pid() + ", which only follows the file: "
                                + OutputText.plain(untold.getMessage()));
            }
        }
    }

    private List<RunningGateways.Gateway> running(CommandOutput output) {
        try {
            return RunningGateways.find(platform).all();
        } catch (IOException unreadable) {
            output.err()
                    .println("fusebox: cannot find running gateways, which only follow the file: "
                            + unreadable.getMessage());
            return List.of();
        }
    }

    private void send(RunningGateways.Gateway gateway, Switch change, CommandOutput output) throws IOException {
        OwnerClient brief = gateway.client().within(QUICK_TIMEOUT);
        String config = brief.get("servers").good().string("config");
        if (config == null || !RunningGateways.isSame(Path.of(config), change.file())) {
            return;
        }
        OwnerClient.Answer seen = brief.get(change.path());
        if (seen.status() == UNKNOWN) {
            return;
        }
        boolean isOff = "disabled".equals(seen.good().string("status"));
        if (isOff == change.action().equals("enable")) {
            String what = "waiting for gateway " + gateway.pid() + " to " + change.action() + " " + change.server();
            try (Progress _ = Progress.of(platform, output, what)) {
                gateway.client().post(change.path() + "/" + change.action(), "").good();
            }
        }
    }
}
