package dev.fusebox.doctor;

import dev.fusebox.client.ErrorId;
import dev.fusebox.config.ServerEndpoint;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Checks for command lines that can do more than start one known program. Pure functions; arguments are not
/// shown, because they may be secrets.
final class CommandLineChecks {
    private static final Set<String> SHELLS =
            Set.of("sh", "bash", "zsh", "dash", "ksh", "fish", "cmd", "pwsh", "powershell");
    private static final Set<String> RUNNERS = Set.of("npx", "bunx", "uvx", "pnpx");

    /// Variables that make programs load foreign code.
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

    /// A dangerous command line.
    ///
    /// @param key the configuration key to which it belongs
    /// @param words what was found
    record DangerousPattern(ErrorId errorId, String key, String words, String remedy) {}

    static Stream<DangerousPattern> of(ServerEndpoint.Stdio spec) {
        return Stream.of(shell(spec), privileged(spec), loaders(spec)).flatMap(each -> each);
    }

    private static Stream<DangerousPattern> shell(ServerEndpoint.Stdio spec) {
        boolean runsText = SHELLS.contains(name(spec))
                && spec.args().stream().anyMatch(arg -> arg.matches("-[a-z]*c|/[cC]|-Command"));
        return runsText
                ? Stream.of(new DangerousPattern(
                        ErrorId.COMMAND_SHAPE,
                        "args",
                        name(spec) + " runs text as a program",
                        "write the program in \"command\" and its arguments separately in \"args\""))
                : Stream.empty();
    }

    /// Whether each start runs the version that the registry currently offers. The documentation of most servers
    /// recommends this, so it is mentioned without a warning.
    ///
    /// The package is the first argument that is neither an option nor the value of one.
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

    private static Stream<DangerousPattern> privileged(ServerEndpoint.Stdio spec) {
        boolean isWide = name(spec).equals("docker")
                && spec.args().stream().anyMatch(arg -> arg.equals("--privileged") || arg.matches("/:/.*"));
        return isWide
                ? Stream.of(new DangerousPattern(
                        ErrorId.COMMAND_SHAPE,
                        "args",
                        "docker gives the container access to the whole machine",
                        "remove --privileged, and mount only single folders"))
                : Stream.empty();
    }

    private static Stream<DangerousPattern> loaders(ServerEndpoint.Stdio spec) {
        return spec.env().keySet().stream()
                .filter(LOADERS::contains)
                .sorted()
                .map(name -> new DangerousPattern(
                        ErrorId.VARIABLE_SHAPE,
                        "env",
                        name + " makes programs load additional code",
                        "remove " + name + " from \"env\" unless it is intended"));
    }

    /// The program without its folder.
    static String name(ServerEndpoint.Stdio spec) {
        return spec.command().substring(spec.command().lastIndexOf('/') + 1);
    }
}
