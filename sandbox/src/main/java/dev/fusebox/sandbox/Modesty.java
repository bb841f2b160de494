package dev.fusebox.sandbox;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// How a program is started that must never be in the way of others: behind them, and on one processor, however many
/// of its kind there are. What the machine has no word for, or does not let us do, is left out: the program starts in
/// any case. Pure functions but for a look at the disk.
final class Modesty {
    private static final Path SHELL = Path.of("/bin/sh");
    private static final Path TASKSET = Path.of("/usr/bin/taskset");
    private static final Path NICE = Path.of("/usr/bin/nice");

    /// Beside somebody who wants the same processor all the time it has a tenth of it.
    private static final String HOW_NICE = "10";

    /// Keeps to the last of the processors that it may run on, as the kernel tells them at this moment: the first ones
    /// have most to do, and those that are possible need not be there.
    private static final String ON_ONE_PROCESSOR = "c=$(/usr/bin/taskset -cp $$ 2>/dev/null); c=${c##*[!0-9]}; "
            + "[ -z \"$c\" ] || /usr/bin/taskset -cp \"$c\" $$ >/dev/null 2>&1; exec \"$@\"";

    private Modesty() {}

    /// What is put before the program's own words.
    static List<String> words() {
        List<String> words = new ArrayList<>();
        if (Files.isExecutable(SHELL) && Files.isExecutable(TASKSET)) {
            words.addAll(List.of(SHELL.toString(), "-c", ON_ONE_PROCESSOR, "sh"));
        }
        if (Files.isExecutable(NICE)) {
            words.addAll(List.of(NICE.toString(), "-n", HOW_NICE));
        }
        return words;
    }
}
