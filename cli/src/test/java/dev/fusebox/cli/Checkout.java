package dev.fusebox.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// A small checkout in a folder with a space in its name: the real launcher, with scripts in place of Maven and
/// the JDKs that report their calls.
final class Checkout {
    private static final List<String> TOOLS = List.of(
            "awk",
            "bash",
            "cat",
            "env",
            "find",
            "flock",
            "git",
            "grep",
            "id",
            "ln",
            "mkdir",
            "mkfifo",
            "mv",
            "ps",
            "readlink",
            "rm",
            "rmdir",
            "sha256sum",
            "sleep",
            "touch");

    private static final String MVN = """
            #!/usr/bin/env bash
            set -eu
            here=${0%/*}/..
            printf '%s\\n' "$*" >>"$here/mvn.calls"
            echo "mvn runs as $$"
            echo "mvn on ${JAVA_HOME##*/}"
            ! [[ -e $here/mvn.does ]] || . "$here/mvn.does"
            mkdir -p cli/target/app/lib
            cat cli/src/main/java/* >cli/target/app/lib/fusebox-cli-1.0.jar
            echo breaker >cli/target/app/lib/fusebox-breaker-1.0.jar
            """;

    private static final String JAVA = """
            #!/usr/bin/env bash
            set -eu
            here=${0%/*}/..
            echo "$*" >>"$here/java.calls"
            for argument in "$@"; do
                case $argument in
                    -version) echo 'openjdk version "VERSION" 2026-01-01' >&2 && exit ;;
                    -XX:AOTCacheOutput=*)
                        [[ ! -e $here/no-cache ]] || exit 1
                        [[ ! -e $here/slow-cache ]] || { : >"$here/waiting" && read -r _ <>"$here/../../gate"; }
                        echo cache >"${argument#*=}" && exit ;;
                esac
            done
            all=$*
            echo "java VERSION in $PWD: ${all#*Main }"
            case $* in
                *" echo") cat ;;
                *" hang") echo "hangs" >&2 && read -r _ <>"$here/../../gate" ;;
            esac
            """;

    final Path folder;
    final Path root;
    private final Path tools;
    private final Path homes;
    private final Map<String, String> environment = new HashMap<>();

    Checkout(Path temporary) {
        folder = temporary;
        root = temporary.resolve("a checkout");
        tools = temporary.resolve("tools");
        homes = temporary.resolve("java homes");
        Disk.make(root.resolve("build"));
        Disk.make(homes);
        linkTools();
        program("mvn", MVN).program("npx", "#!/bin/sh\n").program("python3", "#!/bin/sh\n");
        layOutSources();
        environment.put("PATH", tools.toString());
        environment.put("HOME", temporary.toString());
        environment.put("FUSEBOX_JDK_FOLDERS", homes.toString());
    }

    static Path launcher() {
        return Path.of("").toAbsolutePath().resolveSibling("fusebox");
    }

    private void layOutSources() {
        Disk.write(root.resolve("fusebox"), Disk.read(launcher()), true);
        for (String part : List.of("launcher/run.bash", "launcher/setup.bash", "launcher/progress.bash")) {
            Disk.write(root.resolve(part), Disk.read(launcher().resolveSibling(part)), false);
        }
        for (String file : List.of(
                "pom.xml",
                ".mvn/jvm.config",
                "cli/pom.xml",
                "breaker/pom.xml",
                "cli/src/main/java/Main.java",
                "cli/src/main/java/Other.java",
                "breaker/src/main/java/Breaker.java")) {
            Disk.write(root.resolve(file), "first " + file + "\n", false);
        }
        Disk.everything(root).forEach(path -> Disk.touch(path, 120));
    }

    private void linkTools() {
        Disk.make(tools);
        for (String tool : TOOLS) {
            Stream.of(System.getenv("PATH").split(":"))
                    .map(place -> Path.of(place, tool))
                    .filter(Files::isExecutable)
                    .findFirst()
                    .ifPresent(found -> forward(tool, found));
        }
    }

