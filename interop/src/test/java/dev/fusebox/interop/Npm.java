package dev.fusebox.interop;

import dev.fusebox.fixtures.program.CrossProcessLock;
import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The npm packages that the tests need, installed once per build into this module's `target`, with a Node to run
/// them. Thread-safe; the first use waits for the installation.
final class Npm {
    private static final Path MODULE = Path.of("").toAbsolutePath();
    private static final Path HOME = MODULE.resolve("target/npm");
    private static final Path SCRIPTS = MODULE.resolve("src/test/node");

    /// Which versions there are, and nowhere else.
    private static final List<Path> WANTED =
            List.of(MODULE.resolve("package.json"), MODULE.resolveSibling("conformance/package.json"));

    /// Half a minute is usual.
    private static final Duration LIMIT = Duration.ofMinutes(3);

    private static final List<String> INSTALL = List.of(
            "npm",
            "install",
            "--no-package-lock",
            "--no-audit",
            "--no-fund",
            "--loglevel=error",
            // By default npm waits five minutes for each answer of the registry.
            "--fetch-timeout=45000",
            "--prefix",
            "" + HOME);

    private static boolean installed;
    private static @Nullable String problem;

    private Npm() {}

    /// The folder with all packages in it. `npx` finds them there without the network.
    static synchronized Path home() {
        if (problem != null) {
            throw new AssertionError(problem);
        }
        if (!installed) {
            try {
                installAlone();
                installed = true;
            } catch (AssertionError e) {
                problem = e.getMessage();
                throw e;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return HOME;
    }

    /// A file of a package.
    static String file(String packageName, String path) {
        return home().resolve("node_modules").resolve(packageName).resolve(path).toString();
    }

    /// Which version of a package there is.
    static String version(String packageName) {
        try {
            JsonView described = JsonView.parse(Files.readAllBytes(Path.of(file(packageName, "package.json"))));
            return Objects.requireNonNull(described.string("version"));
        } catch (IOException | JsonSyntaxError e) {
            throw new AssertionError(packageName + " is not there as it should be", e);
        }
    }

    static String node() {
        return file("node", "bin/node");
    }

    /// One of our own scripts, beside the packages that it imports.
    static String script(String name) {
        return home().resolve(name).toString();
    }

    /// Another build in the same folder installs the same; one of them waits, as long as the other's limits let
    /// it.
    private static void installAlone() throws IOException {
        Files.createDirectories(HOME);
        CrossProcessLock.hold(HOME.resolve("lock"), () -> {
            installUnlessDone();
            copyScripts();
        });
    }

    private static void installUnlessDone() throws IOException {
        String wanted = wanted();
        Path done = HOME.resolve("installed.json");
        if (!Files.exists(done) || !Files.readString(done).equals(wanted)) {
            Files.deleteIfExists(done);
            install(wanted);
            Files.writeString(done, wanted);
        }
    }

    private static void install(String wanted) throws IOException {
        Files.writeString(HOME.resolve("package.json"), wanted);
        String failure = failedInstall();
        if (failure != null) {
            // The network is the likeliest reason, and a second try the likeliest remedy.
            failure = failedInstall();
        }
        if (failure != null || !Files.isExecutable(HOME.resolve("node_modules/node/bin/node"))) {
            throw new AssertionError("the packages of " + WANTED + " could not be installed: " + failure);
        }
    }

    /// Null if it went well.
    private static @Nullable String failedInstall() {
        try {
            Run run = npm();
            return run.code() == 0 ? null : run.toString();
        } catch (AssertionError notInTime) {
            return notInTime.getMessage();
        }
    }

    private static Run npm() {
        try {
            return Run.of(new ProcessBuilder(INSTALL).directory(HOME.toFile()), LIMIT);
        } catch (UncheckedIOException e) {
            throw new AssertionError(
                    "npm does not start; install Node.js 20 or newer with npm, on Debian: apt-get install nodejs npm",
                    e);
        }
    }

    /// All that is wanted, as one `package.json`.
    private static String wanted() throws IOException {
        JsonWriter wanted = new JsonWriter().beginObject().name("private").bool(true);
        wanted.name("devDependencies").beginObject();
        for (Path file : WANTED) {
            versionsIn(file).forEachMember((name, version) -> wanted.name(name).raw(version));
        }
        return wanted.endObject().endObject().toString();
    }

    private static JsonView versionsIn(Path file) throws IOException {
        try {
            JsonView versions = JsonView.parse(Files.readAllBytes(file)).member("devDependencies");
            if (versions != null) {
                return versions;
            }
        } catch (JsonSyntaxError e) {
            throw new AssertionError(file + " is no JSON", e);
        }
        throw new AssertionError(file + " names no devDependencies");
    }

    private static void copyScripts() throws IOException {
        try (Stream<Path> scripts = Files.list(SCRIPTS)) {
            for (Path script : scripts.toList()) {
                copy(script, HOME.resolve(script.getFileName()));
            }
        }
    }

    /// Another JVM may be running what is there, so that it is not touched without need.
    private static void copy(Path script, Path to) throws IOException {
        if (!Files.exists(to) || Files.mismatch(script, to) >= 0) {
            Files.copy(script, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
