package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.State;
import dev.fusebox.client.resilience.RetrySafety;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.upstream.ServerPolicy;
import dev.fusebox.protocol.JsonView;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What is sent to a process a second time, and what is not: its journal has every execution.
@Tag("process")
@Timeout(120)
class ReplayTest {
    private static final String LOST = "server_crashed stdio-exit unknown";

    /// Each process dies of its second call, which it has executed.
    private static final String DIES = "crash-before=3@2";

    @TempDir
    private Path folder = Path.of("");

    private GatewayHarness gateway(
            RetrySafety retrySafety, Map<String, RetrySafety> ofTools, UnaryOperator<TestServer> shape) {
        TestServer testServer = TestServer.of(
                        "one", SingleServerHarness.noting(folder.resolve("journal"), Era.LEGACY, DIES))
                .policy(old -> new ServerPolicy(
                        old.timeout(), old.filter(), old.toolRenaming(), retrySafety, ofTools, null, Long.MAX_VALUE));
        return GatewayHarness.plan().server(shape.apply(testServer)).open();
    }

    private GatewayHarness gateway(RetrySafety retrySafety, Map<String, RetrySafety> ofTools) {
        return gateway(retrySafety, ofTools, testServer -> testServer);
    }

    private static GatewayClient greeted(GatewayHarness gateway) {
        GatewayClient client = GatewayClient.of(gateway);
        client.eventuallySees("one__echo", "one__fail");
        assertThat(Messages.said(client.call("one__env", "{}"))).isNotEmpty();
        return client;
    }

    private List<String> executions(String tool) throws Exception {
        return Files.readAllLines(folder.resolve("journal")).stream()
                .filter(line -> line.endsWith(" " + tool))
                .toList();
    }

    private static boolean isAnswered(JsonView answer) {
        return answer.path("result", "_meta", "fusebox/error") == null;
    }

    @Test
    void a_tool_that_only_reads_is_tried_again_once_on_a_fresh_process() throws Exception {
        try (GatewayHarness gateway = gateway(RetrySafety.SAFE, Map.of())) {
            GatewayClient client = greeted(gateway);
            assertThat(Messages.said(client.call("one__echo", "{\"text\":\"kept\"}")))
                    .isEqualTo("kept");
            List<String> runs = executions("echo");
            assertThat(runs).hasSize(2);
            assertThat(runs.get(0).split(" ", -1)[1]).isNotEqualTo(runs.get(1).split(" ", -1)[1]);
        }
    }

    @Test
    void tool_without_annotations_is_not_retried_and_its_outcome_is_unknown() throws Exception {
        try (GatewayHarness gateway = gateway(RetrySafety.SAFE, Map.of())) {
            GatewayClient client = greeted(gateway);
            assertThat(Messages.kind(client.call("one__fail", "{}"))).isEqualTo(LOST);
            assertThat(executions("fail")).hasSize(1);
            assertThat(isAnswered(client.call("one__fail", "{}"))).isTrue();
        }
    }

    @Test
    void never_is_never_even_for_a_tool_that_only_reads() throws Exception {
        try (GatewayHarness gateway = gateway(RetrySafety.NEVER, Map.of())) {
            assertThat(Messages.kind(greeted(gateway).call("one__echo", "{}"))).isEqualTo(LOST);
            assertThat(executions("echo")).hasSize(1);
        }
    }

    @Test
    void always_is_once_more_for_a_server_that_has_held_so_far_and_no_more_after_that() throws Exception {
        try (GatewayHarness gateway = gateway(RetrySafety.ALWAYS, Map.of())) {
            GatewayClient client = greeted(gateway);
            assertThat(isAnswered(client.call("one__fail", "{}"))).isTrue();
            assertThat(executions("fail")).hasSize(2);
            assertThat(Messages.kind(client.call("one__fail", "{}"))).isEqualTo(LOST);
            assertThat(executions("fail")).hasSize(3);
        }
    }

    @Test
    void a_vital_server_gets_another_attempt_every_time() throws Exception {
        try (GatewayHarness gateway = gateway(
                RetrySafety.ALWAYS,
                Map.of(),
                testServer -> testServer
                        .crashing()
                        .pipeline(pipeline -> pipeline.with(pipeline.retry().forVital(true))))) {
            GatewayClient client = greeted(gateway);
            // A tool that crashes its server with half of five calls is refused.
            for (int calls = 1; calls <= 2; calls++) {
                assertThat(isAnswered(client.call("one__fail", "{}"))).isTrue();
                assertThat(executions("fail")).hasSize(2 * calls);
            }
        }
    }

    @Test
    void setting_of_a_tool_overrides_that_of_its_server() throws Exception {
        try (GatewayHarness gateway = gateway(RetrySafety.ALWAYS, Map.of("echo", RetrySafety.NEVER))) {
            assertThat(Messages.kind(greeted(gateway).call("one__echo", "{}"))).isEqualTo(LOST);
            assertThat(executions("echo")).hasSize(1);
        }
    }

    @Test
    void setting_of_a_tool_overrides_its_annotations() throws Exception {
        try (GatewayHarness gateway = gateway(RetrySafety.SAFE, Map.of("fail", RetrySafety.ALWAYS))) {
            assertThat(isAnswered(greeted(gateway).call("one__fail", "{}"))).isTrue();
            assertThat(executions("fail")).hasSize(2);
        }
    }

    @Test
    void wrong_arguments_are_executed_nowhere() throws Exception {
        try (GatewayHarness gateway = gateway(RetrySafety.ALWAYS, Map.of())) {
            GatewayClient client = greeted(gateway);
            for (int i = 0; i < 6; i++) {
                JsonView refused = client.call("one__add", "{\"a\":\"four\"}");
                assertThat(Messages.kind(refused)).isEqualTo("invalid_arguments policy not_sent");
                assertThat(Messages.said(refused)).contains("/a", "\"required\":[\"a\",\"b\"]");
            }
            assertThat(executions("add")).isEmpty();
            assertThat(gateway.state("one")).isEqualTo(State.CLOSED);
        }
    }

    @Test
    void a_call_that_timed_out_has_no_time_left_for_another_attempt() throws Exception {
        try (GatewayHarness gateway =
                gateway(RetrySafety.ALWAYS, Map.of(), testServer -> testServer.within(Duration.ofSeconds(3)))) {
            GatewayClient client = greeted(gateway);
            // One that a busy machine did not get to send in its time was executed nowhere.
            eventually(
                    "a call that was sent times out",
                    () -> assertThat(Messages.kind(client.call("one__slow", "{\"ms\":600000}")))
                            .isEqualTo("timeout offline unknown"));
            assertThat(executions("slow")).hasSize(1);
        }
    }
}
