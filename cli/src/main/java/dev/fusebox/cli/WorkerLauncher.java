package dev.fusebox.cli;

import dev.fusebox.client.process.ChildProcesses;
import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.platform.Platform;
import dev.fusebox.sandbox.SandboxTraining;
import dev.fusebox.sandbox.WorkerProgram;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The locator of the worker program, in which scripts run. Reads the disk.
final class WorkerLauncher {
    private static final System.Logger LOG = LazyLoggers.of(WorkerLauncher.class);

    /// The system property with its location: a folder of jars, or a class path.
    static final String PLACE = "fusebox.worker";

    /// The system property with its AOT cache.
    private static final String CACHE = "fusebox.worker.cache";

    private WorkerLauncher() {}

    /// Empty if the application was started without a worker.
    static Optional<WorkerProgram> program() {
        String place = System.getProperty(PLACE, "");
        try {
            return place.isEmpty() ? Optional.empty() : WorkerProgram.of(place, cache());
        } catch (IOException unreadable) {
            LOG.log(Level.WARNING, "mcp_execute is unavailable: cannot read " + place + ": " + unreadable.getMessage());
            return Optional.empty();
        }
    }

    private static @Nullable Path cache() {
        String file = System.getProperty(CACHE, "");
        return file.isEmpty() || !Files.isRegularFile(Path.of(file)) ? null : Path.of(file);
    }

    /// Creates the worker's AOT cache in the given file; called by the launcher.
    static ExitStatus train(Platform platform, List<String> arguments) {
        Optional<WorkerProgram> program = program();
        if (program.isEmpty() || arguments.size() != 1) {
            return ExitStatus.USAGE;
        }
        try (ChildProcesses children = ChildProcesses.open(platform)) {
            boolean isMade = SandboxTraining.run(platform, children, program.get(), Path.of(arguments.getFirst()));
            return isMade ? ExitStatus.DONE : ExitStatus.FAILED;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return ExitStatus.FAILED;
        }
    }
}
