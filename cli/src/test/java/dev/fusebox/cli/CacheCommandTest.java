package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.ConfigFile;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.Overrides;
import dev.fusebox.config.ReadResult;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.gateway.AdminSocket;
import dev.fusebox.gateway.CoreOptions;
import dev.fusebox.gateway.GatewayCore;
import dev.fusebox.gateway.GatewayHome;
import dev.fusebox.gateway.PersistentState;
import dev.fusebox.gateway.ServeMode;
import dev.fusebox.gateway.UpstreamFactory;
import dev.fusebox.gateway.cache.CacheFolder;
import dev.fusebox.gateway.cache.SchemaCache;
import dev.fusebox.gateway.routing.MultipleServers;
import dev.fusebox.gateway.routing.UpstreamServers;
import dev.fusebox.gateway.settings.HostEnvironments;
import dev.fusebox.platform.Platform;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The schema cache and the command that clears it.
@Tag("process")
@Timeout(60)
class CacheCommandTest {
    @TempDir
    private Path home;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final CommandOutput output =
            new CommandOutput(new PrintStream(out, true, UTF_8), new PrintStream(out, true, UTF_8), false);
    private Platform platform;

    @BeforeEach
    void platform() {
        platform = Platform.system()
                .withEnvironment(Map.of("FUSEBOX_HOME", home.toString(), "PATH", System.getenv("PATH")));
    }

