package dev.fusebox.interop;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The command line of the official Inspector, for the server `peer` of a configuration. Immutable; each run
/// blocks until it ends.
///
/// @param home where it may leave what it likes to remember
record Inspector(Path home, Path configuration) {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    Run run(String method, String... more) {
        var command = new ArrayList<>(List.of(
                Npm.node(),
                Npm.file("@modelcontextprotocol/inspector", "clients/launcher/build/index.js"),
                "--cli",
                "--config",
                configuration.toString(),
                "--server",
                "peer",
                "--format",
                "json",
                "--method",
                method));
        command.addAll(List.of(more));
        ProcessBuilder program = new ProcessBuilder(command).directory(home.toFile());
        // It would otherwise read the key ring and settings of the user.
        program.environment().put("MCP_INSPECTOR_SECRET_STORE", "memory");
        program.environment().put("HOME", home.toString());
        return Run.of(program, LIMIT);
    }
}
