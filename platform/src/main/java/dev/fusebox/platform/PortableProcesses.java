package dev.fusebox.platform;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A portable process table that uses only the JDK. Thread-safe; blocks as [Processes] documents.
///
/// There are no sessions, so a signal to a group is not sent, and signals from our terminal also reach the
/// children. There are no variables and no adoption, so orphans of a program are not found.
final class PortableProcesses implements Processes {
    @Override
    public LaunchResult launch(Program program) {
        String directory = program.directory();
        if (directory != null && !Files.isDirectory(Path.of(directory))) {
            return new LaunchResult.Failed(LaunchResult.Cause.BAD_DIRECTORY, "no such working directory: " + directory);
        }
        List<File> files =
                candidates(program, directory == null ? "" : directory).toList();
        Optional<File> file = files.stream().filter(File::canExecute).findFirst();
        if (file.isPresent()) {
            return start(program, file.get());
        }
        return files.isEmpty()
                ? new LaunchResult.Failed(LaunchResult.Cause.NOT_FOUND, "command not found: " + program.command())
                : new LaunchResult.Failed(LaunchResult.Cause.NOT_EXECUTABLE, "not executable: " + program.command());
    }

    private static Stream<File> candidates(Program program, String directory) {
        String command = program.command();
        if (command.isEmpty()) {
            return Stream.empty();
        }
        boolean isPath = command.contains("/") || command.contains(File.separator);
        String path = program.environment().getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin");
        Stream<String> folders = isPath ? Stream.of("") : Stream.of(path.split(Pattern.quote(File.pathSeparator)));
        return folders.map(folder -> folder.isEmpty() ? command : folder + File.separator + command)
                .map(File::new)
                .map(file -> file.isAbsolute() ? file : new File(directory, file.getPath()).getAbsoluteFile())
                .filter(File::isFile);
    }

    private static LaunchResult start(Program program, File file) {
        var builder = new ProcessBuilder(Stream.concat(Stream.of(file.getPath()), program.arguments().stream())
                .toList());
        builder.environment().clear();
        builder.environment().putAll(program.environment());
        if (program.directory() != null) {
            builder.directory(new File(program.directory()));
        }
        try {
            return new LaunchResult.Running(new PortableSpawnedProcess(builder.start()));
        } catch (IOException e) {
            // The JDK gives its reasons as text only; that the file exists and is executable was checked before.
            return new LaunchResult.Failed(LaunchResult.Cause.OTHER, "cannot start " + program.command());
        }
    }

    @Override
    public List<ProcessEntry> list() {
        return ProcessHandle.allProcesses().map(PortableProcesses::entry).toList();
    }

    private static ProcessEntry entry(ProcessHandle handle) {
        long parent = handle.parent().map(ProcessHandle::pid).orElse(0L);
        long start = handle.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
        return new ProcessEntry(handle.pid(), parent, 0, 0, start, !handle.isAlive());
    }

    @Override
    public @Nullable String variable(ProcessEntry process, String name) {
        return null;
    }

    @Override
    public boolean signal(ProcessEntry process, Signal signal) {
        return ProcessHandle.of(process.pid())
                .filter(handle -> entry(handle).start() == process.start())
                .map(handle -> signal == Signal.KILL ? handle.destroyForcibly() : handle.destroy())
                .orElse(false);
    }

    @Override
    public void reap(ProcessEntry zombie) {}

    @Override
    public ProcessEntry self() {
        return entry(ProcessHandle.current());
    }

    @Override
    public boolean adoptOrphans() {
        return false;
    }

    @Override
    public boolean lowerPriority(int steps) {
        return false;
    }

    @Override
    public long processorNanos() {
        return -1;
    }

    @Override
    public boolean denyInspection() {
        return false;
    }

    @Override
    public long memory() {
        return SystemMemory.limit();
    }

    @Override
    public long memoryOf(ProcessEntry process) {
        return 0;
    }

    @Override
    public boolean keepsSessions() {
        return false;
    }
}
