package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The launcher on machines that lack what it needs. Scripts stand in for the package managers, but for one test
/// that asks the real apt-get what it would do.
@Tag("process")
class LauncherSetupTest {
    private static final String APT_INSTALL =
            "apt-get install -q -y --no-install-recommends -o DPkg::Lock::Timeout=120 ";
    private static final String JDK = "openjdk-25-jdk-headless";

    private Checkout checkout;
    private PackageManagers machine;

    @BeforeEach
    void check_out(@TempDir Path folder) {
        checkout = new Checkout(folder);
        machine = new PackageManagers(checkout).onBareMachine();
    }

    @Test
    void missing_programs_are_reported_and_not_installed_unasked() {
        machine.manager("apt-get", JDK + " 25.0.3", "npm 9.2");
        checkout.without("npx").without("python3");

        Launch.Result result = checkout.run("test");

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.errText())
                .contains(
                        "no JDK 25 or newer with bin/javac", "Maven 3.8 or newer", "npm is needed", "python3 is needed")
                .contains("\n  apt-get update -q\n")
                .contains(APT_INSTALL + JDK + " maven npm python3\n")
                .contains(checkout.root.toString().replace(" ", "\\ ") + "/fusebox test --setup");
        assertThat(machine.calls()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo --setup --script", "demo --script --setup", "version --setup --script"})
    void setup_installs_missing_programs_and_continues(String words) {
        machine.manager("apt-get", JDK + " 25.0.3");

        Launch.Result result = checkout.run(words.split(" ", -1)).succeeds();

        assertThat(machine.calls()).containsExactly("apt-get update -q", APT_INSTALL + JDK + " maven");
        assertThat(result.out())
                .containsExactly(
                        "java 25 in " + checkout.folder + ": " + words.substring(0, words.indexOf(' ')) + " --script");
        assertThat(result.err()).contains("output of apt-get");
        assertThat(checkout.run("version").succeeds().err()).isEmpty();
    }

    @Test
    void setup_with_everything_present_installs_nothing() {
        machine.manager("apt-get", JDK + " 25.0.3");
        checkout.run("version", "--setup").succeeds();
        int calls = machine.calls().size();

        checkout.run("version", "--setup").succeeds();

        assertThat(machine.calls()).hasSize(calls);
    }

    @ParameterizedTest(name = "answer {0}")
    @CsvSource({"y, true", "n, false", "'', false"})
    void terminal_is_asked_once(String answer, boolean isInstalled) throws Exception {
        machine.manager("apt-get", JDK + " 25.0.3");
        List<String> command = List.of(checkout.root.resolve("fusebox").toString(), "version");

        try (Terminal terminal = Terminal.run(checkout.environment(), command)) {
            terminal.type(answer);
            int code = terminal.finish();

            assertThat(code).as(terminal.written()).isEqualTo(isInstalled ? 0 : 2);
            assertThat(terminal.written().split("\\[y/N\\]", -1)).hasSize(2);
            assertThat(terminal.written()).contains("Maven 3.8", APT_INSTALL + JDK + " maven");
        }
        assertThat(machine.calls()).hasSize(isInstalled ? 2 : 0);
    }

    @Test
    void outdated_package_lists_are_updated_first() {
        machine.manager("apt-get", "maven 3.8").archive("temurin-25-jdk 25.0.3");

        checkout.run("demo", "--setup").succeeds();

        assertThat(machine.calls()).containsExactly("apt-get update -q", APT_INSTALL + "temurin-25-jdk maven");
    }

    @ParameterizedTest
    @CsvSource({
        "apt-get, 'openjdk-25-jdk-headless, temurin-25-jdk'",
        "dnf, 'java-25-openjdk-devel, temurin-25-jdk, java-latest-openjdk-devel'",
        "brew, openjdk@25"
    })
    void missing_jdk_package_is_reported_with_sources(String manager, String names) {
        machine.manager(manager, "java-latest-openjdk-devel 24.0.2");

        Launch.Result result = checkout.run("demo", "--setup");

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.errText())
                .contains(manager + " has no package of a JDK 25 (looked for " + names + ")")
                .contains("https://adoptium.net", "sdk install java 25-tem");
        assertThat(machine.calls()).noneMatch(call -> call.contains(" install "));
    }

    @ParameterizedTest
    @CsvSource({
        "dnf, java-25-openjdk-devel 25.0.1, dnf install -y java-25-openjdk-devel maven",
        "dnf, java-latest-openjdk-devel 26.0.1, dnf install -y java-latest-openjdk-devel maven",
        "brew, openjdk@25 ==> openjdk@25: stable 25.0.1, brew install openjdk@25 maven"
    })
    void dnf_and_brew_use_own_package_names(String manager, String offered, String call) {
        machine.manager(manager, offered);

        checkout.run("demo", "--setup").succeeds();

        assertThat(machine.calls()).containsExactly(call);
    }

