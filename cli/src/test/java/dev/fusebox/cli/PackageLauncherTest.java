package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The launcher of packages, in front of a program that prints its arguments instead of Java.
/// `packaging/check` runs it with the real one.
@Tag("process")
class PackageLauncherTest {
    private static final Path CHECKOUT = Checkout.launcher().resolveSibling("");

    /// Fails where it would read input, and writes caches when it is told to.
    private static final String JAVA = """
            #!/bin/sh
            for word in "$@"; do
                case $word in
                    -XX:AOTCacheOutput=*) echo cache >"${word#*=}" ;;
                esac
            done
            printf '%s\\n' "$@"
            """;

    @TempDir
    private Path folder;

    private Path root;
    private Path app;

    @BeforeEach
    void install() {
        root = folder.resolve("opt/fuse box");
        app = root.resolve("app/0123456789abcdef");
        Disk.write(root.resolve("bin/fusebox"), Disk.read(CHECKOUT.resolve("packaging/fusebox")), true);
        Disk.write(root.resolve("launcher/run.bash"), Disk.read(CHECKOUT.resolve("launcher/run.bash")), false);
        Disk.write(root.resolve("runtime/bin/java"), JAVA, true);
        Disk.write(app.resolve("built"), "25 runtime\n", false);
        Disk.make(app.resolve("lib"));
    }

    @Test
    void package_starts_its_own_java_under_the_name_that_the_user_called() {
        Path link = folder.resolve("bin/fusebox");
        Disk.make(folder.resolve("bin"));
        Disk.link(link, Path.of("../opt/fuse box/bin/fusebox"));
        Launch.Result result = run(link.toString(), "serve", "--config", "a b.json");
        assertThat(result.succeeds().out())
                .startsWith("-Dfusebox.launcher=" + link, "-Dfusebox.app=" + app)
                .contains("-p", app + "/lib", "-Dfusebox.worker=" + app + "/worker", "-Dfusebox.packaged=true")
                .endsWith("-m", "dev.fusebox.cli/dev.fusebox.cli.Main", "serve", "--config", "a b.json");
        assertThat(result.out()).noneMatch(word -> word.contains("AOTCache"));
    }

    @Test
    void flags_are_those_of_the_checkout() {
        assertThat(run(launcher(), "serve", "--expose", "proxy").succeeds().out())
                .contains("-XX:TieredStopAtLevel=1", "-XX:+DisableAttachMechanism", "-Xmx512m");
    }

    @Test
    void prepared_caches_are_used_by_the_way_of_serving() {
        run(launcher(), "prepare").succeeds();
        assertThat(run(launcher(), "version").succeeds().out()).contains("-XX:AOTCache=" + app + "/aot");
        assertThat(run(launcher(), "serve", "--no-prefix").succeeds().out())
                .contains("-XX:AOTCache=" + app + "/aot.single");
    }

    @Test
    void caches_of_a_package_that_was_installed_again_are_not_used() {
        run(launcher(), "prepare").succeeds();
        Disk.touch(app.resolve("built"), -1);
        assertThat(run(launcher(), "version").succeeds().out()).noneMatch(word -> word.contains("AOTCache"));
    }

    @Test
    void incomplete_package_is_reported() {
        Disk.delete(app.resolve("built"));
        Launch.Result result = run(launcher(), "version");
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.errText()).contains("is incomplete; install Fusebox again");
    }

    @Test
    void npm_package_names_the_missing_package_of_the_platform() {
        Path command = folder.resolve("node_modules/fusebox/bin/fusebox");
        Disk.write(command, Disk.read(CHECKOUT.resolve("packaging/npm-fusebox")), true);
        Launch.Result result = run(command.toString(), "version");
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.errText()).contains("npm must install optional dependencies");
    }

    private String launcher() {
        return root.resolve("bin/fusebox").toString();
    }

    private Launch.Result run(String... command) {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().put("FUSEBOX_HOME", folder.resolve("home").toString());
        try (Launch launch = Launch.start(builder, "")) {
            return launch.finish();
        }
    }
}
