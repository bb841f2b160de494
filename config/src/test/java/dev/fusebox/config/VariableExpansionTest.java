package dev.fusebox.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.protocol.JsonWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Variables in texts of a configuration.
class VariableExpansionTest {
    private static final Map<String, String> VARIABLES = Map.of("A", "1", "EMPTY", "", "TRICKY", "$0 \\ ${A} \" }");

    private static ServerConfig server(String argument) {
        String text = "{\"mcpServers\":{\"one\":{\"command\":\"c\",\"args\":[" + JsonWriter.quoted(argument) + "]}}}";
        return Reads.usable(Reads.read(text.getBytes(UTF_8), VARIABLES))
                .servers()
                .getFirst();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "${A},1",
                "${env:A},1",
                "x${A}y${A}z,x1y1z",
                "${A:-other},1",
                "${B:-other},other",
                "${env:B:-other},other",
                "${EMPTY:-other},other",
                "<${EMPTY}>,<>",
                "<${B:-}>,<>",
                "${B:-a:-b},a:-b",
                "$A,$A",
                "$,$",
                "{A},{A}",
                "$${A},${A}",
                "$$${A},$${A}",
                "${TRICKY},$0 \\ ${A} \" }",
                "${line#*x},${line#*x}",
                "${},${}",
                "${,${",
                "${1A},${1A}",
                "${A B},${A B}"
            })
    void variables_are_put_in_and_everything_else_stays(String written, String expanded) {
        assertThat(server(written).state()).isInstanceOfSatisfying(ServerState.Ready.class, ready -> {
            ServerEndpoint.Stdio process = (ServerEndpoint.Stdio) ready.endpoint();
            assertThat(process.command()).isEqualTo("c");
            assertThat(process.args()).containsExactly(expanded);
        });
    }

    @Test
    void every_missing_variable_is_named_once_and_in_order() {
        assertThat(server("${Z} ${A} ${env:B} ${Z} ${input:key} ${C:-c}").state())
                .isEqualTo(new ServerState.AwaitingConfig(List.of("Z", "B", "input:key")));
    }

    @Test
    void variables_stand_in_every_text_that_leads_to_a_server() {
        String process = "\"command\":\"${A}\",\"args\":[\"${B}\"],\"env\":{\"X\":\"${C}\"}";
        String remote = "\"url\":\"${D}\",\"headers\":{\"X\":\"${E}\"}";

        assertThat(Reads.server(process).state()).isEqualTo(new ServerState.AwaitingConfig(List.of("A", "B", "C")));
        assertThat(Reads.server(remote).state()).isEqualTo(new ServerState.AwaitingConfig(List.of("D", "E")));
    }

    @Test
    void a_disabled_server_waits_for_nothing() {
        assertThat(Reads.server("\"command\":\"${NOBODY}\",\"disabled\":true").state())
                .isEqualTo(new ServerState.Disabled(new ServerState.AwaitingConfig(List.of("NOBODY"))));
    }
}
