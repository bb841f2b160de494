package dev.fusebox.client.process;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Names of the signal numbers of Linux. Pure functions.
final class SignalName {
    private static final List<String> NAMES = List.of(
            "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM",
            "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF",
            "WINCH", "IO", "PWR", "SYS");

    private SignalName() {}

    /// Null for zero, which is not a signal.
    static @Nullable String of(int number) {
        if (number <= 0) {
            return null;
        }
        return number <= NAMES.size() ? "SIG" + NAMES.get(number - 1) : "signal " + number;
    }
}
