package dev.fusebox.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Three official servers behind one gateway, and official clients in front of it; one of the servers is killed.
///
/// Over five seconds: each of them starts a Node, and the first test of the module waits for npm.
@Tag("interop")
@Timeout(900)
class ManyOfficialServersTest {
    private static final String PACKAGE = "@modelcontextprotocol/server-";

    @TempDir
    private Path folder = Path.of("");

    private Path configuration = Path.of("");
    private Path home = Path.of("");

    @BeforeEach
    void configure() throws IOException {
        home = Files.createDirectory(folder.resolve("home")).toRealPath();
        Map<String, Served> servers = new LinkedHashMap<>();
        servers.put("everything", Served.ofPackage(PACKAGE + "everything", "stdio"));
        servers.put("files", Served.ofPackage(PACKAGE + "filesystem", home.toString()));
        servers.put(
                "memory",
                Served.ofPackage(PACKAGE + "memory").with("MEMORY_FILE_PATH", folder.resolve("memory.jsonl")));
        configuration = Configuration.of(folder, servers);
    }

    private String calls() {
        String note = JsonWriter.quoted(home.resolve("note.txt").toString());
        return """
                [{"name": "everything__echo", "arguments": {"message": "Grüße"}},
                 {"name": "everything__get-sum", "arguments": {"a": 2, "b": 40}},
                 {"name": "files__write_file", "arguments": {"path": %s, "content": "eins"}},
                 {"name": "files__read_text_file", "arguments": {"path": %s}},
                 {"name": "memory__create_entities", "arguments": {"entities": [
                    {"name": "Fuse", "entityType": "part", "observations": ["melts"]}]}},
                 {"name": "memory__read_graph", "arguments": {}}]""".formatted(note, note);
    }

    private static void assertAllDone(JsonView seen) {
        List<String> done = Scripts.part(seen, "calls").elements().stream()
                .map(JsonView::json)
                .toList();
        assertThat(done).hasSize(6).noneMatch(call -> call.contains("fusebox/error"));
        assertThat(String.join("\n", done)).contains("Grüße", "42", "eins", "melts");
    }

    private static void assertAllListed(String tools) {
        assertThat(tools)
                .contains("\"everything__echo\"", "\"files__read_text_file\"", "\"memory__read_graph\"")
                .doesNotContain("\"name\":\"echo\"");
    }

    @Test
    void client_lists_and_calls_tools_of_all_servers() {
        try (Gateway gateway = Gateway.ofMany(configuration)) {
            // The first list waits for servers that start for a second only; the calls wait for them.
            assertAllDone(Scripts.run("calls.mjs", gateway.http(), calls()));
            JsonView again = Scripts.run("calls.mjs", gateway.http(), calls());
            assertAllDone(again);
            assertAllListed(Scripts.part(again, "tools").json());
            assertAllDone(Scripts.run("modern.mjs", gateway.http(), calls()));
        }
        assertThat(home.resolve("note.txt")).hasContent("eins");
    }

    @Test
    void clients_of_a_shared_gateway_list_and_call_tools_of_all_servers() {
        try (SharedLauncher launcher = new SharedLauncher(folder.resolve("shared"), configuration)) {
            JsonView seen = Scripts.run("calls.mjs", launcher.client(), calls());
            assertAllDone(seen);
            assertAllListed(Scripts.part(seen, "tools").json());
            assertAllDone(Scripts.run("modern.mjs", launcher.client(), calls()));
            assertThat(launcher.gateways()).hasSize(1);
        }
        assertThat(home.resolve("note.txt")).hasContent("eins");
    }

    /// They are made with zod, whose optional values are no null.
    @Test
    void null_of_optional_argument_is_dropped() {
        String annotated = """
                [{"name": "everything__get-annotated-message",
                  "arguments": {"messageType": "success", "includeImage": null}},
                 {"name": "files__directory_tree",
                  "arguments": {"path": %s, "excludePatterns": null}}]""".formatted(JsonWriter.quoted(home.toString()));
        try (Gateway gateway = Gateway.ofMany(configuration)) {
            assertAllDone(Scripts.run("calls.mjs", gateway.http(), calls()));
            for (String client : List.of("calls.mjs", "modern.mjs")) {
                JsonView seen = Scripts.part(Scripts.run(client, gateway.http(), annotated), "calls");
                assertThat(seen.json())
                        .contains("Operation completed successfully")
                        .doesNotContain("isError");
            }
        }
    }

    @Test
    void killed_server_affects_no_other_and_recovers_with_next_call() {
        try (Gateway gateway = Gateway.ofMany(configuration)) {
            assertAllDone(Scripts.run("calls.mjs", gateway.http(), calls()));
            List<ProcessHandle> killed = gateway.descendants(command -> command.contains(PACKAGE + "everything"));
            assertThat(killed).isNotEmpty();
            killed.forEach(ProcessHandle::destroyForcibly);

            JsonView after = Scripts.run("calls.mjs", gateway.http(), calls());
            assertAllDone(after);
            assertAllListed(Scripts.part(after, "tools").json());
        }
    }

    @Test
    void inspector_lists_and_calls_tools_of_all_servers() {
        try (Gateway gateway = Gateway.ofMany(configuration)) {
            assertAllDone(Scripts.run("calls.mjs", gateway.http(), calls()));
            Path listening = Configuration.of(folder, gateway.url(), Map.of("type", "streamable-http"));
            Inspector inspector = new Inspector(folder, listening);
            assertAllListed(inspector.run("tools/list").succeeds().out());
            Run sum = inspector.run(
                    "tools/call", "--tool-name", "everything__get-sum", "--tool-arg", "a=2", "--tool-arg", "b=40");
            assertThat(sum.succeeds().out()).contains("42");
            assertThat(inspector
                            .run("tools/call", "--tool-name", "memory__read_graph")
                            .succeeds()
                            .out())
                    .contains("Fuse");
        }
    }
}
