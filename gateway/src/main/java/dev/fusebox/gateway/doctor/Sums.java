package dev.fusebox.gateway.doctor;

import dev.fusebox.gateway.errors.ErrorId;
import dev.fusebox.world.World;
import java.util.ArrayList;
import java.util.List;

/// What all servers come to together. Thread-safe; pure but for what the machine
/// tells of its memory.
public final class Sums {
    private static final int MUCH_PERCENT = 80;
    private static final long MEBIBYTE = 1 << 20;

    private Sums() {}

    /// Memory and tokens; nothing of what nobody has seen.
    public static List<Finding> of(World world, List<Chart> charts) {
        List<Finding> findings = new ArrayList<>();
        long memory = charts.stream().mapToLong(Chart::memory).sum();
        if (memory > 0) {
            findings.add(memory(memory, world.processes().memory()));
        }
        long tools = charts.stream().mapToLong(Chart::tools).sum();
        if (tools > 0) {
            long tokens = charts.stream().mapToLong(Chart::toolTokens).sum();
            findings.add(Finding.ok(
                    Check.TOKENS,
                    tools + (tools == 1 ? " tool" : " tools") + ", about " + tokens
                            + " tokens for a model that reads all"));
        }
        return findings;
    }

    /// @param limit 0 if nobody tells
    static Finding memory(long bytes, long limit) {
        String words = "the servers take " + bytes / MEBIBYTE + " MiB"
                + (limit == 0 ? "" : " of " + limit / MEBIBYTE + " MiB");
        return limit > 0 && bytes > limit / 100 * MUCH_PERCENT
                ? Finding.warn(Check.MEMORY, ErrorId.MEMORY_SHORT, words)
                        .mendedBy("give the container more memory, or disable servers that are not needed")
                : Finding.ok(Check.MEMORY, words);
    }
}