    private String said(ExitStatus expected, String... words) {
        out.reset();
        assertThat(new CacheCommand(platform).run(List.of(words), output)).isEqualTo(expected);
        return out.toString(UTF_8).strip();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(home.resolve("cache"))) {
            return files.filter(file -> !file.endsWith("vectors") && !file.endsWith("features"))
                    .toList();
        }
    }

    private void keep(String... servers) throws IOException {
        CacheFolder folder = new CacheFolder(home.resolve("cache"));
        for (String server : servers) {
            folder.write(server, ("{\"fusebox\":1,\"server\":\"" + server + "\"}").getBytes(UTF_8));
        }
    }

    @Test
    void cache_is_cleared_for_one_server_or_for_all() throws IOException {
        keep("files", "jira", "wiki");
        assertThat(said(ExitStatus.DONE, "clear", "jira")).startsWith("deleted the cached tool lists of 1 server;");
        assertThat(files()).hasSize(2);
        assertThat(said(ExitStatus.DONE, "clear", "jira")).isEqualTo("the cache is empty");
        assertThat(said(ExitStatus.DONE, "clear", "--json")).isEqualTo("{\"removed\":2}");
        assertThat(files()).isEmpty();
    }

    @Test
    void search_index_is_cleared_with_cache_of_all_servers() throws IOException {
        keep("files", "jira");
        Path vectors = Files.writeString(home.resolve("cache").resolve("vectors"), "of all");
        said(ExitStatus.DONE, "clear", "jira");
        assertThat(vectors).exists();
        said(ExitStatus.DONE, "clear");
        assertThat(home.resolve("cache")).isEmptyDirectory();
        Files.writeString(vectors, "of all");
        assertThat(said(ExitStatus.DONE, "clear")).startsWith("deleted the search index;");
        Path stuck = Files.createDirectories(home.resolve("cache").resolve("0".repeat(64) + ".json"));
        Files.createFile(stuck.resolve("full"));
        Files.writeString(vectors, "of all");
        assertThat(said(ExitStatus.FAILED, "clear")).contains("cannot clear the cache");
        assertThat(vectors).doesNotExist();
    }

    @Test
    void invalid_arguments_clear_nothing() throws IOException {
        keep("files");
        for (String words : List.of("", "elephants", "clear a b")) {
            assertThat(said(ExitStatus.USAGE, words.isEmpty() ? new String[0] : words.split(" ")))
                    .contains("usage: cache clear");
        }
        assertThat(said(ExitStatus.USAGE, "clear", "--all")).contains("unknown argument \"--all\" for cache");
        assertThat(files()).hasSize(1);
    }

    @Test
    void clear_without_home_fails() {
        platform = Platform.system().withEnvironment(Map.of());
        assertThat(said(ExitStatus.FAILED, "clear")).contains("cannot clear the cache", "HOME");
    }

    @Test
    void tools_are_known_from_cache_without_starting_server() throws Exception {
        Path file = configured(ServerScript.faultless());
        try (SchemaCache cache = GatewayHome.schemaCache(platform, file);
                GatewayCore gateway = GatewayCore.open(
                        platform, read(file), CoreOptions.of(ServeMode.TO_MANY).with(PersistentState.in(cache)))) {
            servers(gateway).connect("one");
            eventuallyKnown(gateway);
            try (AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
                assertThat(tools("adds", "numbers")).startsWith("one__add ");
                adminSocket.drain();
            }
        }
        assertThat(files()).hasSize(1);
        try (SchemaCache cache = GatewayHome.schemaCache(platform, file);
                GatewayCore gateway = GatewayCore.open(
                        platform, read(file), CoreOptions.of(ServeMode.TO_MANY).with(PersistentState.in(cache)))) {
            eventuallyKnown(gateway);
            assertThat(gateway.children().live()).isEmpty();
        }
        assertThat(tools("adds", "numbers")).contains("no gateway is running", "one__add ");
        assertThat(tools("--tokens"))
                .containsPattern("(?m)^ +\\d+  one__echo .*")
                .containsPattern("tokens in \\d+ tools");
        assertThat(tools("--json")).contains("\"tool\":\"echo\"", "\"tokens\":");
        assertThat(said(ExitStatus.DONE, "clear", "one")).startsWith("deleted");
        assertThat(files()).isEmpty();
        assertThat(tools("--json")).contains("\"tool\":\"echo\"");
        assertThat(files()).as("what a server lists for the command is kept").hasSize(1);
    }

    /// F71
    @Test
    void servers_work_without_writable_cache() throws Exception {
        Files.writeString(home.resolve("cache"), "in the way");
        Path file = configured(ServerScript.faultless());
        try (SchemaCache cache = GatewayHome.schemaCache(platform, file);
                GatewayCore gateway = GatewayCore.open(
                        platform, read(file), CoreOptions.of(ServeMode.TO_MANY).with(PersistentState.in(cache)));
                AdminSocket adminSocket = AdminSocket.open(platform, gateway)) {
            servers(gateway).connect("one");
            eventuallyKnown(gateway);
            out.reset();
            assertThat(new CallCommand(platform).run(List.of("one", "echo", "{\"text\":\"heard\"}"), output))
                    .isEqualTo(ExitStatus.DONE);
            assertThat(out.toString(UTF_8)).contains("heard");
            adminSocket.drain();
        }
        assertThat(home.resolve("cache")).hasContent("in the way");
    }

    private String tools(String... words) {
        out.reset();
        assertThat(new GatewayCommands(platform).tools(List.of(words), output)).isEqualTo(ExitStatus.DONE);
        return out.toString(UTF_8).strip();
    }

    @Test
    void cache_key_depends_on_command_and_not_on_token() throws IOException {
        String first = identity("\"command\":\"node\",\"args\":[\"a\"],\"env\":{\"TOKEN\":\"1\"}");
        assertThat(identity("\"command\":\"node\",\"args\":[\"a\"],\"env\":{\"TOKEN\":\"2\"}"))
                .isEqualTo(first);
        assertThat(identity("\"command\":\"node\",\"args\":[\"b\"],\"env\":{\"TOKEN\":\"1\"}"))
                .isNotEqualTo(first);
        assertThat(identity("\"command\":\"node\",\"args\":[\"a\"]")).isNotEqualTo(first);
        assertThat(identity("\"command\":\"node\",\"disabled\":true")).isEmpty();
        String remote = identity("\"url\":\"http://127.0.0.1:1/mcp\",\"headers\":{\"Authorization\":\"Bearer a\"}");
        assertThat(identity("\"url\":\"http://127.0.0.1:1/mcp\"")).isEqualTo(remote);
        assertThat(identity("\"url\":\"http://127.0.0.1:1/mcp\",\"type\":\"sse\""))
                .isNotEqualTo(remote);
    }

    private String identity(String members) throws IOException {
        return UpstreamFactory.identity(read(written(members)).servers().getFirst());
    }

    private Path configured(ServerScript script) throws IOException {
        return written(Configured.process(script));
    }

    private Path written(String members) throws IOException {
        return Files.writeString(home.resolve("config.json"), "{\"mcpServers\":{\"one\":{" + members + "}}}");
    }

    private Configuration read(Path file) {
        return ((ReadResult.Usable) ConfigFile.read(HostEnvironments.of(platform), file, Overrides.NONE))
                .configuration();
    }

    private static UpstreamServers servers(GatewayCore gateway) {
        return ((MultipleServers) gateway.service()).servers();
    }

    private static void eventuallyKnown(GatewayCore gateway) {
        eventually(
                "tool echo is known",
                () -> servers(gateway).snapshots().getFirst().tools().stream()
                        .anyMatch(tool -> tool.own().equals("echo")));
    }
}
