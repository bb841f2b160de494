package dev.fusebox.config.edit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonView;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Servers as clients write them, in our words.
class ClientEntryTranslatorTest {
    private static @Nullable String ours(ClientFile client, String written) {
        return ClientEntryTranslator.of(JsonView.of(written), client);
    }

    @Test
    void a_tool_that_a_client_kept_from_its_model_is_kept_from_it_here() {
        assertThat(ours(
                        ClientFile.GEMINI,
                        "{\"command\": \"x\", \"includeTools\": [\"a\"], \"excludeTools\": [\"b\"]}"))
                .isEqualTo("{\"command\":\"x\",\"args\":[],\"tools\":{\"include\":[\"a\"],\"exclude\":[\"b\"]}}");
        assertThat(ours(ClientFile.CODEX, "{\"url\": \"https://a.example/\", \"enabled_tools\": [\"a\"]}"))
                .contains("\"tools\":{\"include\":[\"a\"]}");
        assertThat(ours(ClientFile.WINDSURF, "{\"command\": \"x\", \"disabledTools\": [\"b\"]}"))
                .contains("\"tools\":{\"exclude\":[\"b\"]}");
        assertThat(ours(ClientFile.COPILOT, "{\"command\": \"x\", \"tools\": [\"*\"]}"))
                .contains("\"tools\":{\"include\":[\"*\"]}");
    }

    @Test
    void a_time_is_taken_in_the_unit_of_its_client_and_left_out_where_the_unit_is_not_known() {
        assertThat(ours(ClientFile.GEMINI, "{\"command\": \"x\", \"timeout\": 15000}"))
                .contains("\"timeoutMs\":15000");
        assertThat(ours(
                        ClientFile.CODEX,
                        "{\"command\": \"x\", \"tool_timeout_sec\": 45, \"startup_timeout_sec\": 2.5}"))
                .contains("\"timeoutMs\":45000", "\"connectTimeoutMs\":2500");
        assertThat(ours(ClientFile.CURSOR, "{\"command\": \"x\", \"timeout\": 60}"))
                .isEqualTo("{\"command\":\"x\",\"args\":[]}");
        assertThat(ours(ClientFile.GEMINI, "{\"command\": \"x\", \"timeout\": \"soon\"}"))
                .isEqualTo("{\"command\":\"x\",\"args\":[]}");
    }

    @Test
    void the_home_of_an_editors_user_is_that_of_the_gateways() {
        assertThat(ours(ClientFile.CURSOR, "{\"command\": \"${userHome}/x\", \"args\": [\"${userHome}\"]}"))
                .isEqualTo("{\"command\":\"${HOME}/x\",\"args\":[\"${HOME}\"]}");
    }
}
