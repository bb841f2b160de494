package dev.fusebox.gateway.doctor;

import dev.fusebox.config.ServerEndpoint;
import dev.fusebox.gateway.errors.ErrorId;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Looks for command lines that can do more than start one known program. Pure functions; shows no argument, since
/// arguments may be secrets.
final class CommandLineChecks {
    private static final Set<String> SHELLS =
            Set.of("sh", "bash", "zsh", "dash", "ksh", "fish", "cmd", "pwsh", "powershell");
    private static final Set<String> RUNNERS = Set.of("npx", "bunx", "uvx", "pnpx");

    /// What makes programs load other code than their own.
    private static final Set<String> LOADERS = Set.of(
            "LD_PRELOAD",
            "LD_LIBRARY_PATH",
            "NODE_OPTIONS",
            "PYTHONSTARTUP",
            "PYTHONPATH",
            "BASH_ENV",
            "PERL5OPT",
            "GIT_SSH_COMMAND",
            "JAVA_TOOL_OPTIONS");

    private CommandLineChecks() {}

    /// What looks dangerous.
    ///
    /// @param key of the server that it stands under
    /// @param words what was found
    record Shape(ErrorId errorId, String key, String words, String remedy) {}

    static Stream<Shape> of(ServerEndpoint.Stdio spec) {
        return Stream.of(shell(spec), privileged(spec), loaders(spec)).flatMap(each -> each);
    }

    private static Stream<Shape> shell(ServerEndpoint.Stdio spec) {
        boolean runsText = SHELLS.contains(name(spec))
                && spec.args().stream().anyMatch(arg -> arg.matches("-[a-z]*c|/[cC]|-Command"));
        return runsText
                ? Stream.of(new Shape(
                        ErrorId.COMMAND_SHAPE,
                        "args",
                        name(spec) + " runs a text as a program",
                        "name the program in \"command\" and its arguments one by one in \"args\""))
                : Stream.empty();
    }

    /// Whether it is the registry that decides at each start which version runs. Most servers are documented to be
    /// started like that, so it is worth a line and no warning.
    ///
    /// The first argument that is no option is the package, but for the value of an option that takes one.
    static boolean isUnpinned(ServerEndpoint.Stdio spec) {
        if (!RUNNERS.contains(name(spec))) {
            return false;
        }
        List<String> words =
                spec.args().stream().filter(arg -> !arg.startsWith("-")).toList();
        return !words.isEmpty() && !isPinned(words.getFirst());
    }

    private static boolean isPinned(String name) {
        int at = name.indexOf('@', 1);
        String version = at < 0 ? "" : name.substring(at + 1);
        return name.contains("==") || name.startsWith("./") || version.matches("\\d.*");
    }

    private static Stream<Shape> privileged(ServerEndpoint.Stdio spec) {
        boolean isWide = name(spec).equals("docker")
                && spec.args().stream().anyMatch(arg -> arg.equals("--privileged") || arg.matches("/:/.*"));
        return isWide
                ? Stream.of(new Shape(
                        ErrorId.COMMAND_SHAPE,
                        "args",
                        "docker gives the container all of this machine",
                        "take --privileged out, and mount single folders only"))
                : Stream.empty();
    }

    private static Stream<Shape> loaders(ServerEndpoint.Stdio spec) {
        return spec.env().keySet().stream()
                .filter(LOADERS::contains)
                .sorted()
                .map(name -> new Shape(
                        ErrorId.VARIABLE_SHAPE,
                        "env",
                        name + " makes programs load other code than their own",
                        "take " + name + " out of \"env\" unless it is meant so"));
    }

    /// The program, without its folder.
    static String name(ServerEndpoint.Stdio spec) {
        return spec.command().substring(spec.command().lastIndexOf('/') + 1);
    }
}
