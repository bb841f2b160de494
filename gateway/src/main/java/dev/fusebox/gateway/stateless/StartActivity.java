package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Connection;
import dev.fusebox.world.ProcessEntry;
import dev.fusebox.world.ProcessesUnseen;
import dev.fusebox.world.World;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Tells a process that is still starting from one that is silent: a thread of the former uses the processor, waits for
/// it or for the disk. Linux tells so; elsewhere every process counts as silent. For one thread; a look takes
/// milliseconds.
final class StartActivity {
    /// On a busy machine a starting process may sleep in one look, and be preparing itself again in the next.
    private static final int QUIET_LOOKS = 3;

    /// More than the timers of a waiting process use between two looks.
    private static final long QUIET_NANOS = 1_000_000;

    /// Of `/proc/PID/task/TID/stat` behind the name of the thread.
    private static final int STATE = 0;

    /// Time in user mode and in the kernel, in ticks.
    private static final int USER_TIME = 11;

    private static final int KERNEL_TIME = 12;

    private static final long TICK_NANOS = 10_000_000;

    private final World world;
    private final @Nullable Long leader;
    private Look last;
    private int quiet;

    /// What the threads of the session are seen to do.
    ///
    /// @param nanos for which they have used the processor or waited for it so far
    /// @param isWaiting whether one of them waits for the processor or the disk now
    private record Look(long nanos, boolean isWaiting) {
        static final Look NOTHING = new Look(0, false);

        Look and(Look other) {
            return new Look(nanos + other.nanos, isWaiting || other.isWaiting);
        }
    }

    /// @param connection to the process, which leads a session; null or one without a process counts as silent
    StartActivity(World world, @Nullable Connection connection) {
        this.world = world;
        this.leader = connection == null ? null : connection.process();
        this.last = look();
    }

    /// Whether the processes of the session have been busy at this look or at one of the two before.
    boolean isBusy() {
        Look now = look();
        boolean isQuiet = now.nanos() - last.nanos() < QUIET_NANOS && !now.isWaiting();
        last = now;
        quiet = isQuiet ? quiet + 1 : 0;
        return leader != null && quiet < QUIET_LOOKS;
    }

    private Look look() {
        Long session = leader;
        if (session == null) {
            return Look.NOTHING;
        }
        try {
            return world.processes().list().stream()
                    .filter(entry -> entry.session() == session)
                    .map(StartActivity::look)
                    .reduce(Look.NOTHING, Look::and);
        } catch (ProcessesUnseen unseen) {
            return Look.NOTHING;
        }
    }

    private static Look look(ProcessEntry entry) {
        Path threads = Path.of("/proc/" + entry.pid() + "/task");
        Look whole = Look.NOTHING;
        try (DirectoryStream<Path> found = Files.newDirectoryStream(threads)) {
            for (Path thread : found) {
                whole = whole.and(ofThread(thread));
            }
        } catch (IOException | DirectoryIteratorException gone) {
            return whole;
        }
        return whole;
    }

    private static Look ofThread(Path thread) {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            boolean isWaiting = fields[STATE].equals("R") || fields[STATE].equals("D");
            return new Look(nanos(thread, fields), isWaiting);
        } catch (IOException | RuntimeException gone) {
            return Look.NOTHING;
        }
    }

    /// Kernels without scheduler statistics only count ticks.
    private static long nanos(Path thread, String[] fields) {
        try {
            String[] times = Files.readString(thread.resolve("schedstat")).split(" ", -1);
            return Long.parseLong(times[0]) + Long.parseLong(times[1]);
        } catch (IOException unavailable) {
            return (Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[KERNEL_TIME])) * TICK_NANOS;
        }
    }
}
