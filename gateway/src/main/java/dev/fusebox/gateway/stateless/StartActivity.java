package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Connection;
import dev.fusebox.world.ProcessEntry;
import dev.fusebox.world.ProcessesUnseen;
import dev.fusebox.world.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Tells a process that is still starting from one that is silent: the former uses the processor, waits for it or for
/// the
/// disk. Linux tells so; elsewhere every process counts as silent. For one thread; a look takes milliseconds.
final class StartActivity {
    /// On a busy machine a starting process may sleep in one look, and be preparing itself again in the next.
    private static final int QUIET_LOOKS = 2;

    /// Of `/proc/PID/stat` behind the name of the process.
    private static final int STATE = 0;

    /// Time in user mode and in the kernel, in units of 10 ms.
    private static final int USER_TIME = 11;

    private static final int KERNEL_TIME = 12;

    private final World world;
    private final @Nullable Long leader;
    private Look last;
    private int quiet;

    /// What the processes of the session are seen to do.
    ///
    /// @param ticks of the processor that they have used so far
    /// @param isWaiting whether one of them waits for the processor or the disk
    private record Look(long ticks, boolean isWaiting) {
        static final Look NOTHING = new Look(0, false);

        Look and(Look other) {
            return new Look(ticks + other.ticks, isWaiting || other.isWaiting);
        }
    }

    /// @param connection to the process, which leads a session; null or one without a process counts as silent
    StartActivity(World world, @Nullable Connection connection) {
        this.world = world;
        this.leader = connection == null ? null : connection.process();
        this.last = look();
    }

    /// Whether the processes of the session have been busy at this look or the one before.
    boolean isBusy() {
        Look now = look();
        boolean isQuiet = now.ticks() <= last.ticks() && !now.isWaiting();
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
        try {
            String stat = Files.readString(Path.of("/proc/" + entry.pid() + "/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
            long ticks = Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[KERNEL_TIME]);
            return new Look(ticks, fields[STATE].equals("R") || fields[STATE].equals("D"));
        } catch (IOException | RuntimeException gone) {
            return Look.NOTHING;
        }
    }
}