    @Test
    void homebrew_jdk_is_found() {
        Path parent = checkout.folder.resolve("homebrew/opt/openjdk@25/libexec/openjdk.jdk/Contents");
        Path home = parent.resolve("Home");
        Path installed = checkout.jdk("25");
        Disk.make(parent);
        assertThat(installed.toFile().renameTo(home.toFile())).isTrue();
        checkout.with("FUSEBOX_JDK_FOLDERS", checkout.folder + "/homebrew/opt/openjdk*/libexec");

        assertThat(checkout.run("jdk").succeeds().out()).containsExactly(home.toString());
        assertThat(Disk.read(Checkout.launcher())).contains("/opt/homebrew/opt/openjdk*/libexec:");
    }

    @Test
    void ordinary_user_uses_sudo_without_password_prompt_outside_of_terminal() {
        machine.manager("apt-get", JDK + " 25.0.3").asOrdinaryUser().withSudo();

        assertThat(checkout.run("demo").errText()).contains("\n  sudo apt-get update -q\n");
        checkout.run("demo", "--setup").succeeds();

        assertThat(machine.calls())
                .contains("sudo -n apt-get update -q")
                .anyMatch(call -> call.startsWith("sudo -n env DEBIAN_FRONTEND=noninteractive apt-get install "));
    }

    @Test
    void user_without_sudo_gets_commands_for_root() {
        machine.manager("apt-get", JDK + " 25.0.3").asOrdinaryUser();

        Launch.Result result = checkout.run("demo", "--setup");

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.errText()).contains(APT_INSTALL + JDK + " maven", "run these commands as root");
        assertThat(machine.calls()).isEmpty();
    }

    @Test
    void failed_installation_exits_with_2() {
        machine.manager("apt-get", JDK + " 25.0.3").failing();

        Launch.Result result = checkout.run("demo", "--setup");

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.errText()).contains("apt-get could not install " + JDK + " maven (status 100)");
        assertThat(checkout.mavenCalls()).isEmpty();
    }

    @Test
    void tests_of_one_module_need_no_npm() {
        machine.manager("apt-get", JDK + " 25.0.3");
        checkout.without("npx");

        assertThat(checkout.run("test", "-pl", "breaker").errText()).doesNotContain("npm");
        assertThat(checkout.run("test", "-o").errText()).contains("npm is needed", JDK + " maven npm\n");
    }

    @Test
    void nodesource_package_contains_npm() {
        machine.manager("apt-get", JDK + " 25.0.3", "npm 9.2", "nodejs 20.20.2-1nodesource1");
        checkout.without("npx");

        assertThat(checkout.run("test").errText()).contains(JDK + " maven nodejs\n");
    }

    @Test
    void programs_that_single_tests_need_are_installed_only_if_available() {
        machine.manager("apt-get", JDK + " 25.0.3");
        checkout.run("build", "--setup").succeeds();
        int calls = machine.calls().size();

        assertThat(checkout.run("test", "--setup").errText())
                .contains("chromium is not on the PATH", "strace is not on the PATH", "no test was run");
        assertThat(machine.calls()).hasSize(calls);

        machine.manager("apt-get", "chromium 150.0", "strace 6.1").failing();
        assertThat(checkout.run("test", "--setup").errText()).contains("no test was run");
        assertThat(machine.calls()).last().asString().endsWith(" chromium strace");
    }

    @Test
    void setup_argument_of_server_command_is_not_consumed() {
        machine.manager("apt-get", JDK + " 25.0.3");
        checkout.run("build", "--setup").succeeds();

        assertThat(checkout.run("add", "x", "npx", "--setup").succeeds().out())
                .containsExactly("java 25 in " + checkout.folder + ": add x npx --setup");
    }

    /// It changes nothing, and fails for a name of a package or an option that is none.
    @Test
    void real_apt_get_accepts_command() {
        Path apt = Path.of("/usr/bin/apt-get");
        assumeTrue(Files.isExecutable(apt), "skipped: this machine has no apt-get");
        checkout.jdk("25");
        checkout.program("apt-cache", "#!/bin/sh\nexec /usr/bin/apt-cache \"$@\"\n")
                .program("apt-get", "#!/bin/sh\n[ $1 = update ] || exec " + apt + " --simulate \"$@\"\n");
        try (Launch policy = checkout.start(checkout.folder, List.of("apt-cache", "policy", "maven"), "")) {
            assumeTrue(
                    policy.finish().out().stream().anyMatch(line -> line.matches(" *Candidate: \\d.*")),
                    "skipped: the package lists of this machine name no Maven");
        }

        Launch.Result result = checkout.run("demo", "--setup");

        assertThat(result.errText())
                .containsPattern("Inst maven |maven is already the newest version")
                .contains("apt-get has finished, but this is still missing: mvn");
        assertThat(result.code()).isEqualTo(2);
    }
}
