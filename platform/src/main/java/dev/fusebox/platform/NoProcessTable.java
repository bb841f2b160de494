package dev.fusebox.platform;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A process table without processes, for a platform that cannot start programs. Immutable, thread-safe.
final class NoProcessTable implements Processes {
    @Override
    public LaunchResult launch(Program program) {
        return new LaunchResult.Failed(LaunchResult.Cause.OTHER, "this platform cannot start programs");
    }

    @Override
    public List<ProcessEntry> list() {
        return List.of();
    }

    @Override
    public @Nullable String variable(ProcessEntry process, String name) {
        return null;
    }

    @Override
    public boolean signal(ProcessEntry process, Signal signal) {
        return false;
    }

    @Override
    public void reap(ProcessEntry zombie) {}

    @Override
    public ProcessEntry self() {
        return new ProcessEntry(1, 0, 1, 1, 0, false);
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
        return 0;
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
