package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/// The launcher with the real Maven and the real JDK, on a copy of this tree: the tree itself is in use by the
/// build that runs this test.
@Tag("process")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LauncherForRealTest {
    @TempDir
    private static Path folder;

    private static RealCheckout checkout;

    @BeforeAll
    static void copy() {
        checkout = RealCheckout.copyTo(folder.resolve("a real checkout"));
    }

    /// Over five seconds: Maven compiles all that the application needs, and the JDK makes a cache.
    @Test
    @Order(1)
    void real_tree_is_built_and_survives_damaged_cache() {
        Path root = checkout.root();
        Launch.Result first = run(root, "version");
        assertThat(first.succeeds().out())
                .containsExactly("fusebox " + VersionCommand.ofFusebox() + " (Java " + Runtime.version() + ")");
        assertThat(first.errText()).contains("building in " + root);
        assertThat(first.err())
                .filteredOn(line -> line.contains("AOT"))
                .containsExactly("fusebox: creating the AOT cache, once for each build; this takes about a minute");

        assertPartsAreDescribed(root);

        assertThat(run(root, "version", "--json").succeeds().err())
                .containsExactly("Picked up JAVA_TOOL_OPTIONS: -Da=b");
        assertThat(run(root, "verison").code()).isEqualTo(2);

        assertThat(outputOfServe(root, ""))
                .singleElement()
                .asString()
                .startsWith("{")
                .contains("protocolVersion");
        assertThat(outputOfServe(root, "2>&-")).singleElement().asString().startsWith("{");

        assertMemoryIsOutOfReach(root);

        spoilCache(root.resolve("build/app"));
        Launch.Result spoilt = run(root, "version").succeeds();
        assertThat(spoilt.out()).isEqualTo(first.out());
        assertThat(spoilt.errText()).contains("AOT cache");
    }

    /// Over five seconds: the demo tells its story, and npm downloads two servers.
    @Test
    @Order(2)
    void every_command_of_readme_works(@TempDir Path home) {
        try (ReadmeReader reader = new ReadmeReader(checkout, home)) {
            reader.follow(ReadmeText.parse(Disk.read(checkout.root().resolve("README.md"))));
        }
    }

    /// Each bundled jar stands in the bill of materials, and each that is not ours in the list of licenses and
    /// among the checksums, too.
    private static void assertPartsAreDescribed(Path root) {
        Path app = root.resolve("build/app")
                .resolve(Disk.read(root.resolve("build/app/current")).strip());
        String bill = Disk.read(app.resolve("legal/sbom.cdx.json"));
        String licences = Disk.read(app.resolve("legal/THIRD-PARTY.txt"));
        String checksums = Disk.read(root.resolve("third-party.sha256"));
        List<String> jars = Disk.everything(app)
                .map(path -> app.relativize(path).toString())
                .filter(path -> path.endsWith(".jar"))
                .toList();
        assertThat(jars).hasSizeGreaterThan(30);
        for (String jar : jars) {
            assertThat(bill).contains("\"value\":\"" + jar + "\"");
            assertThat(licences.contains(jar)).as(jar).isNotEqualTo(jar.contains("fusebox-"));
            assertThat(checksums.contains(jar)).as(jar).isNotEqualTo(jar.contains("fusebox-"));
        }
        assertThat(Disk.read(app.resolve("legal/NOTICE"))).contains("Jackson JSON processor");
    }

    /// What a client hears that says hello and leaves, with a JVM that has much to say.
    private static List<String> outputOfServe(Path root, String redirection) {
        String server = "read -r line; echo '{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":1,\\\"result\\\":"
                + "{\\\"protocolVersion\\\":\\\"2025-11-25\\\"}}'; read -r line";
        Path config = root.resolve("serve.json");
        Disk.write(
                config,
                "{\"mcpServers\":{\"s\":{\"command\":\"/bin/sh\",\"args\":[\"-c\",\"" + server + "\"]}}}",
                false);
        String command = "exec ./fusebox serve --config serve.json --expose proxy --no-prefix " + redirection;
        ProcessBuilder builder = checkout.process("", List.of("/bin/sh", "-c", command));
        builder.environment().put("JAVA_TOOL_OPTIONS", "-XX:+PrintCommandLineFlags -Dsun.java.command=x");
        String hello = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{}}\n";
        try (Launch launch = Launch.start(builder, hello)) {
            return launch.finish().succeeds().out();
        }
    }

    /// S65: processes of the same user can neither attach to the gateway's JVM nor have it write its heap.
    private static void assertMemoryIsOutOfReach(Path root) {
        Path config = root.resolve("none.json");
        Disk.write(config, "{\"mcpServers\":{},\"http\":{\"port\":0}}", false);
        ProcessBuilder builder =
                checkout.process("", List.of("./fusebox", "serve", "--config", "none.json", "--transport", "http"));
        try (Launch gateway = Launch.start(builder, "")) {
            gateway.awaitErr("serving on");
            String pid = "" + gateway.pid();
            Path dump = root.resolve("heap.hprof");
            Launch.Result attached = jcmd(pid, "GC.heap_dump", dump.toString());
            assertThat(attached.code()).as(attached.errText()).isNotZero();
            assertThat(dump).doesNotExist();
            assertThat(jcmd("-l").succeeds().out()).noneMatch(line -> line.startsWith(pid + " "));
            assertThat(Disk.namesIn(Path.of(
                            System.getProperty("java.io.tmpdir"), "hsperfdata_" + System.getProperty("user.name"))))
                    .doesNotContain(pid);
            if (Files.exists(Path.of("/proc/self/limits"))) {
                assertThat(Disk.read(Path.of("/proc", pid, "limits"))).containsPattern("Max core file size +0 ");
            }
            gateway.terminate();
            assertThat(gateway.finish().errText()).doesNotContain("hprof");
        }
    }

    /// The tool of the JDK, which waits for a second for a JVM that does not answer.
    private static Launch.Result jcmd(String... words) {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        List<String> command = new ArrayList<>(List.of(jcmd.toString(), "-J-Dsun.tools.attach.attachTimeout=1000"));
        command.addAll(List.of(words));
        try (Launch launch = Launch.start(new ProcessBuilder(command), "")) {
            return launch.finish();
        }
    }

    /// As a disk would, without a trace in the times of the file.
    private static void spoilCache(Path apps) {
        Path cache = Disk.everything(apps)
                .filter(path -> path.toString().contains("/aot-"))
                .filter(path -> !path.toString().endsWith(".made"))
                .filter(path -> !path.toString().endsWith(".worker"))
                .findFirst()
                .orElseThrow();
        Disk.write(cache, "no cache any more", false);
        Disk.touch(cache, 1);
    }

    private static Launch.Result run(Path root, String... words) {
        ProcessBuilder builder = checkout.process(
                "cli",
                Stream.concat(Stream.of(root.resolve("fusebox").toString()), Stream.of(words))
                        .toList());
        builder.environment().put("JAVA_TOOL_OPTIONS", "-Da=b");
        try (Launch launch = Launch.start(builder, "")) {
            return launch.finish();
        }
    }
}
