package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// When the launcher builds, what it runs, and what it leaves behind.
///
/// Over five seconds: the launcher, a script of a thousand lines, runs several times in each test.
@Tag("process")
class LauncherBuildTest {
    private Checkout checkout;

    @BeforeEach
    void check_out(@TempDir Path folder) {
        checkout = new Checkout(folder);
        checkout.jdk("25.0.3");
    }

    @Test
    void first_start_builds_and_only_application_writes_to_stdout() {
        Launch.Result result = checkout.run("version", "--json").succeeds();
        assertThat(result.out()).containsExactly("java 25.0.3 in " + checkout.folder + ": version --json");
        assertThat(result.err()).contains("mvn on jdk 25.0.3");
        assertThat(checkout.mavenCalls())
                .singleElement()
                .asString()
                .contains("-pl cli,worker -am package", "-DskipTests");
        assertThat(checkout.litter()).isEmpty();
    }

    @Test
    void second_start_builds_nothing() {
        checkout.run("version").succeeds();
        assertThat(checkout.run("version").succeeds().err()).isEmpty();
        assertThat(checkout.mavenCalls()).hasSize(1);
    }

    @Test
    void launcher_works_through_symlink_from_any_folder() {
        Path elsewhere = checkout.folder.resolve("else where");
        Disk.make(elsewhere);
        Disk.link(elsewhere.resolve("step"), Path.of("../a checkout/fusebox"));
        Disk.link(elsewhere.resolve("fb"), Path.of("step"));
        for (String script : List.of("./fb", elsewhere.resolve("fb").toString(), "../a checkout/fusebox")) {
            try (Launch launch = checkout.startIn(elsewhere, script, "version")) {
                assertThat(launch.finish().succeeds().out())
                        .containsExactly("java 25.0.3 in " + elsewhere + ": version");
            }
        }
        assertThat(checkout.mavenCalls()).hasSize(1);
    }

    @Test
    void build_does_not_consume_stdin() {
        checkout.mavenDoes("cat");
        assertThat(checkout.run("echo").succeeds().out()).contains("stdin of the test");
    }

