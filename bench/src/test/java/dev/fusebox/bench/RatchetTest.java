package dev.fusebox.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The built application against the committed ratios of `bench/ratchet.json`: start, idle memory and calls, as
/// ratios to a minimal program in the same run.
///
/// Over five seconds: AOT caches are made as for users, and each step is measured in several rounds. Takes about a
/// minute on a machine that does nothing else, and longer if a ratio is worse.
@Tag("load")
@Timeout(1500)
class RatchetTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path JARS = ROOT.resolve("cli/target/app/lib");
    private static final int LIMIT_SECONDS = 1_200;

    @TempDir
    private Path folder = Path.of("");

    @Test
    void start_memory_and_calls_stay_within_committed_ratios() throws Exception {
        Path launcher = application();
        assertThat(run(List.of(launcher.toString(), "version")))
                .contains("fusebox ")
                .doesNotContain("no AOT cache");
        String script = ROOT.resolve("bench/src/main/js/ratchet.mjs").toString();
        run(List.of("node", script));
    }

    /// Links to the outside are removed before the temporary folder, which warns of each.
    @AfterEach
    void unlink() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path link : files.filter(Files::isSymbolicLink).toList()) {
                Files.delete(link);
            }
        }
    }

    /// A tree with the launcher, the sources that it checks, and the jars of this build. The tree that the test
    /// runs in is being built and has no finished application.
    private Path application() throws IOException {
        assertThat(JARS).as("built by: ./fusebox test -pl bench -am").isDirectory();
        Path launcher = folder.resolve("fusebox");
        Files.copy(ROOT.resolve("fusebox"), launcher);
        Files.createSymbolicLink(folder.resolve("launcher"), ROOT.resolve("launcher"));
        try (Stream<Path> files = Files.list(ROOT)) {
            for (Path module :
                    files.filter(file -> Files.exists(file.resolve("pom.xml"))).toList()) {
                Files.createSymbolicLink(folder.resolve(ROOT.relativize(module)), module);
            }
        }
        Files.createSymbolicLink(folder.resolve("pom.xml"), ROOT.resolve("pom.xml"));
        Path lib = Files.createDirectories(folder.resolve("build/app/measured/lib"));
        try (Stream<Path> jars = Files.list(JARS)) {
            for (Path jar : jars.toList()) {
                Files.copy(jar, lib.resolve(jar.getFileName()));
            }
        }
        Files.createFile(lib.resolveSibling("built"));
        Files.writeString(folder.resolve("build/app/current"), "measured\n");
        return launcher;
    }

    /// Returns its output, which is printed as well; fails if the program failed.
    private String run(List<String> command) throws IOException, InterruptedException {
        Path out = folder.resolve("out");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
        builder.environment().keySet().removeAll(List.of("FUSEBOX_BUILDING", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("FUSEBOX_JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("FUSEBOX_HOME", folder.resolve("home").toString());
        builder.environment()
                .put("FUSEBOX_BENCH_LAUNCHER", folder.resolve("fusebox").toString());
        builder.environment().put("FUSEBOX_BENCH_CLASSES", System.getProperty("java.class.path"));
        Process process = builder.start();
        try {
            boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
            String said = Files.readString(out);
            System.out.println(said);
            assertThat(ended)
                    .as("ended within %s s: %s\n%s", LIMIT_SECONDS, command, said)
                    .isTrue();
            assertThat(process.exitValue()).as("%s\n%s", command, said).isZero();
            return said;
        } finally {
            process.destroy();
        }
    }
}
