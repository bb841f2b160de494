package dev.fusebox.sandbox;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// How a program is started that must never be in the way of others: behind them, and on one processor, however
/// many of its kind there are; and with resource limits and without a way to more privileges (`no_new_privs`).
/// What the machine has no word for, or does not let us do, is left out: the program starts in any case. Pure
/// functions but for a look at the disk.
final class LowPriority {
    private static final Path SHELL = Path.of("/bin/sh");
    private static final Path NICE = Path.of("/usr/bin/nice");
    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");

    /// Beside somebody who wants the same processor all the time it has a tenth of it.
    private static final String HOW_NICE = "10";

    /// Keeps to the last of the processors that it may run on, as the kernel tells them at this moment: the first
    /// ones have most to do, and those that are possible need not be there.
    private static final String ON_ONE_PROCESSOR = "c=$(/usr/bin/taskset -cp $$ 2>/dev/null); c=${c##*[!0-9]}; "
            + "[ -z \"$c\" ] || /usr/bin/taskset -cp \"$c\" $$ >/dev/null 2>&1; exec \"$@\"";

    /// Hard limits: no core, no byte written to a file, and files open as a JVM with a few jars needs them (it has
    /// 40). Processes are not limited: the kernel counts those of the whole user.
    private static final String LIMITS = "ulimit -c 0 2>/dev/null; ulimit -n 256 2>/dev/null; ";

    private static final String NO_FILES = "ulimit -f 0 2>/dev/null; ";

    private LowPriority() {}

    /// What is put before the program's own words.
    ///
    /// @param writesFiles whether it must be able to
    static List<String> words(boolean writesFiles) {
        List<String> words = new ArrayList<>();
        if (Files.isExecutable(SHELL)) {
            String script = LIMITS + (writesFiles ? "" : NO_FILES) + ON_ONE_PROCESSOR;
            words.addAll(List.of(SHELL.toString(), "-c", script, "sh"));
        }
        if (Files.isExecutable(NICE)) {
            words.addAll(List.of(NICE.toString(), "-n", HOW_NICE));
        }
        if (Files.isExecutable(SETPRIV)) {
            words.addAll(List.of(SETPRIV.toString(), "--no-new-privs"));
        }
        return words;
    }
}
