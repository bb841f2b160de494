package dev.fusebox.platform;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Process information from `/proc`. Immutable, thread-safe. A process that ends while it is read counts as
/// missing.
final class ProcFs {
    /// Bounds the reading on a machine that starts processes all the time.
    private static final int ROUNDS = 20;

    /// A line of `stat` has 52 numbers and a name of at most 64 bytes.
    private static final int STAT_BYTES = 2048;

    /// Readable by every user, so it can be opened whenever there is a descriptor. Our own environment may not be:
    /// it belongs to the superuser if we deny inspection.
    private static final String OWN_STAT = "/proc/self/stat";

    /// Processor time, time of waiting for a processor, and time slices.
    private static final String THREAD_TIMES = "/proc/thread-self/schedstat";

    /// An environment may take a quarter of the largest stack; a longer one was not set by this program.
    private static final int ENVIRONMENT_BYTES = 4 << 20;

    /// Executing another program takes some 0.2 ms; a busy machine may interrupt it.
    private static final int ATTEMPTS = 6;

    private static final long BETWEEN_ATTEMPTS_NANOS = 300_000;

    /// All processes. If a process is reported as ended, so are the children that it forked.
    ///
    /// The list of numbers is older than the data of each process: a process may fork and end in between, and its
    /// child is not on the list. So the list is read again until it has no new numbers.
    ///
    /// @throws ProcessTableUnavailable if one of them is there and cannot be read
    List<ProcessEntry> entries() {
        var seen = new HashSet<Long>();
        var entries = new ArrayList<ProcessEntry>();
        boolean isNew = true;
        for (int round = 0; isNew && round < ROUNDS; round++) {
            List<Long> fresh = numbers().filter(seen::add).toList();
            fresh.stream().map(this::seen).flatMap(Stream::ofNullable).forEach(entries::add);
            isNew = !fresh.isEmpty();
        }
        return entries;
    }

    private static Stream<Long> numbers() {
        String[] names = new File("/proc").list();
        if (names == null) {
            throw new ProcessTableUnavailable("/proc");
        }
        return Stream.of(names)
                .filter(name -> Character.isDigit(name.charAt(0)))
                .map(Long::valueOf);
    }

    /// An existence check needs no descriptor and no permission.
    private @Nullable ProcessEntry seen(long pid) {
        ProcessEntry entry = entry(pid);
        if (entry == null && new File("/proc/" + pid + "/stat").exists()) {
            throw new ProcessTableUnavailable("/proc/" + pid + "/stat");
        }
        return entry;
    }

    @Nullable
    ProcessEntry entry(long pid) {
        byte[] stat = read("/proc/" + pid + "/stat", STAT_BYTES);
        return stat == null ? null : parse(pid, new String(stat, StandardCharsets.ISO_8859_1));
    }

    /// The name in the second field may contain anything, including brackets and blanks; the last bracket ends it.
    static @Nullable ProcessEntry parse(long pid, String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", 21);
        if (fields.length < 21) {
            return null;
        }
        boolean isZombie = fields[0].equals("Z") || fields[0].equals("X");
        return new ProcessEntry(
                pid,
                Long.parseLong(fields[1]),
                Long.parseLong(fields[2]),
                Long.parseLong(fields[3]),
                Long.parseLong(fields[19]),
                isZombie);
    }

    /// The processor time of the calling thread; negative if it cannot be read.
    static long threadNanos() {
        byte[] used = read(THREAD_TIMES, STAT_BYTES);
        String first = used == null ? "" : new String(used, StandardCharsets.ISO_8859_1).split(" ", 2)[0];
        // Zero where the kernel keeps no such statistics: a thread that runs has used some time.
        return first.isEmpty() || first.equals("0") ? -1 : Long.parseLong(first);
    }

    /// @throws ProcessTableUnavailable if there is no descriptor left to open anything
    @Nullable
    String variable(long pid, String name) {
        byte[] environment = environment(pid);
        if (environment == null && read(OWN_STAT, 1) == null) {
            throw new ProcessTableUnavailable(OWN_STAT);
        }
        return environment == null ? null : find(environment, (name + "=").getBytes(StandardCharsets.UTF_8));
    }

    /// A process that is executing another program has no environment for a moment; an empty one is accepted after
    /// several attempts.
    private static byte @Nullable [] environment(long pid) {
        byte[] environment = read("/proc/" + pid + "/environ", ENVIRONMENT_BYTES);
        for (int attempt = 1; attempt < ATTEMPTS && environment != null && environment.length == 0; attempt++) {
            LockSupport.parkNanos(BETWEEN_ATTEMPTS_NANOS);
            environment = read("/proc/" + pid + "/environ", ENVIRONMENT_BYTES);
        }
        return environment;
    }

    private static @Nullable String find(byte[] environment, byte[] head) {
        int at = 0;
        while (at < environment.length) {
            int end = at;
            while (end < environment.length && environment[end] != 0) {
                end++;
            }
            int value = at + head.length;
            if (value <= end && Arrays.equals(environment, at, value, head, 0, head.length)) {
                return new String(environment, value, end - value, StandardCharsets.UTF_8);
            }
            at = end + 1;
        }
        return null;
    }

    private static byte @Nullable [] read(String file, int limit) {
        try (var in = new FileInputStream(file)) {
            return in.readNBytes(limit);
        } catch (IOException e) {
            return null;
        }
    }
}
