package dev.fusebox.gateway.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.SemanticMode;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.routing.EitherClient.Way;
import dev.fusebox.gateway.tools.CallTool;
import dev.fusebox.gateway.tools.DiscoverTool;
import dev.fusebox.gateway.tools.ToolSearch;
import dev.fusebox.protocol.HiddenCharacters;
import dev.fusebox.protocol.JsonView;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What a server says of itself reaches models without the characters that no person sees, where the gateway
/// writes it.
///
/// Over five seconds: servers are processes.
@Tag("process")
@Timeout(120)
class HiddenTextTest {
    private static final String SCHEMA = "{\"type\":\"object\",\"properties\":{\"p\":{\"type\":\"string\","
            + "\"description\":\"a\\u2066b\",\"enum\":[\"x\\u00ad\"]}}}";

    private static final String DESCRIPTION = "Finds files.\\u200b\\udb40\\udc41 \u202Enow\\u001b[8m!";

    private static final String TOOLS = "[{\"name\":\"se\u202Eek\",\"inputSchema\":{\"type\":\"object\"}},"
            + "{\"name\":\"find\",\"description\":\"" + DESCRIPTION + "\",\"inputSchema\":" + SCHEMA
            + ",\"annotations\":{\"title\":\"F\u2060ind\"}}]";

    private static final String REFUSES =
            "say({'jsonrpc': '2.0', 'id': m['id'], 'result': {'content': [{'type': 'text',"
                    + " 'text': 'as\\u202eis'}], '_meta': {'t': '\\u200b'}}})";

    private static GatewayHarness gateway() {
        return GatewayHarness.plan()
                .process("files", EitherClient.server(TOOLS, REFUSES))
                .firstListWait(SingleServerHarness.SOON)
                .exposure(new ExposurePolicy(
                        true,
                        Set.of(),
                        List.of(
                                new DiscoverTool(new ToolSearch(SingleServerHarness.PLATFORM, SemanticMode.OFF), 10),
                                new CallTool())))
                .open();
    }

    @ParameterizedTest
    @EnumSource
    void discover_shows_tools_without_hidden_characters_and_results_pass_unchanged(Way way) {
        try (GatewayHarness gateway = gateway();
                EitherClient client = new EitherClient(gateway, way)) {
            JsonView found = client.call("mcp_discover", "{\"server\":\"files\",\"detail\":\"full\"}");
            JsonView said = Messages.at(found, "result", "structuredContent");
            List<JsonView> tools = Messages.at(said, "tools").elements();
            assertThat(tools).as(said.json()).hasSize(1);
            assertThat(tools.getFirst().string("description")).isEqualTo("Finds files. now[8m!");
            assertThat(HiddenCharacters.hasHidden(Messages.at(found, "result"))).isFalse();
            assertThat(Messages.said(found)).isEqualTo(said.json());
            assertThat(Messages.said(client.callThrough("files", "find", "{}"))).isEqualTo("as\u202Eis");
            assertThat(client.callThrough("files", "se\u202Eek", "{}").json()).contains("unknown_tool");
        }
    }
}
