package dev.fusebox.sandbox;

import java.time.Duration;

/// The limits of scripts. Immutable.
///
/// @param memoryMb the memory of a script, in mebibytes
/// @param maxCalls the number of calls of a script
/// @param maxOutputBytes the size of result and log together
/// @param runsAtOnce the number of scripts that run at the same time; the others wait
/// @param kept how long an idle worker is kept after the last script
public record SandboxLimits(int memoryMb, int maxCalls, int maxOutputBytes, int runsAtOnce, Duration kept) {
    private static final int MEBIBYTE = 1 << 20;

    public SandboxLimits {
        if (memoryMb < 1 || maxCalls < 0 || maxOutputBytes < 1 || runsAtOnce < 1) {
            throw new IllegalArgumentException("memoryMb " + memoryMb + ", maxOutputBytes " + maxOutputBytes
                    + " and runsAtOnce " + runsAtOnce + " must be positive, and maxCalls " + maxCalls
                    + " not negative");
        }
    }

    /// 64 MiB, 200 calls, 10 MiB, two at once, and a worker is kept for five minutes.
    public static SandboxLimits defaults() {
        return new SandboxLimits(64, 200, 10 * MEBIBYTE, 2, Duration.ofMinutes(5));
    }

    /// The memory of a script, in bytes.
    long memoryBytes() {
        return (long) memoryMb * MEBIBYTE;
    }

    public SandboxLimits withMemoryMb(int other) {
        return new SandboxLimits(other, maxCalls, maxOutputBytes, runsAtOnce, kept);
    }

    public SandboxLimits withMaxCalls(int other) {
        return new SandboxLimits(memoryMb, other, maxOutputBytes, runsAtOnce, kept);
    }

    public SandboxLimits withMaxOutputBytes(int other) {
        return new SandboxLimits(memoryMb, maxCalls, other, runsAtOnce, kept);
    }

    public SandboxLimits withRunsAtOnce(int other) {
        return new SandboxLimits(memoryMb, maxCalls, maxOutputBytes, other, kept);
    }

    public SandboxLimits withKept(Duration other) {
        return new SandboxLimits(memoryMb, maxCalls, maxOutputBytes, runsAtOnce, other);
    }
}
