package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which modules `./fusebox check` takes, and what it runs.
@Tag("process")
class LauncherCheckTest {
    private static final String REPORTS = """
            mkdir -p cli/target/surefire-reports
            echo '<testsuite name="a" tests="7" errors="0" skipped="2" failures="0">' \\
                >cli/target/surefire-reports/TEST-a.xml
            """;

    private Checkout checkout;

    @BeforeEach
    void check_out(@TempDir Path folder) {
        checkout = new Checkout(folder);
        checkout.jdk("25");
        dependsOn("breaker", "breaker");
        dependsOn("cli", "gateway");
        dependsOn("gateway", "breaker");
        dependsOn("conventions", "cli");
        dependsOn("search", "search");
        checkout.with("GIT_CONFIG_GLOBAL", "/dev/null");
        checkout.mavenDoes(REPORTS);
    }

    private void dependsOn(String module, String other) {
        Disk.write(
                checkout.root.resolve(module).resolve("pom.xml"),
                "<artifactId>fusebox-" + other + "</artifactId>\n",
                false);
    }

    private void git(String... words) throws IOException, InterruptedException {
        List<String> command = Stream.concat(
                        Stream.of("git", "-c", "user.name=test", "-c", "user.email=test@example.com"), Stream.of(words))
                .toList();
        Process git = new ProcessBuilder(command)
                .directory(checkout.root.toFile())
                .redirectErrorStream(true)
                .start();
        String out = new String(git.getInputStream().readAllBytes(), UTF_8);
        assertThat(git.waitFor()).as(out).isZero();
    }

    /// A branch beside `main`, with nothing of its own yet.
    private void branch() throws IOException, InterruptedException {
        Disk.write(checkout.root.resolve(".gitignore"), "build/\ntarget/\n", false);
        git("init", "-q", "-b", "main");
        git("add", ".");
        git("commit", "-q", "-m", "first");
        git("checkout", "-q", "-b", "work");
    }

    private String mavenCall() {
        return checkout.mavenCalls().getLast();
    }

    @Test
    void named_modules_are_checked_with_dependents() {
        Launch.Result result = checkout.run("check", "gateway").succeeds();
        assertThat(mavenCall())
                .contains(" test -am -pl gateway,cli,conventions ")
                .contains(" -Dtest=dev/fusebox/gateway/**/*Test,dev/fusebox/cli/**/*Test,")
                .contains(",dev/fusebox/conventions/**/*Test ")
                .contains(" -DexcludedGroups=process,interop,load,soak ", " -Dpipeline.seeds=1000 ")
                .doesNotContain("compiler.checks", "spotless");
        assertThat(result.out()).containsExactly("5 passed, 0 failed, 2 skipped");
        assertThat(result.errText()).contains("checking gateway");
    }

    @Test
    void module_without_dependents_is_checked_alone() {
        checkout.run("check", "search/").succeeds();
        assertThat(mavenCall()).contains(" -pl search ", " -Dtest=dev/fusebox/search/**/*Test ");
    }

    @Test
    void unknown_module_is_rejected_with_list() {
        Launch.Result result = checkout.run("check", "gatewy");
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.errText()).contains("unknown module \"gatewy\"", "breaker cli conventions gateway search");
        assertThat(checkout.mavenCalls()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "gateway/src/main/java/Gate.java,'gateway,cli,conventions'",
        "search/pom.xml,search",
        "fusebox,'cli,conventions'",
        "docs/page.md,conventions",
        "README.md,conventions",
        "pom.xml,'breaker,cli,conventions,gateway,search'",
    })
    void uncommitted_file_selects_module(String file, String modules) throws Exception {
        branch();
        Disk.write(checkout.root.resolve(file), Disk.read(checkout.root.resolve("fusebox")) + "\n", true);
        checkout.run("check").succeeds();
        assertThat(mavenCall()).contains(" -pl " + modules + " ");
    }

    @Test
    void commits_of_branch_count_and_later_commits_of_main_do_not() throws Exception {
        branch();
        Disk.write(checkout.root.resolve("search/src/main/java/New.java"), "new\n", false);
        git("add", ".");
        git("commit", "-q", "-m", "second");
        git("checkout", "-q", "main");
        Disk.write(checkout.root.resolve("breaker/src/main/java/New.java"), "new\n", false);
        git("add", ".");
        git("commit", "-q", "-m", "third");
        git("checkout", "-q", "work");
        checkout.run("check").succeeds();
        assertThat(mavenCall()).contains(" -pl search ");
    }

    @Test
    void no_changes_check_nothing() throws Exception {
        branch();
        Launch.Result result = checkout.run("check").succeeds();
        assertThat(result.out()).containsExactly("0 passed, 0 failed, 0 skipped");
        assertThat(result.errText()).contains("no module has changed since main");
        assertThat(checkout.mavenCalls()).isEmpty();
    }

    @Test
    void missing_main_branch_requires_module_names() throws Exception {
        branch();
        git("branch", "-q", "-D", "main");
        Launch.Result result = checkout.run("check");
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.errText()).contains("no branch main or master found");
    }

    @Test
    void missing_git_requires_module_names() {
        Launch.Result result = checkout.without("git").run("check");
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.errText()).contains("git is needed", "breaker cli conventions gateway search");
    }

    @Test
    void exit_code_of_maven_is_kept() {
        Launch.Result result = checkout.mavenDoes(REPORTS + "exit 7").run("check", "search");
        assertThat(result.code()).isEqualTo(7);
        assertThat(result.out()).containsExactly("5 passed, 0 failed, 2 skipped");
    }

    @Test
    void failed_tests_fail_the_check_although_all_modules_are_tested() {
        String failed = REPORTS.replace("failures=\"0\"", "failures=\"2\"");
        Launch.Result result = checkout.mavenDoes(failed).run("check", "search");
        assertThat(mavenCall()).contains(" -Dmaven.test.failure.ignore=true");
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.out()).containsExactly("3 passed, 2 failed, 2 skipped");
    }

    @Test
    void single_test_is_run_without_dependents() {
        checkout.run("check", "gateway", "-Dtest=AdminApiTest").succeeds();
        assertThat(mavenCall()).contains(" -pl gateway ").endsWith(" -Dtest=AdminApiTest");
    }

    @Test
    void run_without_tests_fails() {
        Launch.Result result = checkout.mavenDoes("").run("check", "search");
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.errText()).contains("no test was run");
    }
}
