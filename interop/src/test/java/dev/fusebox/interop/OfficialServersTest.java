package dev.fusebox.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.interop.Listening.Transport;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The official servers behind the gateway: lists and results are the same as without it, to the last byte of
/// their JSON, and side effects take place.
///
/// Over five seconds: the first test of the module waits for npm.
@Tag("interop")
@Timeout(900)
class OfficialServersTest {
    private static final List<String> LISTS = List.of("initialize", "tools", "resources", "prompts");

    private static final String ALL_SORTS = """
            [{"name": "echo", "arguments": {"message": "Grüße"}},
             {"name": "get-sum", "arguments": {"a": 2, "b": 40}},
             {"name": "get-tiny-image", "arguments": {}},
             {"name": "get-structured-content", "arguments": {"location": "New York"}},
             {"name": "get-annotated-message", "arguments": {"messageType": "error"}},
             {"name": "trigger-long-running-operation", "arguments": {"duration": 1, "steps": 5}},
             {"name": "trigger-sampling-request", "arguments": {"prompt": "What is new?"}}]""";

    @TempDir
    private Path folder = Path.of("");

    private int memories;

    /// The one with a bit of everything, by how it is reached.
    private static final Map<Transport, SharedServer> EVERYTHING = new EnumMap<>(Transport.class);

    @TempDir
    private static Path shared = Path.of("");

    private static SharedServer everything(Transport transport) {
        return EVERYTHING.computeIfAbsent(transport, each -> new SharedServer(Listening.everything(each), shared));
    }

    @AfterAll
    static void end() {
        EVERYTHING.values().forEach(SharedServer::close);
        EVERYTHING.clear();
    }

    @ParameterizedTest
    @EnumSource
    void everything_server_is_complete_over_stdio(Way way) {
        assertAllSorts(
                same(way, () -> Served.ofPackage("@modelcontextprotocol/server-everything", "stdio"), ALL_SORTS));
    }

    static Stream<Arguments> waysAndTransports() {
        return Stream.of(Way.values())
                .flatMap(way -> Stream.of(Transport.values()).map(transport -> Arguments.of(way, transport)));
    }

    @ParameterizedTest
    @MethodSource("waysAndTransports")
    void everything_server_is_complete_over_http(Way way, Transport transport) {
        SharedServer everything = everything(transport);
        assertAllSorts(same(everything.direct(ALL_SORTS), everything.through(way, "calls.mjs", ALL_SORTS)));
    }

    @ParameterizedTest
    @EnumSource
    void everything_server_works_for_stateless_client(Transport transport) {
        SharedServer everything = everything(transport);
        JsonView through = everything.through(Way.HTTP, "modern.mjs", ALL_SORTS);

        assertThat(through.string("era")).isEqualTo("modern");
        assertThat(contents(through)).hasSize(7).isEqualTo(contents(everything.direct(ALL_SORTS)));
    }

    private static List<String> contents(JsonView seen) {
        return Scripts.part(seen, "calls").elements().stream()
                .map(call -> Scripts.part(call, "content").json())
                .toList();
    }

    private static void assertAllSorts(JsonView calls) {
        assertThat(calls.elements()).hasSize(7).noneMatch(call -> call.member("error") != null);
        assertThat(calls.json()).contains("Grüße", "42", "image/png", "structuredContent", "heard: ");
    }

    @ParameterizedTest
    @EnumSource
    void filesystem_server_writes_and_reads(Way way) throws IOException {
        Path home = Files.createDirectory(folder.resolve("home")).toRealPath();
        String file = JsonWriter.quoted(home.resolve("note.txt").toString());

        JsonView calls = same(
                way, () -> Served.ofPackage("@modelcontextprotocol/server-filesystem", home.toString()), """
                [{"name": "write_file", "arguments": {"path": %s, "content": "eins\\nzwei\\n"}},
                 {"name": "read_text_file", "arguments": {"path": %s}},
                 {"name": "list_directory", "arguments": {"path": %s}},
                 {"name": "read_text_file", "arguments": {"path": "/etc/hostname"}}]""".formatted(
                                file, file, JsonWriter.quoted(home.toString())));

        assertThat(calls.elements().get(1).json()).contains("eins\\nzwei\\n");
        assertThat(calls.elements().get(2).json()).contains("[FILE] note.txt");
        assertThat(calls.elements().get(3).json()).contains("Access denied", "\"isError\":true");
        assertThat(home.resolve("note.txt")).hasContent("eins\nzwei\n");
    }

    @ParameterizedTest
    @EnumSource
    void memory_server_stores_entities(Way way) throws IOException {
        JsonView calls = same(way, this::memory, """
                [{"name": "create_entities", "arguments": {"entities": [
                    {"name": "Fuse", "entityType": "part", "observations": ["melts"]},
                    {"name": "Box", "entityType": "part", "observations": []}]}},
                 {"name": "create_relations", "arguments": {"relations": [
                    {"from": "Fuse", "to": "Box", "relationType": "sits in"}]}},
                 {"name": "read_graph", "arguments": {}}]""");

        assertThat(calls.elements().getLast().json()).contains("Fuse", "melts", "sits in");
        assertThat(Files.readString(folder.resolve("memory-2"))).contains("Fuse", "sits in");
    }

    /// Each with a memory of its own.
    private Served memory() {
        Path file = folder.resolve("memory-" + ++memories);
        return Served.ofPackage("@modelcontextprotocol/server-memory").with("MEMORY_FILE_PATH", file);
    }

    @ParameterizedTest
    @EnumSource
    void sequential_thinking_server_counts_thoughts(Way way) {
        JsonView calls = same(way, () -> Served.ofPackage("@modelcontextprotocol/server-sequential-thinking"), """
                [{"name": "sequentialthinking", "arguments": {"thought": "First, look.", "nextThoughtNeeded": true,
                    "thoughtNumber": 1, "totalThoughts": 2}},
                 {"name": "sequentialthinking", "arguments": {"thought": "Then leap.", "nextThoughtNeeded": false,
                    "thoughtNumber": 2, "totalThoughts": 2}}]""");

        assertThat(calls.elements()).hasSize(2);
        assertThat(calls.elements().getLast().json()).contains("\"thoughtHistoryLength\":2");
    }

    /// Answers to the calls through the gateway, after a look at the lists.
    private JsonView same(Way way, Supplier<Served> server, String calls) {
        JsonView direct = Scripts.run("calls.mjs", server.get().direct(), calls);
        JsonView through =
                way.through(server.get().configuration(folder), target -> Scripts.run("calls.mjs", target, calls));
        return same(direct, through);
    }

    private static JsonView same(JsonView direct, JsonView through) {
        for (String list : LISTS) {
            assertThat(Scripts.part(through, list).json())
                    .as(list)
                    .isEqualTo(Scripts.part(direct, list).json());
        }
        assertThat(Scripts.part(direct, "tools").json()).contains("inputSchema");
        assertThat(Scripts.part(through, "calls").json())
                .isEqualTo(Scripts.part(direct, "calls").json());
        return Scripts.part(through, "calls");
    }
}
