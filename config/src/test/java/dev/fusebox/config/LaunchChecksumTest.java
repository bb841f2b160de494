package dev.fusebox.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What counts as a changed launch of a server.
class LaunchChecksumTest {
    @TempDir
    private Path folder;

    private Path script = Path.of("");
    private Map<String, String> variables = Map.of();

    @BeforeEach
    void install() throws IOException {
        variables = Map.of("PATH", folder.resolve("bin") + ":/usr/bin:/bin");
        script = Files.createDirectories(folder.resolve("node_modules/server/dist"))
                .resolve("index.js");
        Files.writeString(script, "one");
        Files.writeString(folder.resolve("node_modules/server/package.json"), "{\"version\":\"1.0.0\"}");
    }

    private String sum(ServerEndpoint endpoint) {
        return LaunchChecksum.of(variables, endpoint);
    }

    private ServerEndpoint server(Map<String, String> env) {
        return process(null, env, "sh", script.toString(), "--verbose");
    }

    private ServerEndpoint server() {
        return server(Map.of());
    }

    private static ServerEndpoint process(@Nullable String cwd, Map<String, String> env, String... words) {
        List<String> all = List.of(words);
        return new ServerEndpoint.Stdio(all.getFirst(), all.subList(1, all.size()), env, List.of(), cwd, List.of());
    }

    private static ServerEndpoint remote(String value) {
        return new ServerEndpoint.Http(new ServerEndpoint.Remote(
                URI.create("http://127.0.0.1:1/mcp"),
                Map.of("A", value),
                null,
                Set.of(),
                List.of(),
                OAuthConfig.USUAL,
                List.of()));
    }

    @Test
    void stays_while_nothing_changes() {
        assertThat(sum(server())).isEqualTo(sum(server())).matches("[0-9a-f]{8}");
    }

    @Test
    void changes_with_the_script() throws IOException {
        String before = sum(server());
        Files.writeString(script, "longer");
        assertThat(sum(server())).isNotEqualTo(before);
    }

    @Test
    void changes_with_the_version_of_the_package() throws IOException {
        String before = sum(server());
        Files.writeString(folder.resolve("node_modules/server/package.json"), "{\"version\":\"1.0.10\"}");
        assertThat(sum(server())).isNotEqualTo(before);
    }

    @Test
    void changes_with_the_target_of_a_link() throws IOException {
        Path link = folder.resolve("link.js");
        Path other = Files.writeString(folder.resolve("other.js"), "one");
        Files.setLastModifiedTime(other, Files.getLastModifiedTime(script));
        Files.createSymbolicLink(link, script);
        ServerEndpoint linked = process(folder.toString(), Map.of(), "sh", "link.js");
        String before = sum(linked);
        Files.delete(link);
        Files.createSymbolicLink(link, other);
        assertThat(sum(linked)).isNotEqualTo(before);
    }

    @Test
    void changes_when_the_path_leads_to_another_executable() throws IOException {
        String before = sum(server());
        Path nearer = Files.createDirectories(folder.resolve("bin")).resolve("sh");
        Files.writeString(nearer, "#!/bin/sh\n");
        assertThat(sum(server())).isEqualTo(before);
        assertThat(nearer.toFile().setExecutable(true)).isTrue();
        assertThat(sum(server())).isNotEqualTo(before);
    }

    @Test
    void changes_with_the_value_of_a_variable_or_a_header() {
        assertThat(sum(server(Map.of("A", "1")))).isNotEqualTo(sum(server(Map.of("A", "2"))));
        assertThat(sum(remote("1"))).isNotEqualTo(sum(remote("2")));
    }

    @Test
    void a_command_that_is_not_there_and_words_that_are_no_paths_are_no_failure() {
        assertThat(sum(process(null, Map.of(), "no-such-command", "\0", "--x=1", folder.toString())))
                .matches("[0-9a-f]{8}");
    }
}
