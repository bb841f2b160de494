package dev.fusebox.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The official TypeScript client reaches official servers by the gateway's own tools alone, and has a script call
/// them.
///
/// Over five seconds: it starts Node three times, and the first test of the module waits for npm.
@Timeout(900)
class ScriptedSessionTest {
    private static final String PACKAGE = "@modelcontextprotocol/server-";

    private static final String SCRIPT = """
            const sums = await Promise.all([1, 2, 3].map((a) => servers.everything.call('get-sum', { a, b: 40 })));
            await servers.files.write_file({ path, content: sums.join('\\n') });
            const text = await servers.files.read_text_file({ path });
            let failure;
            try {
                await servers.files.read_text_file({ path: '/nowhere/at/all' });
            } catch (e) {
                failure = e.error.code;
            }
            console.log('wrote', path.length > 0);
            return { lines: (text.content ?? text).split('\\n').length, failure };
            """;

    @TempDir
    private Path folder = Path.of("");

    private String calls(Path home) {
        String path =
                "const path = " + JsonWriter.quoted(home.resolve("sums.txt").toString()) + ";\n";
        String code = JsonWriter.quoted(path + SCRIPT);
        return """
                [{"name": "mcp_call", "arguments":
                    {"server": "everything", "tool": "echo", "args": {"message": "Grüße"}}},
                 {"name": "mcp_execute", "arguments": {"code": %s}},
                 {"name": "mcp_execute", "arguments": {"code": "while (true);", "timeoutMs": 500}}]""".formatted(code);
    }

    @Test
    void a_client_calls_and_executes() throws IOException {
        Path home = Files.createDirectory(folder.resolve("home")).toRealPath();
        Map<String, Served> servers = new LinkedHashMap<>();
        servers.put("everything", Served.ofPackage(PACKAGE + "everything", "stdio"));
        servers.put("files", Served.ofPackage(PACKAGE + "filesystem", home.toString()));
        try (Gateway gateway = Gateway.ofOwnTools(Configuration.of(folder, servers))) {
            JsonView seen = Scripts.run("calls.mjs", gateway.http(), calls(home));
            assertThat(Scripts.part(seen, "tools").json())
                    .contains("\"mcp_call\"", "\"mcp_execute\"")
                    .doesNotContain("\"everything__echo\"");
            List<JsonView> calls = Scripts.part(seen, "calls").elements();
            assertThat(calls.get(0).json()).contains("Grüße");
            assertThat(Objects.requireNonNull(calls.get(1).path("structuredContent", "result"), calls.get(1)::json)
                            .json())
                    .isEqualTo("{\"lines\":3,\"failure\":\"tool_failed\"}");
            assertThat(calls.get(1).json()).contains("\"logs\":[\"wrote true\"]", "\"tool\":\"get-sum\",\"ok\":true");
            assertThat(calls.get(2).json()).contains("\"isError\":true", "\"code\":\"timeout\"");
        }
    }
}
