package dev.fusebox.platform;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Formatter of Fusebox command lines for messages: with the launcher's path as the reader can type it, the
/// configuration file or the gateway concerned, and shell quoting. Thread-safe; looks up one file.
public final class FuseboxCommand {
    /// Words that need no quotes in any shell. In zsh, a leading `=` has a meaning.
    private static final String PLAIN_WORD = "[A-Za-z0-9_./:@%+,-][A-Za-z0-9_./:=@%+,-]*";

    private static final String HERE = "./fusebox";

    /// System property with the launcher's path, set by the launcher.
    private static final String LAUNCHER = "fusebox.launcher";

    /// The file that this process uses: a gateway serves one file, and a command uses one.
    private static volatile Scope scope = new Scope(null, false);

    private record Scope(@Nullable Path file, boolean isGateway) {}

    private FuseboxCommand() {}

    /// Makes commands name this file. Has no effect in a process that was not started by the launcher.
    public static void uses(Path file) {
        set(file, false);
    }

    /// Makes commands name this file, or this process as the gateway. The messages of a gateway may be read in any
    /// folder.
    public static void serves(Path file) {
        set(file, true);
    }

    private static void set(Path file, boolean isGateway) {
        if (System.getProperty(LAUNCHER) != null) {
            scope = new Scope(file.toAbsolutePath().normalize(), isGateway);
        }
    }

    /// The command as a user types it in the current folder.
    public static String of(String... words) {
        List<String> all = new ArrayList<>(List.of(quoted(launcher())));
        for (String word : words) {
            all.add(quoted(word));
        }
        return String.join(" ", all);
    }

    /// A command that takes `--config`, with the file that this process uses, if it is known.
    public static String onFile(String... words) {
        Path file = scope.file();
        return file == null ? of(words) : of(words) + " --config " + quoted(file.toString());
    }

    /// The first words of a command for the file that this process uses, unquoted: the following words may belong
    /// to another program's command.
    public static List<String> firstWordsOnFile(String command) {
        Path file = scope.file();
        return file == null ? List.of(launcher(), command) : List.of(launcher(), command, "--config", file.toString());
    }

    /// A command for this process if it is a gateway: several gateways may be running.
    public static String onGateway(String... words) {
        return scope.isGateway()
                ? of(words) + " --gateway " + ProcessHandle.current().pid()
                : of(words);
    }

    /// The word, quoted for a shell if necessary.
    public static String quoted(String word) {
        return word.matches(PLAIN_WORD) ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /// The path that the launcher has set; without it (in tests, in an IDE) the launcher of the checkout.
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
