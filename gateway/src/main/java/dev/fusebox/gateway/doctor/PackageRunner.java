package dev.fusebox.gateway.doctor;

import dev.fusebox.config.ServerConfig;
import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.config.ServerState;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Commands that download a package or an image before they run it, which may take minutes. One that is ended in
/// the middle leaves an incomplete copy, which makes the next starts fail. Pure functions; thread-safe, and
/// nothing blocks.
public final class PackageRunner {
    /// How long a package runner may take to finish its installation when it is not waited for any more: as long
    /// again as a server usually has to connect.
    public static final Duration FINISHING = Duration.ofMinutes(1);

    /// An installation keeps one processor busy, and waits for the network between.
    private static final int FEWEST = 2;

    private static final Set<String> PROGRAMS =
            Set.of("npx", "npm", "pnpm", "yarn", "bunx", "bun", "uvx", "uv", "pipx", "docker", "podman");

    /// Those that run scripts of a project that is there, too.
    private static final Set<String> OF_PROJECTS = Set.of("npm", "pnpm", "yarn", "bun");

    private static final Set<String> SCRIPT_ACTIONS = Set.of("run", "run-script", "start", "test");

    private PackageRunner() {}

    /// Whether one starts this server.
    public static boolean starts(ServerConfig server) {
        return of(server) != null;
    }

    /// How many may be at work at the same time: as many as there are processors, and at least two. More of them
    /// slow each other down until none is ready in time.
    public static int atOnce() {
        return Math.max(FEWEST, Runtime.getRuntime().availableProcessors());
    }

    /// The one that takes the newest version of this server at each start; null if there is none.
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
