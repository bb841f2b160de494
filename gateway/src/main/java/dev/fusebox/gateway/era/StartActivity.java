package dev.fusebox.gateway.era;

import dev.fusebox.client.Connection;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.ProcessEntry;
import dev.fusebox.platform.ProcessTableUnavailable;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The detector that distinguishes a server process that is still starting from one that does not answer: a
/// starting process uses the processor, waits for it nearly all the time, or waits for the disk. Reads `/proc`; on
/// systems without it no process counts as starting. For one thread; a look reads a few files for each thread of
/// the server and takes milliseconds.
final class StartActivity {
    /// On a busy machine a starting process may sleep at one look and run again at the next.
    private static final int QUIET_LOOKS = 3;

    /// A process that uses less of a processor between two looks only runs timers. A sleeping JVM used 0.0002
    /// of one.
    private static final double TIMERS_SHARE = 0.02;

    /// A starting process that gets no processor waits for one nearly all the time. A sleeping JVM beside
    /// twelve busy programs on two processors waited for 0.02 of the time, whenever one of its timers was due.
    private static final double STARVED_SHARE = 0.9;

    /// Index in `/proc/PID/task/TID/stat` (proc(5)), counted from the field after the name of the thread.
    private static final int STATE = 0;

    /// Time in user mode and in the kernel, in ticks.
    private static final int USER_TIME = 11;

    private static final int KERNEL_TIME = 12;

    /// `USER_HZ` is 100 on all common architectures.
    private static final long TICK_NANOS = 10_000_000;

    private final Platform platform;
    private final @Nullable Long leader;
    private Sample last;
    private long lastAt;
    private int quiet;

    /// The activity of all threads of the session. Immutable.
    ///
    /// @param used nanoseconds for which they have used a processor so far
    /// @param waited nanoseconds for which they have waited for one
    /// @param isBlocked whether one of them waits now: for the disk, or for a processor where that is not
    ///     counted
    private record Sample(long used, long waited, boolean isBlocked) {
        static final Sample NOTHING = new Sample(0, 0, false);

        Sample and(Sample other) {
            return new Sample(used + other.used, waited + other.waited, isBlocked || other.isBlocked);
        }
    }

    /// @param connection to the process, which leads a session; null or one without a process never counts as
    ///     starting
    StartActivity(Platform platform, @Nullable Connection connection) {
        this.platform = platform;
        this.leader = connection == null ? null : connection.process();
        this.last = sample();
        this.lastAt = platform.ticker().nanos();
    }

    /// Whether the processes of the session have been busy at this look or at one of the two before.
    boolean isBusy() {
        Sample now = sample();
        long at = platform.ticker().nanos();
        quiet = isQuiet(now, at - lastAt) ? quiet + 1 : 0;
        last = now;
        lastAt = at;
        return leader != null && quiet < QUIET_LOOKS;
    }

    private boolean isQuiet(Sample now, long elapsed) {
        long used = now.used() - last.used();
        long wanted = used + now.waited() - last.waited();
        return used < TIMERS_SHARE * elapsed && wanted < STARVED_SHARE * elapsed && !now.isBlocked();
    }

    private Sample sample() {
        Long session = leader;
        if (session == null) {
            return Sample.NOTHING;
        }
        try {
            return platform.processes().list().stream()
                    .filter(entry -> entry.session() == session)
                    .map(StartActivity::sample)
                    .reduce(Sample.NOTHING, Sample::and);
        } catch (ProcessTableUnavailable unseen) {
            return Sample.NOTHING;
        }
    }

    private static Sample sample(ProcessEntry entry) {
        Path threads = Path.of("/proc/" + entry.pid() + "/task");
        Sample whole = Sample.NOTHING;
        try (DirectoryStream<Path> found = Files.newDirectoryStream(threads)) {
            for (Path thread : found) {
                whole = whole.and(ofThread(thread));
            }
        } catch (IOException | DirectoryIteratorException gone) {
            return whole;
        }
        return whole;
    }

    private static Sample ofThread(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            boolean waitsForDisk = fields[STATE].equals("D");
            Sample counted = counted(thread, waitsForDisk);
            return counted == null ? ticks(fields, waitsForDisk) : counted;
        } catch (IOException | RuntimeException gone) {
            return Sample.NOTHING;
        }
    }

    /// By the scheduler's statistics; null on kernels that have none, or only zeros.
    private static @Nullable Sample counted(Path thread, boolean waitsForDisk) throws IOException {
        Path statistics = thread.resolve("schedstat");
        if (!Files.exists(statistics)) {
            return null;
        }
        String[] times = Files.readString(statistics).split(" ", -1);
        long used = Long.parseLong(times[0]);
        long waited = Long.parseLong(times[1]);
        return used + waited == 0 ? null : new Sample(used, waited, waitsForDisk);
    }

    /// In ticks, of which only those are counted in which the thread runs.
    private static Sample ticks(String[] fields, boolean waitsForDisk) {
        long ticks = Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[KERNEL_TIME]);
        return new Sample(ticks * TICK_NANOS, 0, waitsForDisk || fields[STATE].equals("R"));
    }
}
