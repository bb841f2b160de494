package dev.fusebox.cli;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// Tells the running gateways that a login was made or deleted. Each that does not learn of it finds out with the
/// next rejected request. For one thread; blocks while a gateway connects to the server.
record RunningGatewayLogins(Platform platform, CommandOutput output) {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    void loggedIn(String server) {
        tell(server, "login");
    }

    void loggedOut(String server) {
        tell(server, "logout");
    }

    private void tell(String server, String action) {
        for (RunningGateways.Gateway gateway : gateways()) {
            try {
                OwnerClient.Answer answer = gateway.client()
                        .within(LIMIT)
                        .post("servers/" + OwnerClient.encoded(server) + "/" + action, "");
                String message = answer.body().string("message");
                output.err()
                        .println("fusebox: gateway " + gateway.pid() + ": "
                                + (message == null ? "no answer that can be read" : OutputText.plain(message)));
            } catch (IOException unheard) {
                output.err().println("fusebox: cannot notify gateway " + gateway.pid() + ": " + unheard.getMessage());
            }
        }
    }

    private List<RunningGateways.Gateway> gateways() {
        try {
            return RunningGateways.find(platform).all();
        } catch (IOException none) {
            return List.of();
        }
    }
}
