package dev.fusebox.sandbox;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The command prefix for programs that must not disturb others: low priority, one processor for all of them,
/// resource limits, and no way to gain privileges (`no_new_privs`). Anything that the machine does not support or
/// permit is skipped: the program starts in any case. Stateless, thread-safe; looks up files.
final class LowPriority {
    private static final Path SHELL = Path.of("/bin/sh");
    private static final Path NICE = Path.of("/usr/bin/nice");
    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");

    /// Next to a thread that uses the same processor all the time it gets a tenth of it.
    private static final String NICENESS = "10";

    /// Pins the program to the last processor on which it may run, as the kernel reports them now: the first ones
    /// are the busiest, and not every possible one is online.
    private static final String ON_ONE_PROCESSOR = "c=$(/usr/bin/taskset -cp $$ 2>/dev/null); c=${c##*[!0-9]}; "
            + "[ -z \"$c\" ] || /usr/bin/taskset -cp \"$c\" $$ >/dev/null 2>&1; exec \"$@\"";

    /// Hard limits: no core dump, no writing to files, and as many open files as a JVM with a few jars needs (it
    /// has 40). Processes are not limited, because the kernel counts those of the whole user.
    private static final String LIMITS = "ulimit -c 0 2>/dev/null; ulimit -n 256 2>/dev/null; ";

    private static final String NO_FILES = "ulimit -f 0 2>/dev/null; ";

    private LowPriority() {}

    /// The words before the program's own command line.
    ///
    /// @param writesFiles whether the program must be able to write files
    static List<String> words(boolean writesFiles) {
        List<String> words = new ArrayList<>();
        if (Files.isExecutable(SHELL)) {
            String script = LIMITS + (writesFiles ? "" : NO_FILES) + ON_ONE_PROCESSOR;
            words.addAll(List.of(SHELL.toString(), "-c", script, "sh"));
        }
        if (Files.isExecutable(NICE)) {
            words.addAll(List.of(NICE.toString(), "-n", NICENESS));
        }
        if (Files.isExecutable(SETPRIV)) {
            words.addAll(List.of(SETPRIV.toString(), "--no-new-privs"));
        }
        return words;
    }
}
