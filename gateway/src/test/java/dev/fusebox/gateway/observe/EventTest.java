package dev.fusebox.gateway.observe;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.Breakers;
import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.breaker.Permit;
import dev.fusebox.client.resilience.PlatformSurroundings;
import dev.fusebox.gateway.lifecycle.LifecycleEvent;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The public names and payloads of all events, on which users rely.
@Timeout(60)
class EventTest {
    private static String told(Event event) {
        JsonWriter json = new JsonWriter().beginObject();
        event.describe(json);
        return event.type() + " " + json.endObject();
    }

    private static String told(LifecycleEvent event) {
        return told(new ServerLifecycleEvent("jira", event));
    }

    @Test
    void lifecycle_events_have_their_public_names() {
        assertThat(told(new LifecycleEvent.StatusChanged(
                        ServerStatus.ONLINE, ServerStatus.PERMANENTLY_FAILED, "too often")))
                .isEqualTo("mcp.server.status_changed {\"previousStatus\":\"online\","
                        + "\"status\":\"permanently_failed\",\"statusMessage\":\"too often\"}");
        assertThat(told(new LifecycleEvent.Crashed(7L, null, "SIGKILL", Duration.ofSeconds(2), 1, true)))
                .isEqualTo("mcp.server.crashed {\"processId\":7,\"exitCode\":null,\"signal\":\"SIGKILL\","
                        + "\"uptimeMs\":2000,\"crashCount\":1,\"willRestart\":true}");
        assertThat(told(new LifecycleEvent.Crashed(null, 3, null, Duration.ZERO, 2, false)))
                .isEqualTo("mcp.server.crashed {\"processId\":null,\"exitCode\":3,\"signal\":null,"
                        + "\"uptimeMs\":0,\"crashCount\":2,\"willRestart\":false}");
        assertThat(told(new LifecycleEvent.Restarted(7L, 8L, "it ended", 2)))
                .isEqualTo("mcp.server.restarted {\"oldProcessId\":7,\"processId\":8,\"reason\":\"it ended\","
                        + "\"attempt\":2}");
        assertThat(told(new LifecycleEvent.GivenUp(8L, 3, "too often")))
                .isEqualTo("mcp.server.permanently_failed {\"processId\":8,\"crashCount\":3,"
                        + "\"message\":\"too often\"}");
        assertThat(told(new LifecycleEvent.Recovered("poll", Duration.ofSeconds(3))))
                .isEqualTo("mcp.server.recovered {\"by\":\"poll\",\"downMs\":3000}");
    }

    @Test
    void tool_list_events_have_their_public_names() {
        assertThat(told(new LifecycleEvent.ToolsDiscovered(12, 3_400)))
                .isEqualTo("mcp.tools.discovered {\"toolCount\":12,\"tokens\":3400}");
        assertThat(told(new LifecycleEvent.ToolsUpdated(List.of("a"), List.of("b", "c"), List.of())))
                .isEqualTo("mcp.tools.updated {\"added\":[\"a\"],\"removed\":[\"b\",\"c\"],\"changed\":[]}");
    }

    @Test
    void call_and_configuration_events_have_their_public_names() {
        assertThat(told(new ToolExecuted("jira", "search", 7, null)))
                .isEqualTo("mcp.tool.executed {\"tool\":\"search\",\"durationMs\":7,\"success\":true}");
        assertThat(told(new ToolExecuted("jira", null, 7, "offline")))
                .isEqualTo("mcp.tool.executed {\"tool\":null,\"durationMs\":7,\"success\":false,"
                        + "\"category\":\"offline\"}");
        assertThat(told(new ConfigEvent.Applied(List.of("a"), List.of("b"), List.of("c"), List.of("expose"), "all")))
                .isEqualTo("config.applied {\"added\":[\"a\"],\"changed\":[\"b\"],\"removed\":[\"c\"],"
                        + "\"nextStart\":[\"expose\"]}");
        assertThat(told(new ConfigEvent.Rejected(List.of("a comma is missing"))))
                .isEqualTo("config.rejected {\"problems\":[\"a comma is missing\"]}");
    }

    @Test
    void breaker_events_have_their_public_names() {
        ManualTime time = new ManualTime();
        Breakers breakers = Breakers.settings()
                .surroundings(PlatformSurroundings.of(time.platform()))
                .build();
        EventLog eventLog = new EventLog(time.platform().wallClock());
        List<String> heard = new CopyOnWriteArrayList<>();
        eventLog.listen(event -> true, each -> heard.add(told(each.event())));
        BreakerEvents.forward(breakers, eventLog);
        CircuitBreaker breaker = breakers.breaker("jira");
        while (breaker.tryAcquire() instanceof Permit permit) {
            permit.failed("offline");
        }
        time.advance(Duration.ofHours(1));
        if (breaker.tryAcquire() instanceof Permit probe) {
            probe.succeeded();
        }
        eventually("four events have arrived", () -> assertThat(heard).hasSize(4));
        assertThat(heard.get(0))
                .startsWith("circuit.state_change {\"from\":\"closed\",\"to\":\"open\",\"reason\":\"")
                .containsPattern("\"failureCount\":5,\"failureRate\":1(\\.0)?,\"totalCalls\":5,\"retryAt\":\"");
        assertThat(heard.get(1)).contains("\"from\":\"open\",\"to\":\"half-open\"");
        assertThat(heard.get(2)).isEqualTo("circuit.half_open_test {\"call\":1,\"maxCalls\":1}");
        assertThat(heard.get(3)).contains("\"from\":\"half-open\",\"to\":\"closed\"");
    }
}
