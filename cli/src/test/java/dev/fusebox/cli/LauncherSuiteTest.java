package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `./fusebox test` runs and how it counts.
@Tag("process")
class LauncherSuiteTest {
    private static final String REPORTS = """
            mkdir -p cli/target/surefire-reports
            cat >cli/target/surefire-reports/TEST-a.xml <<'XML'
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuite xmlns:xsi="http://x" name="a" time="1" tests="7" errors="1" skipped="2" failures="1">
            <system-out><![CDATA[<testsuite name="b" tests="90" errors="0" skipped="0" failures="0">]]></system-out>
            </testsuite>
            XML
            """;

    private static final String REPORTS_ON_17 = """
            mkdir -p breaker/target/surefire-reports-17
            echo '<testsuite name="a" tests="5" errors="0" skipped="0" failures="0">' \\
                >breaker/target/surefire-reports-17/TEST-a.xml
            """;

    /// Compiles what is not there, as Maven does.
    private static final String COMPILING = """
            mkdir -p cli/target/classes
            [[ -e cli/target/classes/Main.class ]] || echo "$*" >cli/target/classes/Main.class
            """;

    private Checkout checkout;

    @BeforeEach
    void check_out(@TempDir Path folder) {
        checkout = new Checkout(folder);
        checkout.jdk("25");
    }

    @Test
    void suite_verifies_everything_and_counts_reports_of_both_jdks() {
        Path library = checkout.jdk("17.0.15");
        Launch.Result result = checkout.mavenDoes(REPORTS + REPORTS_ON_17)
                .run("test", "-o", "-Dx=a b")
                .succeeds();
        String arguments = " -Dfusebox.jdk17.home=" + library + " -o -Dx=a b";
        assertThat(checkout.mavenCalls())
                .satisfiesExactly(
                        untagged -> assertThat(untagged)
                                .contains(" -T 2 verify -DexcludedGroups=process,")
                                .endsWith(arguments),
                        processes -> assertThat(processes)
                                .contains(" -T 2 verify -Dgroups=process,interop ")
                                .endsWith(arguments),
                        load -> assertThat(load)
                                .doesNotContain(" -T ")
                                .contains(" verify -Dgroups=load,soak -Dsurefire.forks=1 ")
                                .endsWith(arguments));
        assertThat(result.out()).containsExactly("8 passed, 2 failed, 2 skipped");
        assertThat(result.err()).contains("mvn on jdk 25");
    }

    @Test
    void missing_jdk_17_counts_as_skipped() {
        Launch.Result result = checkout.mavenDoes(REPORTS).run("test").succeeds();
        assertThat(checkout.mavenCalls()).hasSize(3).noneMatch(call -> call.contains("jdk17"));
        assertThat(result.out())
                .containsExactly(
                        "skipped: the breaker tests on JDK 17 (no JDK 17 found)", "3 passed, 2 failed, 3 skipped");
    }

    @Test
    void reports_of_earlier_runs_do_not_count() {
        Path old = checkout.root.resolve("breaker/target/surefire-reports/TEST-old.xml");
        Disk.write(old, "<testsuite tests=\"40\" errors=\"0\" skipped=\"0\" failures=\"0\">\n", false);
        Disk.touch(old, 1);
        assertThat(checkout.mavenDoes(REPORTS).run("test").succeeds().out().getLast())
                .isEqualTo("3 passed, 2 failed, 3 skipped");
    }

    @Test
    void slow_test_class_without_reason_is_reported() {
        Path tests = checkout.root.resolve("cli/src/test/java/a");
        Disk.write(tests.resolve("SlowTest.java"), "/// Slow.\nclass SlowTest {}\n", false);
        Disk.write(tests.resolve("HonestTest.java"), "/// Over five seconds: it waits.\n", false);
        Disk.write(tests.resolve("QuickTest.java"), "class QuickTest {}\n", false);
        String times = """
                mkdir -p cli/target/surefire-reports
                cat >cli/target/surefire-reports/TEST-a.xml <<'XML'
                <testsuite name="a" time="20" tests="4" errors="0" skipped="0" failures="0">
                  <testcase name="one(Way)[1]" classname="a.SlowTest" time="5.5"/>
                  <testcase name="two" classname="a.SlowTest" time="1,007.25">
                  </testcase>
                  <testcase name="three" classname="a.HonestTest" time="9.1"/>
                  <testcase name="four" classname="a.QuickTest" time="4.999"/>
                </testsuite>
                XML
                """;
        assertThat(checkout.mavenDoes(times).run("test").succeeds().errText())
                .contains("a test of a.SlowTest took 1007.25 s")
                .doesNotContain("5.5 s", "HonestTest", "QuickTest");
    }

    @Test
    void selected_tests_run_at_once() {
        checkout.mavenDoes(REPORTS).run("test", "-Dtest=ATest").succeeds();
        assertThat(checkout.mavenCalls()).singleElement().asString().endsWith(" verify -Dtest=ATest");
    }

    @Test
    void tests_with_a_tag_do_not_run_after_a_failure() {
        checkout.mavenDoes(REPORTS + "exit 7").run("test");
        assertThat(checkout.mavenCalls()).hasSize(1);
    }

    @Test
    void exit_code_of_maven_is_kept() {
        Launch.Result result = checkout.mavenDoes(REPORTS + "exit 7").run("test");
        assertThat(result.code()).isEqualTo(7);
        assertThat(result.out().getLast()).isEqualTo("3 passed, 2 failed, 3 skipped");
    }

    @Test
    void run_without_tests_fails() {
        Launch.Result result = checkout.run("test");
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.errText()).contains("no test was run");
        assertThat(result.out().getLast()).isEqualTo("0 passed, 0 failed, 1 skipped");
    }

    @Test
    void skipped_jdk_17_run_is_reported() {
        checkout.jdk("17.0.15");
        assertThat(checkout.mavenDoes(REPORTS)
                        .run("test", "-pl", "cli")
                        .succeeds()
                        .out())
                .containsExactly(
                        "skipped: the breaker tests on JDK 17 (not reached in this run)",
                        "3 passed, 2 failed, 3 skipped");
    }

    @Test
    void unchecked_classes_are_recompiled_once() {
        Path classes = checkout.root.resolve("cli/target/classes/Main.class");
        checkout.mavenDoes(COMPILING);
        checkout.run("build").succeeds();
        assertThat(classes).content().contains("-Dcompiler.checks=");
        checkout.mavenDoes(COMPILING + REPORTS);
        checkout.run("test", "first").succeeds();
        assertThat(classes).content().contains(" first").doesNotContain("-Dcompiler.checks=");
        checkout.run("test", "second").succeeds();
        assertThat(classes).content().contains(" first").doesNotContain(" second");
    }

    @Test
    void unchecked_classes_of_failed_build_are_recompiled() {
        Path classes = checkout.root.resolve("cli/target/classes/Main.class");
        assertThat(checkout.mavenDoes(COMPILING + "exit 7").run("build").code()).isEqualTo(1);
        assertThat(classes).exists();
        checkout.mavenDoes(COMPILING + REPORTS).run("test").succeeds();
        assertThat(classes).content().doesNotContain("-Dcompiler.checks=");
    }
}
