package dev.fusebox.gateway.doctor;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Programs that first fetch what they start, which may take minutes the first time. Pure functions.
final class PackageRunner {
    private static final Set<String> PROGRAMS =
            Set.of("npx", "npm", "pnpm", "yarn", "bunx", "bun", "uvx", "uv", "pipx", "docker", "podman");

    private PackageRunner() {}

    /// The name of the program; null if it fetches nothing.
    ///
    /// @param command the file that is started; empty if the server is no process
    static @Nullable String nameOf(String command) {
        String name = command.substring(command.lastIndexOf('/') + 1);
        return PROGRAMS.contains(name) ? name : null;
    }
}