    private void forward(String tool, Path found) {
        Disk.write(tools.resolve(tool), "#!/bin/sh\nexec '" + found + "' \"$@\"\n", true);
    }

    Checkout with(String variable, Object value) {
        environment.put(variable, value.toString());
        return this;
    }

    /// Puts a script on the PATH.
    Checkout program(String name, String script) {
        Disk.write(tools.resolve(name), script, true);
        return this;
    }

    Checkout without(String tool) {
        Disk.delete(tools.resolve(tool));
        return this;
    }

    /// A home whose `release` file tells the version.
    Path jdk(String version) {
        Path home = homeWithoutRelease(version);
        Disk.write(home.resolve("release"), "IMPLEMENTOR=\"Nobody\"\nJAVA_VERSION=\"" + version + "\"\n", false);
        return home;
    }

    Path homeWithoutRelease(String version) {
        Path home = homes.resolve("jdk " + version);
        Disk.write(home.resolve("bin/java"), JAVA.replace("VERSION", version), true);
        Disk.write(home.resolve("bin/javac"), "#!/bin/sh\n", true);
        return home;
    }

    /// Puts the home's `java` on the PATH, as a system's default is.
    Checkout onPath(Path home) {
        Disk.link(
                tools.resolve("java"),
                Path.of("..").resolve(folder.relativize(home)).resolve("bin/java"));
        return this;
    }

    /// What Maven does besides: shell text, run in the checkout's root.
    Checkout mavenDoes(String script) {
        Disk.write(folder.resolve("mvn.does"), script + "\n", false);
        return this;
    }

    List<String> mavenCalls() {
        Path calls = folder.resolve("mvn.calls");
        return Files.exists(calls) ? Disk.read(calls).lines().toList() : List.of();
    }

    /// What every JVM of it was started with.
    List<String> javaCalls() {
        return Disk.read(folder.resolve("java homes/jdk 25/java.calls")).lines().toList();
    }

    Map<String, String> environment() {
        return Map.copyOf(environment);
    }

    /// Makes what was built an hour old: older than an edit, younger than the sources.
    Checkout age() {
        Disk.everything(root.resolve("build/app"))
                .filter(path -> path.endsWith("built"))
                .forEach(path -> Disk.touch(path, 60));
        return this;
    }

    Checkout edit(String file) {
        Path path = root.resolve(file);
        Disk.write(path, Disk.read(path) + "edited\n", false);
        Disk.touch(path, 30);
        return this;
    }

    Launch start(String... words) {
        return startIn(folder, root.resolve("fusebox").toString(), words);
    }

    Launch startIn(Path cwd, String script, String... words) {
        return start(cwd, Stream.concat(Stream.of(script), Stream.of(words)).toList(), "stdin of the test\n");
    }

    Launch start(Path cwd, List<String> command, String stdin) {
        ProcessBuilder builder = new ProcessBuilder(SignalMasks.reset(command)).directory(cwd.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        return Launch.start(builder, stdin);
    }

    Launch.Result run(String... words) {
        try (Launch launch = start(words)) {
            return launch.finish();
        }
    }

    /// A pipe at which a script waits (`read -r _ <>"$here/gate"`) until it is let through.
    Checkout withGate() {
        return shell("mkfifo \"$1\"");
    }

    Checkout openGate() {
        return shell("echo >\"$1\"");
    }

    private Checkout shell(String script) {
        List<String> command =
                List.of("bash", "-c", script, "bash", folder.resolve("gate").toString());
        try (Launch launch = start(folder, command, "")) {
            launch.finish().succeeds();
        }
        return this;
    }

    Path app() {
        return root.resolve("build/app")
                .resolve(Disk.read(root.resolve("build/app/current")).strip());
    }

    /// What lies beside the applications and has no business there once nothing runs.
    List<String> litter() {
        return Disk.namesIn(root.resolve("build/app")).stream()
                .filter(name -> name.startsWith("."))
                .toList();
    }
}
