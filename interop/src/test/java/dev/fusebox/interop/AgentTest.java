package dev.fusebox.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The official TypeScript client as an agent of a gateway with its own tools only, before official npm servers:
/// it finds and calls tools, runs a script, and adds a server from a registry, which the real `npx` then starts.
///
/// Over five seconds: every server starts a Node, and the first test of the module waits for npm.
@Tag("interop")
@Timeout(900)
class AgentTest {
    private static final String PACKAGE = "@modelcontextprotocol/server-";
    private static final String EVERYTHING = PACKAGE + "everything";

    @TempDir
    private Path folder = Path.of("");

    private Path configuration() throws IOException {
        Map<String, Served> servers = new LinkedHashMap<>();
        servers.put(
                "memory",
                Served.ofPackage(PACKAGE + "memory").with("MEMORY_FILE_PATH", folder.resolve("memory.jsonl")));
        servers.put("thoughts", Served.ofPackage(PACKAGE + "sequential-thinking"));
        Path file = Configuration.of(folder, servers);
        String version = Npm.version(EVERYTHING);
        Path registry = Files.writeString(folder.resolve("registry.json"), """
                {"servers": [{"server": {
                    "name": "io.modelcontextprotocol/everything", "version": "%1$s",
                    "description": "Exercises all the features of the MCP protocol, for tests of clients",
                    "packages": [{"registryType": "npm", "identifier": "%2$s", "version": "%1$s",
                        "transport": {"type": "stdio"}}]}}]}""".formatted(version, EVERYTHING));
        String text = Files.readString(file);
        String provision = """
                {"provision": {"registry": "%s", "autoProvision": true, "trusted": ["%s@%s"]},
                """.formatted(registry, EVERYTHING, version);
        return Files.writeString(file, text.replaceFirst("\\{", provision));
    }

    private static String said(JsonView seen, String part) {
        return Scripts.part(seen, part).json();
    }

    @Test
    void agent_finds_calls_scripts_and_adds_servers() throws IOException {
        Path file = configuration();
        try (Gateway gateway = Gateway.ofAgents(file, Npm.home())) {
            JsonView seen = Scripts.run("agent.mjs", gateway.http());
            assertThat(said(seen, "tools"))
                    .contains("mcp_discover", "mcp_call", "mcp_execute", "mcp_provision")
                    .doesNotContain("create_entities");
            assertThat(said(seen, "discovered")).contains("\"server\":\"memory\"", "inputSchema");
            assertThat(said(seen, "called")).contains("Fuse", "melts");
            assertThat(said(seen, "executed")).contains("\"result\":[\"Fuse melts\"]", "sequentialthinking");
            assertThat(said(seen, "refused")).contains("unknown_server");
            assertThat(said(seen, "offered"))
                    .contains("./fusebox add everything npx -y " + EVERYTHING, "\"autoProvisionable\":true");
            JsonView provisioned = Scripts.part(seen, "provisioned");
            assertThat(Objects.requireNonNull(provisioned.path("provisioned", "status"))
                            .string())
                    .isEqualTo("online");
            assertThat(said(seen, "used")).contains("42");
            assertThat(file).content().contains("\"everything\": {");
            assertThat(gateway.descendants(command -> command.contains("server-everything")))
                    .isNotEmpty();
        }
    }
}
