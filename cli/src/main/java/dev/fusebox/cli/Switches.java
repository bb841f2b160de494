package dev.fusebox.cli;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.world.World;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// Tells gateways that run by a file what was just said of one of its servers. A file that says the same as before is
/// no news to them, though an operator may have switched the server since: whoever spoke last is right. For one thread;
/// blocks for their answers.
final class Switches {
    private final World world;

    Switches(World world) {
        this.world = world;
    }

    /// @param action `enable` or `disable`
    void turn(String action, String server, Path file, Screen screen) {
        try {
            for (RunningGateways.Gateway gateway : RunningGateways.find(world).all()) {
                turn(gateway, action, server, file);
            }
        } catch (IOException unreachable) {
            screen.err()
                    .println("fusebox: a gateway that runs could not be told, and goes by the file alone: "
                            + unreachable.getMessage());
        }
    }

    private static void turn(RunningGateways.Gateway gateway, String action, String server, Path file)
            throws IOException {
        String config = gateway.client().get("servers").body().string("config");
        if (config != null && isSame(Path.of(config), file)) {
            String path = "servers/" + URLEncoder.encode(server, StandardCharsets.UTF_8);
            JsonView seen = gateway.client().get(path).body();
            boolean isOff = "disabled".equals(seen.string("status"));
            if (isOff == action.equals("enable")) {
                gateway.client().post(path + "/" + action, "");
            }
        }
    }

    private static boolean isSame(Path one, Path other) {
        try {
            return Files.isSameFile(one, other);
        } catch (IOException gone) {
            // Whoever runs by a file that is gone does not run by this one.
            return false;
        }
    }
}
