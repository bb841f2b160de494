package dev.fusebox.doctor;

import dev.fusebox.client.ErrorId;
import dev.fusebox.platform.Platform;
import java.util.ArrayList;
import java.util.List;

/// The totals over all servers. Thread-safe; pure except for reading the machine's memory.
public final class DoctorTotals {
    private static final int WARN_PERCENT = 80;
    private static final long MEBIBYTE = 1 << 20;

    private DoctorTotals() {}

    /// Findings about memory and tokens; none for values that are unknown.
    public static List<Finding> of(Platform platform, List<CheckResults> resultses) {
        List<Finding> findings = new ArrayList<>();
        long memory = resultses.stream().mapToLong(CheckResults::memory).sum();
        if (memory > 0) {
            findings.add(memory(memory, platform.processes().memory()));
        }
        long tools = resultses.stream().mapToLong(CheckResults::tools).sum();
        if (tools > 0) {
            long tokens = resultses.stream().mapToLong(CheckResults::toolTokens).sum();
            findings.add(Finding.ok(
                    Check.TOKENS,
                    tools + (tools == 1 ? " tool" : " tools") + ", about " + tokens + " tokens in total"));
        }
        return findings;
    }

    /// @param limit 0 if unknown
    static Finding memory(long bytes, long limit) {
        String words =
                "the servers use " + bytes / MEBIBYTE + " MiB" + (limit == 0 ? "" : " of " + limit / MEBIBYTE + " MiB");
        return limit > 0 && bytes > limit / 100 * WARN_PERCENT
                ? Finding.warn(Check.MEMORY, ErrorId.MEMORY_SHORT, words)
                        .withRemedy("give the container more memory, or disable unused servers")
                : Finding.ok(Check.MEMORY, words);
    }
}
