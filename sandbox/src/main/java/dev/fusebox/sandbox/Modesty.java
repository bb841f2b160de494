package dev.fusebox.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// How a program is started that must never be in the way of others: behind them, and on one processor, however many
/// of its kind there are. What the machine has no word for is left out. Pure functions but for a look at the disk.
final class Modesty {
    private static final Path NICE = Path.of("/usr/bin/nice");
    private static final Path TASKSET = Path.of("/usr/bin/taskset");
    private static final Path STATUS = Path.of("/proc/self/status");

    /// A quarter of a second's worth of work in two, beside somebody who wants the same processor all the time.
    private static final String HOW_NICE = "10";

    private static final Pattern LAST_PROCESSOR = Pattern.compile("Cpus_allowed_list:\\s.*?(\\d+)\\s*\\R");

    private Modesty() {}

    /// What is put before the program's own words.
    static List<String> words() {
        List<String> words = new ArrayList<>();
        if (Files.isExecutable(TASKSET)) {
            words.addAll(onOneProcessor());
        }
        if (Files.isExecutable(NICE)) {
            words.addAll(List.of(NICE.toString(), "-n", HOW_NICE));
        }
        return words;
    }

    /// The last of those that we may run on ourselves: the first ones have most to do.
    private static List<String> onOneProcessor() {
        try {
            Matcher allowed = LAST_PROCESSOR.matcher(Files.readString(STATUS));
            return allowed.find() ? List.of(TASKSET.toString(), "-c", allowed.group(1)) : List.of();
        } catch (IOException | SecurityException unknown) {
            return List.of();
        }
    }
}
