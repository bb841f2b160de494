package dev.fusebox.platform;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Starting programs, and looking at, signalling and burying processes. Thread-safe; [#launchResult] and [#list]
/// take milliseconds, everything else less.
public interface Processes {
    /// Starts a program with three pipes and nothing else of ours: no other descriptor, no ignored or blocked
    /// signal, no variable that was not given.
    ///
    /// Where [#keepsSessions()], the program leads a session and a group of its own.
    LaunchResult launchResult(Program program);

    /// All processes that can be seen, zombies included.
    ///
    /// @throws ProcessTableUnavailable if there is no descriptor left to look with
    List<ProcessEntry> list();

    /// What a variable was when the process began to run its program; null if it has none, or nobody tells.
    ///
    /// @throws ProcessTableUnavailable if there is no descriptor left to look with
    @Nullable
    String variable(ProcessEntry process, String name);

    /// Sends a signal to this very process, never to a later one with the same number. False if it is gone.
    boolean signal(ProcessEntry process, Signal signal);

    /// Reaps a zombie that is a child of ours but was not launched here: an orphan that we adopted. Does nothing
    /// to any other process.
    void bury(ProcessEntry zombie);

    /// This process.
    ProcessEntry self();

    /// From now on orphans below us become our children instead of those of the first process. False where that
    /// cannot be had.
    boolean adoptOrphans();

    /// From now on the calling thread, and threads that it starts, work when hardly anybody else wants a
    /// processor. They must hold no lock that others wait for. False where that cannot be had.
    boolean standBack();

    /// From now on other processes of the same user can neither read this process's memory and environment in
    /// `/proc` nor attach to it, and it leaves no core behind. The superuser still can, and programs launched
    /// later are not protected. False where that cannot be had.
    boolean denyInspection();

    /// Whether a launched program leads a session of its own, and variables of processes can be read.
    boolean keepsSessions();

    /// Bytes of memory that all processes of this machine may have together, or of this container if that is less;
    /// 0 if unknown.
    long memory();

    /// Bytes of memory that a process takes; what it shares with others counts in part. 0 if it is gone, or nobody
    /// tells. Takes longer the larger the process is.
    long memoryOf(ProcessEntry process);

    /// Those of the machine. The first launch loads what is needed: some 40 ms without a start-up cache.
    static Processes system() {
        return new SystemProcesses();
    }

    /// Those of a platform without processes: every launch fails.
    static Processes none() {
        return new NoProcessTable();
    }
}
