package dev.fusebox.config;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Recognizes Fusebox among servers, under any name: a gateway that is its own server would start itself
/// recursively. Immutable, thread-safe; accesses the file system only for a command with the word `serve`.
///
/// A script that starts Fusebox is recognized by [#isLaunchingScript] only. In any case the gateway that it starts
/// refuses to serve, see [#SERVED].
///
/// @param environment whose `PATH` and `HOME` are used
/// @param folder that relative paths start from
public record SelfReference(Map<String, String> environment, Path folder) {
    /// The variable that names the files which the gateways above a process serve, each by its real path, with the
    /// path separator between them.
    public static final String SERVED = "FUSEBOX_SERVED";

    /// What starts a gateway: `fusebox serve`.
    private static final String ACTION = "serve";

    /// The name of the launcher, regardless of the path to it.
    private static final String LAUNCHER = "fusebox";

    /// The main class of the gateway.
    private static final String MAIN = "dev.fusebox.cli.Main";

    /// The separators of words in a shell command.
    private static final String BETWEEN = " \t\r\n'\";&|()";

    /// Scripts that only start another program are shorter.
    private static final int SCRIPT_BYTES = 8192;

    /// The paths at which a gateway responds.
    private static final Set<String> PATHS = Set.of("", "/", "/mcp", "/mcp/", "/sse", "/sse/");

    /// The prefix of the paths of profiles.
    private static final String PROFILES = "/mcp/p/";

    /// Whether this command starts a gateway, also by a shell, `env`, a link or another program in front.
    ///
    /// @param args without the command
    /// @param cwd that the command runs in; null for the folder
    public boolean isLaunch(String command, List<String> args, @Nullable String cwd) {
        if (!mentions(command) && args.stream().noneMatch(SelfReference::mentions)) {
            return false;
        }
        List<String> words = new ArrayList<>();
        words.add(command);
        for (String arg : args) {
            split(arg, words);
        }
        Path from = cwd == null ? folder : folder.resolve(home(cwd));
        for (int at = 0; at < words.size(); at++) {
            if (isFollowedByAction(words, at) && isLauncher(words.get(at), from)) {
                return true;
            }
        }
        return false;
    }

    private static boolean mentions(String word) {
        return word.contains(ACTION);
    }

    /// A text for a shell has several words.
    private static void split(String arg, List<String> into) {
        int from = 0;
        for (int at = 0; at <= arg.length(); at++) {
            boolean isEnd = at == arg.length() || BETWEEN.indexOf(arg.charAt(at)) >= 0;
            if (isEnd) {
                if (at > from) {
                    into.add(arg.substring(from, at));
                }
                from = at + 1;
            }
        }
    }

    /// Options may come between.
    private static boolean isFollowedByAction(List<String> words, int at) {
        int next = at + 1;
        while (next < words.size() && words.get(next).startsWith("-")) {
            next++;
        }
        return next < words.size() && words.get(next).equals(ACTION);
    }

    private boolean isLauncher(String word, Path from) {
        String last = word.substring(word.lastIndexOf('/') + 1);
        if (last.equals(LAUNCHER) || last.equals(MAIN)) {
            return true;
        }
        try {
            Path found = found(home(word), from);
            return found != null && found.toRealPath().endsWith(LAUNCHER);
        } catch (IOException | InvalidPathException nothingThere) {
            return false;
        }
    }

    /// The file of a command, looked up like the system does; null if there is none.
    private @Nullable Path found(String word, Path from) {
        if (word.contains("/")) {
            return from.resolve(word);
        }
        String path = environment.getOrDefault("PATH", "");
        for (String each : path.split(File.pathSeparator, -1)) {
            Path there = from.resolve(each).resolve(word);
            if (Files.isExecutable(there)) {
                return there;
            }
        }
        return null;
    }

    /// With the home folder of the user in place of the shell's notation for it.
    private String home(String word) {
        String home = environment.getOrDefault("HOME", "");
        for (String begin : List.of("~/", "$HOME/", "${HOME}/")) {
            if (word.startsWith(begin)) {
                return home + "/" + word.substring(begin.length());
            }
        }
        return word;
    }

    // ---- Scripts

    /// Whether the command, or the file that a shell or an interpreter is to run, is a script that starts a
    /// gateway. Reads the beginning of files: for commands that edit, and not for starts.
    ///
    /// @param args without the command
    /// @param cwd that the command runs in; null for the folder
    public boolean isLaunchingScript(String command, List<String> args, @Nullable String cwd) {
        Path from = cwd == null ? folder : folder.resolve(home(cwd));
        return Stream.concat(Stream.of(command), args.stream()).anyMatch(word -> isScript(word, from));
    }

    private boolean isScript(String word, Path from) {
        try {
            Path found = found(home(word), from);
            if (found == null || !Files.isRegularFile(found)) {
                return false;
            }
            String text = beginning(found);
            return text.startsWith("#!")
                    && isLaunch(
                            "#!",
                            text.lines().filter(line -> !line.startsWith("#")).toList(),
                            null);
        } catch (IOException | InvalidPathException unreadable) {
            return false;
        }
    }

    private static String beginning(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(SCRIPT_BYTES), StandardCharsets.ISO_8859_1);
        }
    }

    // ---- Addresses

    /// Whether one of these arguments is the address of a gateway that listens on this port of this machine.
    /// Bridges from standard input to HTTP have it there (`npx mcp-remote http://127.0.0.1:7332/mcp`).
    ///
    /// @param port 0 if it is not known before the gateway listens
    public static boolean isBridge(List<String> args, int port) {
        for (String arg : args) {
            if (arg.startsWith("http://") && isEndpoint(arg, port)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isEndpoint(String arg, int port) {
        try {
            URI uri = new URI(arg);
            return String.valueOf(uri.getPath()).length() > 1 && isAddress(uri, port);
        } catch (URISyntaxException noAddress) {
            return false;
        }
    }

    /// Whether a gateway that listens on this port of this machine answers at the address.
    ///
    /// @param port 0 if it is not known before the gateway listens
    public static boolean isAddress(URI uri, int port) {
        String host = uri.getHost();
        String path = uri.getPath();
        return port > 0
                && uri.getPort() == port
                && host != null
                && isHere(host)
                && (path == null || PATHS.contains(path) || path.startsWith(PROFILES));
    }

    private static boolean isHere(String host) {
        String plain = host.toLowerCase(Locale.ROOT);
        return plain.equals("localhost")
                || plain.startsWith("127.")
                || plain.equals("0.0.0.0")
                || plain.equals("[::1]")
                || plain.equals("[::]");
    }

    // ---- Gateways above

    /// Whether a gateway above this process serves this file.
    public static boolean isServedAbove(Map<String, String> variables, Path file) {
        String served = variables.get(SERVED);
        return served != null
                && (File.pathSeparator + served + File.pathSeparator)
                        .contains(File.pathSeparator + real(file) + File.pathSeparator);
    }

    /// The environment of the servers of this file: the variable names the file to the gateways that they start.
    public static Map<String, String> below(Map<String, String> variables, Path file) {
        Map<String, String> environment = new HashMap<>(variables);
        environment.merge(SERVED, real(file), (above, own) -> above.isEmpty() ? own : above + File.pathSeparator + own);
        return environment;
    }

    private static String real(Path file) {
        try {
            return file.toRealPath().toString();
        } catch (IOException unreadable) {
            return file.toAbsolutePath().normalize().toString();
        }
    }
}
