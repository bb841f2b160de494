package dev.fusebox.platform;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Command lines of Fusebox as people type them into a shell: with the launcher as it is reached from where they
/// are read, the file or the gateway that is meant, and quotes where a shell wants them. Thread-safe; asks the
/// file system for one file.
public final class FuseboxCommand {
    /// What needs no quotes in any shell. To zsh a `=` at the beginning has a meaning.
    private static final String PLAIN_WORD = "[A-Za-z0-9_./:@%+,-][A-Za-z0-9_./:=@%+,-]*";

    private static final String HERE = "./fusebox";

    /// Where the launcher is, as it says itself.
    private static final String LAUNCHER = "fusebox.launcher";

    /// What this process works by: a process serves one file, and a command uses one.
    private static volatile Scope scope = new Scope(null, false);

    private record Scope(@Nullable Path file, boolean isGateway) {}

    private FuseboxCommand() {}

    /// From now on commands name this file. Has no effect in a process that no launcher has started.
    public static void uses(Path file) {
        become(file, false);
    }

    /// From now on commands name this file, or this process as a gateway. Its messages are read in
    /// any folder.
    public static void serves(Path file) {
        become(file, true);
    }

    private static void become(Path file, boolean isGateway) {
        if (System.getProperty(LAUNCHER) != null) {
            scope = new Scope(file.toAbsolutePath().normalize(), isGateway);
        }
    }

    /// A command as it is typed here.
    public static String of(String... words) {
        List<String> all = new ArrayList<>(List.of(quoted(launcher())));
        for (String word : words) {
            all.add(quoted(word));
        }
        return String.join(" ", all);
    }

    /// A command that takes `--config`, for the file that this process works by, if that is known.
    public static String onFile(String... words) {
        Path file = scope.file();
        return file == null ? of(words) : of(words) + " --config " + quoted(file.toString());
    }

    /// The first words of a command for the file that this process works by, not quoted: all that follows may
    /// belong to another program's command.
    public static List<String> firstWordsOnFile(String command) {
        Path file = scope.file();
        return file == null ? List.of(launcher(), command) : List.of(launcher(), command, "--config", file.toString());
    }

    /// A command for this process, if it is a gateway: others may run beside it.
    public static String onGateway(String... words) {
        return scope.isGateway()
                ? of(words) + " --gateway " + ProcessHandle.current().pid()
                : of(words);
    }

    /// A word as a shell reads it.
    public static String quoted(String word) {
        return word.matches(PLAIN_WORD) ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /// The launcher says where it is; without it (in tests, in an IDE) the checkout's is meant.
    private static String launcher() {
        String launcher = System.getProperty(LAUNCHER);
        if (launcher == null) {
            return HERE;
        }
        try {
            boolean isHere =
                    !scope.isGateway() && Files.isSameFile(Path.of("fusebox").toAbsolutePath(), Path.of(launcher));
            return isHere ? HERE : launcher;
        } catch (IOException elsewhere) {
            return launcher;
        }
    }
}
