package dev.fusebox.cli;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The effect of the settings in `discovery`, as a client observes it, and the token cost of the gateway's own
/// tools. [SemanticKeyTest] has `discovery.semantic`.
@Tag("process")
@Timeout(120)
class DiscoveryKeysTest {
    static Configured gateway(String discovery) {
        return Configured.of(
                Configured.process(ServerScript.faultless()), ",\"expose\":\"meta\",\"discovery\":{" + discovery + "}");
    }

    static JsonView discover(Configured gateway, String arguments) {
        String members = ",\"name\":\"mcp_discover\",\"arguments\":" + arguments;
        JsonView answer = gateway.ask("tools/call", members, "Mcp-Name", "mcp_discover");
        return Objects.requireNonNull(answer.path("result", "structuredContent"), answer::json);
    }

    private static List<JsonView> found(JsonView answer) {
        return Objects.requireNonNull(answer.member("tools")).elements();
    }

    /// Waits until the server has said what it has.
    static void listed(Configured gateway) {
        eventually(
                "the tools of server one are found",
                () -> assertThat(found(discover(gateway, "{\"server\":\"one\"}")))
                        .isNotEmpty());
    }

    @Test
    @Shows("discovery.limit")
    void limit_is_default_of_search_results() {
        try (Configured gateway = gateway("\"semantic\":\"off\",\"limit\":2")) {
            listed(gateway);
            String query = "\"query\":\"echo text add numbers slow fail\"";
            assertThat(found(discover(gateway, "{" + query + "}"))).hasSize(2);
            assertThat(found(discover(gateway, "{" + query + ",\"limit\":3}"))).hasSize(3);
            assertThat(definitions(gateway).getFirst()).contains("\"default\":2");
        }
    }

    @Test
    @Shows("discovery.firstListWaitMs")
    void first_list_wait_limits_first_discover() {
        try (Configured hasty = silent(1);
                Configured patient = silent(4_000)) {
            Duration whole = spent(patient);
            assertThat(whole).isGreaterThanOrEqualTo(Duration.ofMillis(3_900));
            assertThat(spent(hasty)).isLessThan(whole);
        }
    }

    private static Configured silent(long firstListWait) {
        return Configured.of(
                "\"command\":\"sleep\",\"args\":[\"1000\"]",
                ",\"expose\":\"meta\",\"discovery\":{\"semantic\":\"off\",\"firstListWaitMs\":" + firstListWait + "}");
    }

    private static Duration spent(Configured gateway) {
        Platform platform = Platform.system();
        long begun = platform.ticker().nanos();
        discover(gateway, "{}");
        return Duration.ofNanos(platform.ticker().nanos() - begun);
    }

    private static List<String> definitions(Configured gateway) {
        return Objects.requireNonNull(gateway.ask("tools/list", "").path("result", "tools")).elements().stream()
                .map(JsonView::json)
                .toList();
    }

    @Test
    void definitions_of_gateway_tools_cost_less_than_nine_hundred_tokens() {
        Encoding encoding = Encodings.newDefaultEncodingRegistry().getEncoding(EncodingType.O200K_BASE);
        String worker = System.getProperty("java.class.path", "")
                + File.pathSeparator
                + System.getProperty("jdk.module.path", "");
        System.setProperty(WorkerLauncher.PLACE, worker);
        try (Configured gateway = gateway("")) {
            assertThat(gateway.tools()).contains("mcp_discover", "mcp_call", "mcp_execute", "mcp_provision");
            JsonWriter all = new JsonWriter().beginArray();
            definitions(gateway).forEach(all::raw);
            int tokens = encoding.countTokens(all.endArray().toString());
            assertThat(tokens).isLessThanOrEqualTo(900);
        } finally {
            System.clearProperty(WorkerLauncher.PLACE);
        }
    }
}
