package dev.fusebox.platform;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The process table: starts programs, lists, signals and reaps processes. Thread-safe; [#launch] and [#list] take
/// milliseconds, everything else less.
public interface Processes {
    /// Starts a program with three pipes and nothing else of this process: no other descriptor, no ignored or
    /// blocked signal, no variable that was not given.
    ///
    /// Where [#keepsSessions()], the program leads a session and a group of its own.
    LaunchResult launch(Program program);

    /// Replaces this process by another program, which keeps its number, its standard streams and its parent. Returns
    /// only if that fails or is not supported.
    default void replaceSelf(Program program) {}

    /// All visible processes, including zombies.
    ///
    /// @throws ProcessTableUnavailable if there is no descriptor left to look with
    List<ProcessEntry> list();

    /// The value of a variable when the process began to run its program; null if it has none, or it cannot be
    /// read.
    ///
    /// @throws ProcessTableUnavailable if there is no descriptor left to look with
    @Nullable
    String variable(ProcessEntry process, String name);

    /// Sends a signal to exactly this process, never to a later one with the same number. Returns false if it is
    /// gone.
    boolean signal(ProcessEntry process, Signal signal);

    /// Reaps a zombie that is a child of ours but was not launched here: an adopted orphan. Does nothing to any
    /// other process.
    void reap(ProcessEntry zombie);

    /// This process.
    ProcessEntry self();

    /// Makes orphans of our descendants our children instead of those of the init process. Returns false where
    /// that is not supported.
    boolean adoptOrphans();

    /// Lowers the priority of the calling thread, and of threads that it starts, by so many steps of niceness, of
    /// which there are 19 below the usual one. They must hold no lock that other threads wait for. Returns false
    /// where that is not supported.
    boolean lowerPriority(int steps);

    /// The processor time that the calling platform thread has used; negative where that is unknown.
    long processorNanos();

    /// Prevents other processes of the same user from reading this process's memory and environment in `/proc` and
    /// from attaching to it, and disables core dumps. The superuser still can, and programs launched later are not
    /// protected. Returns false where that is not supported.
    boolean denyInspection();

    /// Whether a launched program leads a session of its own, and variables of processes can be read.
    boolean keepsSessions();

    /// The memory limit in bytes of all processes of this machine, or of this container if that is lower; 0 if
    /// unknown.
    long memory();

    /// The memory use of a process in bytes, with a proportional share of shared memory; 0 if it is gone or
    /// unknown. Takes longer the larger the process is.
    long memoryOf(ProcessEntry process);

    /// The processes of this machine. The first launch loads what is needed: some 40 ms without a start-up cache.
    static Processes system() {
        return new SystemProcesses();
    }

    /// A process table in which every launch fails.
    static Processes none() {
        return new NoProcessTable();
    }
}
