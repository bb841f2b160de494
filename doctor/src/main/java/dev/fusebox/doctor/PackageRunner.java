package dev.fusebox.doctor;

import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.config.ServerState;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Commands that download a package or an image before they run it, which may take minutes. Ending one during its
/// installation leaves an incomplete copy, which makes later starts fail. Pure functions; thread-safe, and nothing
/// blocks.
public final class PackageRunner {
    /// An installation uses one processor, and waits for the network in between.
    private static final int MIN = 2;

    private static final Set<String> PROGRAMS =
            Set.of("npx", "npm", "pnpm", "yarn", "bunx", "bun", "uvx", "uv", "pipx", "docker", "podman");

    /// Those that also run scripts of a local project.
    private static final Set<String> OF_PROJECTS = Set.of("npm", "pnpm", "yarn", "bun");

    private static final Set<String> SCRIPT_ACTIONS = Set.of("run", "run-script", "start", "test");

    private PackageRunner() {}

    /// Whether a package runner starts this server.
    public static boolean starts(ServerConfig server) {
        return of(server) != null;
    }

    /// How many may run at the same time: the number of processors, and at least two. More of them slow each other
    /// down until none finishes in time.
    public static int atOnce() {
        return Math.max(MIN, Runtime.getRuntime().availableProcessors());
    }

    /// The package runner that takes the newest version of this server at each start; null if there is none.
    public static @Nullable String unpinned(ServerConfig server) {
        return server.state() instanceof ServerState.Ready(ServerEndpoint.Stdio spec)
                        && CommandLineChecks.isUnpinned(spec)
                ? CommandLineChecks.name(spec)
                : null;
    }

    /// The name of the package runner that starts this server; null if there is none, or if it need not download
    /// anything.
    static @Nullable String of(ServerConfig server) {
        return server.state() instanceof ServerState.Ready(ServerEndpoint.Stdio spec)
                ? of(spec.command(), spec.args())
                : null;
    }

    static @Nullable String of(String command, List<String> args) {
        String name = command.substring(command.lastIndexOf('/') + 1);
        String action =
                args.stream().filter(arg -> !arg.startsWith("-")).findFirst().orElse("");
        boolean isScript = OF_PROJECTS.contains(name) && SCRIPT_ACTIONS.contains(action);
        return PROGRAMS.contains(name) && !isScript ? name : null;
    }
}
