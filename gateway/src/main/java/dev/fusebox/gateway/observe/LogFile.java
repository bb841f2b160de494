package dev.fusebox.gateway.observe;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// One part of the log of one gateway: the file `gateway-20261125T040607Z-4711.log`, with `....log.1`, `....log.2`
/// for later parts. Immutable.
///
/// @param pid process of the gateway; 0 for files of earlier versions, which all gateways shared
/// @param log its name without the part number: the same for all parts of one gateway
/// @param part 0 for the first one
record LogFile(Path path, long pid, String log, int part) {
    private static final String HEAD = "gateway-";
    private static final String TAIL = ".log";
    private static final int TIME_LENGTH = "20261125T040607Z".length();

    /// Longer digit sequences are neither a process id nor a part number.
    private static final int MAX_DIGITS = 9;

    /// @param time when the gateway was started, in UTC, as `2026-11-25T04:06:07.089Z`
    static String name(String time, long pid) {
        String digits = time.replace("-", "").replace(":", "");
        return HEAD + digits.substring(0, TIME_LENGTH - 1) + "Z-" + pid + TAIL;
    }

    /// Null if the file is not a log file.
    static @Nullable LogFile of(Path path) {
        String name = path.getFileName().toString();
        int end = name.indexOf(TAIL);
        if (!name.startsWith("gateway") || end < 0) {
            return null;
        }
        String log = name.substring(0, end + TAIL.length());
        String rest = name.substring(log.length());
        int part = rest.isEmpty() ? 0 : rest.startsWith(".") ? number(rest.substring(1)) : -1;
        if (part < 0) {
            return null;
        }
        int afterTime = HEAD.length() + TIME_LENGTH + 1;
        boolean isOfOne = name.startsWith(HEAD) && end > afterTime;
        int pid = isOfOne ? number(name.substring(afterTime, end)) : 0;
        return pid < 0 ? null : new LogFile(path, pid, log, part);
    }

    /// Negative if it is not a number.
    private static int number(String text) {
        if (text.isEmpty() || text.length() > MAX_DIGITS || !text.chars().allMatch(Character::isDigit)) {
            return -1;
        }
        return Integer.parseInt(text);
    }

    /// When the gateway was started: `20261125T040607Z`; empty if the name does not contain it.
    String started() {
        return pid == 0 ? "" : log.substring(HEAD.length(), HEAD.length() + TIME_LENGTH);
    }
}
