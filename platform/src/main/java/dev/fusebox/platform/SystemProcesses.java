package dev.fusebox.platform;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The processes of this machine; chooses the implementation at the first use. Thread-safe; blocks as [Processes]
/// documents.
final class SystemProcesses implements Processes {
    /// Initialized at the first use, by one thread: a program that starts no processes pays nothing.
    private static final class Real {
        static final Processes PROCESSES = choose();

        private static Processes choose() {
            return LinuxProcesses.works() ? new LinuxProcesses() : new PortableProcesses();
        }
    }

    @Override
    public LaunchResult launch(Program program) {
        return Real.PROCESSES.launch(program);
    }

    @Override
    public void replaceSelf(Program program) {
        Real.PROCESSES.replaceSelf(program);
    }

    @Override
    public List<ProcessEntry> list() {
        return Real.PROCESSES.list();
    }

    @Override
    public @Nullable String variable(ProcessEntry process, String name) {
        return Real.PROCESSES.variable(process, name);
    }

    @Override
    public boolean signal(ProcessEntry process, Signal signal) {
        return Real.PROCESSES.signal(process, signal);
    }

    @Override
    public void reap(ProcessEntry zombie) {
        Real.PROCESSES.reap(zombie);
    }

    @Override
    public ProcessEntry self() {
        return Real.PROCESSES.self();
    }

    @Override
    public boolean adoptOrphans() {
        return Real.PROCESSES.adoptOrphans();
    }

    @Override
    public boolean lowerPriority(int steps) {
        return Real.PROCESSES.lowerPriority(steps);
    }

    @Override
    public long processorNanos() {
        return Real.PROCESSES.processorNanos();
    }

    @Override
    public boolean denyInspection() {
        return Real.PROCESSES.denyInspection();
    }

    @Override
    public long memory() {
        return SystemMemory.limit();
    }

    @Override
    public long memoryOf(ProcessEntry process) {
        return Real.PROCESSES.memoryOf(process);
    }

    @Override
    public boolean keepsSessions() {
        return Real.PROCESSES.keepsSessions();
    }
}
