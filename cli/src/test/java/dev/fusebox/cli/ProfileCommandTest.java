package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The command `profile`.
class ProfileCommandTest {
    private static final String FILE = """
            {"mcpServers": {"a": {"command": "c"}, "b": {"command": "c"}},
             "profiles": {"work": {"servers": ["a"], "expose": "proxy", "tools": {"exclude": ["a/admin_*"]}},
                          "all": {}}}
            """;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path folder;

    private ExitStatus run(String text, String... words) throws Exception {
        Path file = Files.writeString(folder.resolve("f.json"), text);
        List<String> arguments = new ArrayList<>(List.of(words));
        arguments.addAll(List.of("--config", file.toString()));
        return new ProfileCommand(Platform.system()).run(arguments, new CommandOutput(stream(out), stream(err), false));
    }

    private static PrintStream stream(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream from) {
        return from.toString(StandardCharsets.UTF_8);
    }

    @Test
    void list_shows_servers_tools_and_view_of_each_profile() throws Exception {
        assertThat(run(FILE, "list")).isEqualTo(ExitStatus.DONE);
        assertThat(text(out).lines()).containsExactly("work: a, without a/admin_* (proxy)", "all: a, b (meta)");
    }

    @Test
    void json_form_has_the_same() throws Exception {
        assertThat(run(FILE, "list", "--json")).isEqualTo(ExitStatus.DONE);
        assertThat(text(out).strip())
                .startsWith("{\"profiles\":[{\"name\":\"work\",\"servers\":[\"a\"],\"expose\":\"proxy\",")
                .contains("\"exclude\":[\"a/admin_*\"]");
    }

    @Test
    void file_without_profiles_and_wrong_action_are_said() throws Exception {
        assertThat(run("{\"mcpServers\": {\"a\": {\"command\": \"c\"}}}", "list"))
                .isEqualTo(ExitStatus.DONE);
        assertThat(text(out).strip()).isEqualTo("no profiles");
        assertThat(run(FILE, "show")).isEqualTo(ExitStatus.USAGE);
        assertThat(text(err)).contains("usage: profile list");
    }
}
