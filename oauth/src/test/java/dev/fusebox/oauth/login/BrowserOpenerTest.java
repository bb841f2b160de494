package dev.fusebox.oauth.login;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Browsers are shell scripts that note their arguments.
@Tag("process")
@Timeout(60)
class BrowserOpenerTest {
    private static final URI PAGE = URI.create("https://as.example/authorize?a=1&state=s1");

    @TempDir
    private Path base;

    /// Replaced atomically, so that a reader finds both lines.
    private Path program(String name, String... more) throws IOException {
        String script = "#!/bin/sh\n" + String.join("\n", more) + "\nprintf '%s\\n' \"$#\" \"$1\" > " + base + "/next\n"
                + "/bin/mv " + base + "/next " + base + "/" + name + ".opened\n";
        Path program = Files.writeString(base.resolve(name), script);
        return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }

    private BrowserOpener opener(boolean isMac, String... variables) {
        Map<String, String> environment = new HashMap<>();
        environment.put("PATH", base.toString());
        for (int i = 0; i < variables.length; i += 2) {
            environment.put(variables[i], variables[i + 1]);
        }
        return new BrowserOpener(Platform.system().withEnvironment(environment), isMac);
    }

    private void assertOpened(String program, String url) {
        Path opened = base.resolve(program + ".opened");
        eventually("the program has run", () -> Files.exists(opened));
        assertThat(opened).content().isEqualTo("1\n" + url + "\n");
    }

    @Test
    void page_is_the_only_argument_of_the_program_of_the_desktop() throws IOException {
        program("xdg-open");
        assertThat(opener(false).open(PAGE)).isNull();
        assertOpened("xdg-open", PAGE.toString());
    }

    @Test
    void macs_have_a_program_of_their_own() throws IOException {
        program("open");
        assertThat(opener(true).open(PAGE)).isNull();
        assertOpened("open", PAGE.toString());
    }

    @Test
    void chosen_browser_comes_first() throws IOException {
        Path chosen = program("chosen");
        program("xdg-open");
        assertThat(opener(false, "BROWSER", chosen.toString()).open(PAGE)).isNull();
        assertOpened("chosen", PAGE.toString());
        assertThat(base.resolve("xdg-open.opened")).doesNotExist();
    }

    @Test
    void list_or_command_as_browser_is_left_to_the_desktop() throws IOException {
        program("xdg-open");
        program("chosen");
        for (String browser : new String[] {"chosen:other", "chosen --new-window", "chosen%s", ""}) {
            Files.deleteIfExists(base.resolve("xdg-open.opened"));
            assertThat(opener(false, "BROWSER", browser).open(PAGE)).isNull();
            assertOpened("xdg-open", PAGE.toString());
        }
        assertThat(base.resolve("chosen.opened")).doesNotExist();
    }

    @Test
    void missing_browser_is_passed_over() throws IOException {
        program("xdg-open");
        assertThat(opener(false, "BROWSER", base + "/gone", "WSL_DISTRO_NAME", "Ubuntu")
                        .open(PAGE))
                .isNull();
        assertOpened("xdg-open", PAGE.toString());
    }

    @Test
    void browser_of_windows_is_preferred_inside_of_windows() throws IOException {
        program("wslview");
        program("xdg-open");
        assertThat(opener(false, "WSL_DISTRO_NAME", "Ubuntu").open(PAGE)).isNull();
        assertOpened("wslview", PAGE.toString());
    }

    @Test
    void no_program_is_a_reason_without_the_address() {
        assertThat(opener(false).open(PAGE)).contains("xdg-open").doesNotContain("s1");
    }

    @Test
    void address_has_no_characters_of_a_shell() throws IOException {
        program("xdg-open");
        assertThat(opener(false).open(URI.create("https://as.example/$(id)';x?a=$HOME")))
                .isNull();
        assertOpened("xdg-open", "https://as.example/%24%28id%29%27%3Bx?a=%24HOME");
    }

    @Test
    void other_addresses_are_refused_before_a_program_is_started() throws IOException {
        program("xdg-open");
        for (String url : new String[] {"file:///etc/passwd", "javascript:alert(1)", "--help", "httpx://a"}) {
            assertThat(opener(false).open(URI.create(url))).isEqualTo("only http and https addresses are opened");
        }
        assertThat(base.resolve("xdg-open.opened")).doesNotExist();
    }

    /// More than the pipes hold, so that the program ends only if its output is read.
    @Test
    void chatty_program_is_neither_stopped_nor_ended() throws IOException {
        program(
                "xdg-open",
                "i=0",
                "while [ $i -lt 4000 ]; do",
                "echo " + "x".repeat(50) + "; echo y$i >&2",
                "echo " + "z".repeat(50) + " >&2; i=$((i+1)); done");
        assertThat(opener(false).open(PAGE)).isNull();
        assertOpened("xdg-open", PAGE.toString());
    }

    @Test
    void display_is_that_of_this_machine() {
        assertThat(opener(false).hasDisplay()).isFalse();
        assertThat(opener(false, "DISPLAY", "").hasDisplay()).isFalse();
        assertThat(opener(false, "DISPLAY", ":0").hasDisplay()).isTrue();
        assertThat(opener(false, "WAYLAND_DISPLAY", "wayland-0").hasDisplay()).isTrue();
        assertThat(opener(false, "SSH_CONNECTION", "a 1 b 2").hasDisplay()).isFalse();
        assertThat(opener(false, "SSH_CONNECTION", "a 1 b 2", "DISPLAY", "localhost:10.0")
                        .hasDisplay())
                .isTrue();
        assertThat(opener(false, "WSL_DISTRO_NAME", "Ubuntu").hasDisplay()).isTrue();
        assertThat(opener(false, "WSL_DISTRO_NAME", "Ubuntu", "SSH_CONNECTION", "a 1 b 2")
                        .hasDisplay())
                .isFalse();
        assertThat(opener(true).hasDisplay()).isTrue();
        assertThat(opener(true, "SSH_CONNECTION", "a 1 b 2", "DISPLAY", ":0").hasDisplay())
                .isFalse();
    }
}