    @Test
    void closed_streams_are_tolerated() {
        String closed = "exec \"$0\" version <&- 2>&-";
        List<String> command =
                List.of("bash", "-c", closed, checkout.root.resolve("fusebox").toString());
        for (int time = 0; time < 2; time++) {
            try (Launch launch = checkout.start(checkout.folder, command, "")) {
                assertThat(launch.finish().succeeds().out()).hasSize(1);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cli/src/main/java/Main.java",
                "breaker/src/main/java/Breaker.java",
                "pom.xml",
                "breaker/pom.xml",
                ".mvn/jvm.config"
            })
    void edited_file_is_rebuilt_once(String file) {
        checkout.run("version").succeeds();
        checkout.age().edit(file);
        checkout.run("version").succeeds();
        checkout.run("version").succeeds();
        assertThat(checkout.mavenCalls()).hasSize(2);
    }

    @Test
    void deleted_file_causes_rebuild() {
        checkout.run("version").succeeds();
        checkout.age();
        Disk.delete(checkout.root.resolve("cli/src/main/java/Other.java"));
        checkout.run("version").succeeds();
        assertThat(checkout.mavenCalls()).hasSize(2);
    }

    @Test
    void build_command_always_builds() {
        checkout.run("version").succeeds();
        assertThat(checkout.run("build").succeeds().out()).isEmpty();
        assertThat(checkout.mavenCalls()).hasSize(2);
    }

    @Test
    void serve_starts_stale_build_and_prints_rebuild_command() {
        checkout.run("serve").succeeds();
        checkout.age().edit("pom.xml");
        Launch.Result result = checkout.run("serve").succeeds();
        assertThat(result.out()).hasSize(1);
        assertThat(result.err()).singleElement().asString().contains("older than its sources", "fusebox build");
        assertThat(checkout.mavenCalls()).hasSize(1);
        checkout.run("build").succeeds();
        assertThat(checkout.run("serve").succeeds().err()).isEmpty();
    }

    @Test
    void failed_build_exits_with_1_and_keeps_previous_build() {
        checkout.run("version").succeeds();
        checkout.age().edit("cli/pom.xml").mavenDoes("echo 'what is wrong' && exit 7");
        Launch.Result result = checkout.run("version");
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("what is wrong");
        assertThat(checkout.litter()).isEmpty();
        assertThat(checkout.run("serve").succeeds().out()).hasSize(1);
        checkout.mavenDoes("");
        checkout.run("version").succeeds();
    }

    @Test
    void old_builds_are_deleted_except_previous_and_used_ones() {
        checkout.run("version").succeeds();
        Path inUse = checkout.withGate().app();
        try (Launch hanging = checkout.start("hang")) {
            hanging.awaitErr("hangs");
            Path second = rebuilt();
            Path third = rebuilt();
            assertThat(applications()).isEqualTo(Set.of(inUse, second, third));
            Path fourth = rebuilt();
            assertThat(applications()).isEqualTo(Set.of(inUse, third, fourth));
        }
    }

    @Test
    void cache_is_created_once_and_reused() {
        checkout.run("version").succeeds();
        checkout.run("version").succeeds();
        List<String> calls = javaCalls();
        assertThat(calls).hasSize(6);
        assertThat(calls.get(0)).contains("-XX:AOTCacheOutput=").endsWith(" train");
        assertThat(calls.get(1)).contains("-XX:AOTCacheOutput=").endsWith(" train single");
        assertThat(calls.get(2)).contains("-XX:AOTCacheOutput=").endsWith(" train http");
        assertThat(calls.get(3)).contains("-XX:AOTCacheOutput=").endsWith(" train connector");
        assertThat(calls.subList(4, 6)).allMatch(call -> call.contains("-XX:AOTCache=" + checkout.app() + "/aot"));
        assertThat(calls).allMatch(call -> call.contains("-Xlog:disable -Xlog:all=warning:stderr"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                serve --server files --no-prefix                  | .single | true
                serve --no-prefix --transport stdio               | .single | true
                serve --server files --no-prefix --transport http | .http   | true
                serve --transport http --expose proxy             | ''      | true
                serve --expose proxy                              | ''      | true
                serve --transport http                            | ''      | false
                serve                                             | ''      | false
                serve --share auto --no-prefix                    | .single | true
                serve --share auto --cooldown 1                   | ''      | false
                version                                           | ''      | false
                """)
    void transparent_gateway_has_own_cache_and_flags(String words, String suffix, boolean isQuick) {
        checkout.run(words.split(" ")).succeeds();
        String flag = isQuick ? " -XX:TieredStopAtLevel=1" : "";
        assertThat(javaCalls())
                .last()
                .asString()
                .containsPattern("-XX:AOTCache=[^=]*jdk 25\\.0\\.3" + suffix + flag + " -Dfusebox");
    }

    @Test
    void connector_has_own_cache_and_a_small_heap() {
        checkout.run("serve", "--share", "auto").succeeds();
        assertThat(javaCalls())
                .last()
                .asString()
                .containsPattern("-XX:AOTCache=[^=]*jdk 25\\.0\\.3\\.connector -Dfusebox")
                .containsPattern("-Xmx512m .*-Xmn2m -Xmx256m .*-Dfusebox\\.connector=true");
    }

    @Test
    void failed_cache_is_reported_once() {
        Path cause = checkout.folder.resolve("java homes/jdk 25.0.3/no-cache");
        Disk.write(cause, "", false);
        assertThat(checkout.run("version").succeeds().errText()).contains("cannot create the AOT cache");
        assertThat(checkout.run("version").succeeds().err()).isEmpty();
        assertThat(javaCalls()).hasSize(3).last().asString().doesNotContain("AOT");
        Disk.delete(cause);
        checkout.run("build").succeeds();
        checkout.run("version").succeeds();
        assertThat(javaCalls()).last().asString().contains("-XX:AOTCache=");
    }

    /// A cache that is none any more.
    private Path spoiltCache() {
        checkout.run("version").succeeds();
        Path cache = Disk.everything(checkout.app())
                .filter(path -> path.toString().endsWith("jdk 25.0.3"))
                .findFirst()
                .orElseThrow();
        Disk.write(cache, "spoilt", false);
        Disk.touch(cache, -1);
        return cache;
    }

    @Test
    void modified_cache_is_recreated() {
        Path cache = spoiltCache();
        checkout.run("version").succeeds();
        assertThat(Disk.read(cache)).isEqualTo("cache\n");
    }

    @Test
    void serve_does_not_wait_for_cache() {
        Path cache = spoiltCache();
        Path cause = checkout.withGate().folder.resolve("java homes/jdk 25.0.3/slow-cache");
        Disk.write(cause, "", false);
        assertThat(checkout.run("serve").succeeds().out()).hasSize(1);
        assertThat(javaCalls())
                .filteredOn(call -> call.endsWith(" serve"))
                .hasSize(1)
                .noneMatch(call -> call.contains("AOT"));
        eventually(
                "the cache is being made",
                () -> assertThat(cause.resolveSibling("waiting")).exists());
        Disk.delete(cause);
        checkout.openGate();
        eventually("the cache is made", () -> {
            assertThat(cache).hasContent("cache\n");
            assertThat(checkout.litter()).isEmpty();
        });
        checkout.run("serve").succeeds();
        assertThat(javaCalls()).last().asString().contains("-XX:AOTCache=");
    }

    @Test
    void start_within_build_of_same_tree_does_not_wait() {
        checkout.run("version").succeeds();
        checkout.age().edit("pom.xml").with("FUSEBOX_BUILDING", checkout.root);
        assertThat(checkout.run("version").succeeds().errText()).contains("older than its sources");
        assertThat(checkout.mavenCalls()).hasSize(1);
    }

    private Path rebuilt() {
        checkout.age().edit("cli/src/main/java/Main.java");
        checkout.run("version").succeeds();
        return checkout.app();
    }

    private Set<Path> applications() {
        Path apps = checkout.root.resolve("build/app");
        return Set.copyOf(Disk.namesIn(apps).stream()
                .map(apps::resolve)
                .filter(Files::isDirectory)
                .toList());
    }

    private List<String> javaCalls() {
        return Disk.read(checkout.folder.resolve("java homes/jdk 25.0.3/java.calls"))
                .lines()
                .toList();
    }
}
