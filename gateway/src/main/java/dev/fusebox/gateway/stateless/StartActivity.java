package dev.fusebox.gateway.stateless;

import dev.fusebox.client.Connection;
import dev.fusebox.world.ProcessEntry;
import dev.fusebox.world.ProcessesUnseen;
import dev.fusebox.world.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Tells a process that is still starting from one that is silent: the former uses the processor, and Linux counts that
/// in units of 10 ms. Elsewhere every process counts as silent. For one thread; a look takes milliseconds.
final class StartActivity {
    /// Of `/proc/PID/stat` behind the name of the process: time in user mode and in the kernel.
    private static final int USER_TIME = 11;

    private static final int KERNEL_TIME = 12;

    private final World world;
    private final @Nullable Long leader;
    private long last;

    /// @param connection to the process, which leads a session; null or one without a process counts as silent
    StartActivity(World world, @Nullable Connection connection) {
        this.world = world;
        this.leader = connection == null ? null : connection.process();
        this.last = ticks();
    }

    /// Whether the processes of the session have used the processor since the last look.
    boolean isBusy() {
        long before = last;
        last = ticks();
        return last > before;
    }

    private long ticks() {
        Long session = leader;
        if (session == null) {
            return 0;
        }
        try {
            return world.processes().list().stream()
                    .filter(entry -> entry.session() == session)
                    .mapToLong(StartActivity::ticks)
                    .sum();
        } catch (ProcessesUnseen unseen) {
            return 0;
        }
    }

    private static long ticks(ProcessEntry entry) {
        try {
            String stat = Files.readString(Path.of("/proc/" + entry.pid() + "/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
            return Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[KERNEL_TIME]);
        } catch (IOException | RuntimeException gone) {
            return 0;
        }
    }
}
