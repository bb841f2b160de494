package dev.fusebox.gateway.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerEvent;
import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.State;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.routing.ControlledServer.Reply;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which answers of a server count against it, and which do not: by what they are, never by what they say.
@Tag("process")
@Timeout(120)
class BlameTest {
    private static final Reply BROKEN = Reply.of(500);
    private static final Reply WRONG = Reply.text("401 Unauthorized", true);
    private static final BreakerName SHOP = BreakerName.of("shop");

    private final ControlledServer controlledServer = ControlledServer.of(ControlledServer.DONE);

    @AfterEach
    void close() {
        controlledServer.close();
    }

    private GatewayHarness gateway() {
        return GatewayHarness.plan()
                .breakersIn(new ManualTime())
                .server(TestServer.at("shop", controlledServer.uri()))
                .open();
    }

    /// What a server offers is read once it is there; from then on it only hears calls.
    private static GatewayClient greeted(GatewayHarness gateway) {
        GatewayClient client = GatewayClient.of(gateway);
        client.eventuallySees("shop__work");
        return client;
    }

    /// What becomes of one call after the other.
    private List<String> calls(GatewayClient client, Reply... replies) {
        return List.of(replies).stream()
                .map(reply -> {
                    controlledServer.answer(reply);
                    JsonView answer = client.call("shop__work", "{}");
                    return answer.path("result", "_meta", "fusebox/error") == null ? "answered" : Messages.kind(answer);
                })
                .toList();
    }

    private static final List<String> TEXTS = List.of(
            "401 Unauthorized",
            "connect ECONNREFUSED 127.0.0.1:80",
            "request timed out",
            "ENOENT: no such file or directory");

    @Test
    void thousand_is_error_results_pass_unchanged_and_trip_no_breaker() {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server("files", SingleServerHarness.script(Era.LEGACY))
                .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            for (int i = 0; i < 1_000; i++) {
                String text = TEXTS.get(i % TEXTS.size());
                JsonView answer = client.call("files__fail", "{\"text\":\"" + text + "\"}");
                assertThat(Messages.said(answer)).isEqualTo(text);
                assertThat(Messages.at(answer, "result", "isError").isTrue()).isTrue();
                assertThat(answer.path("result", "_meta", "fusebox/error")).isNull();
            }
            assertThat(gateway.state("files")).isEqualTo(State.CLOSED);
            assertThat(gateway.breaker(BreakerName.of("files")).failureCount()).isZero();
            assertThat(gateway.breaker(BreakerName.of("files").tool("fail")).failureCount())
                    .isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"200,-32603", "200,-32000", "200,401", "200,500", "400,-32602", "404,-32601"})
    void protocol_errors_count_as_success_of_the_server(int status, int code) {
        try (GatewayHarness gateway = gateway()) {
            GatewayClient client = greeted(gateway);
            controlledServer.answer(Reply.error(status, code, "timed out: ECONNREFUSED"));
            for (int i = 0; i < 10; i++) {
                JsonView answer = client.call("shop__work", "{}");
                assertThat(Messages.at(answer, "error", "code").json()).isEqualTo(Integer.toString(code));
                assertThat(Messages.text(answer, "error", "message")).contains("timed out: ECONNREFUSED");
            }
            assertThat(gateway.state("shop")).isEqualTo(State.CLOSED);
            assertThat(gateway.breaker(SHOP).failureCount()).isZero();
        }
    }

    @Test
    void four_failures_an_answer_and_four_failures_more_leave_it_closed_and_the_next_does_not() {
        try (GatewayHarness gateway = gateway()) {
            GatewayClient client = greeted(gateway);
            assertThat(calls(client, BROKEN, BROKEN, BROKEN, BROKEN, WRONG, BROKEN, BROKEN, BROKEN, BROKEN))
                    .containsOnly("http_error http rejected", "answered");
            assertThat(gateway.state("shop")).isEqualTo(State.CLOSED);
            assertThat(calls(client, BROKEN, BROKEN))
                    .containsExactly("http_error http rejected", "breaker_open http not_sent");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403})
    void auth_failure_is_neither_failure_nor_success(int status) {
        try (GatewayHarness gateway = gateway()) {
            GatewayClient client = greeted(gateway);
            assertThat(calls(client, BROKEN, BROKEN, BROKEN, BROKEN, Reply.of(status)))
                    .contains("auth_required auth rejected");
            assertThat(gateway.state("shop")).isEqualTo(State.CLOSED);
            assertThat(gateway.breaker(SHOP).failureCount()).isEqualTo(4);
        }
    }

    @ParameterizedTest
    @CsvSource({"401,Authentication failed (HTTP 401),1", "403,Access forbidden (HTTP 403),10"})
    void missing_credentials_are_reported_for_every_call(int status, String text, int asked) {
        try (GatewayHarness gateway = gateway()) {
            GatewayClient client = greeted(gateway);
            controlledServer.answer(Reply.of(status));
            for (int i = 0; i < 10; i++) {
                assertThat(Messages.said(client.call("shop__work", "{}"))).contains(text);
            }
            // With these credentials no call can succeed: the next try is five seconds later. What is forbidden
            // may be one tool alone.
            assertThat(controlledServer.calls()).isEqualTo(asked);
            assertThat(gateway.state("shop")).isEqualTo(State.CLOSED);
        }
    }

    @Test
    void results_pass_unredacted() {
        try (GatewayHarness gateway = gateway()) {
            String result = "{\"resultType\":\"complete\",\"content\":[],\"structuredContent\":{\"token\":\"page-2\","
                    + "\"password\":\"hunter2\",\"Authorization\":\"Bearer abc\"},\"_meta\":{\"other/kept\":[1,2.50]}}";
            controlledServer.answer(Reply.result(result));
            assertThat(Messages.at(greeted(gateway).call("shop__work", "{}"), "result")
                            .json())
                    .isEqualTo(result);
        }
    }

    @Test
    void a_listener_that_throws_changes_neither_results_nor_states() {
        try (GatewayHarness gateway = gateway()) {
            gateway.breakers().on(BreakerEvent.class, event -> {
                throw new IllegalStateException("a listener of the test");
            });
            GatewayClient client = greeted(gateway);
            assertThat(calls(client, ControlledServer.DONE, BROKEN, BROKEN, BROKEN, BROKEN, BROKEN, BROKEN))
                    .startsWith("answered")
                    .endsWith("breaker_open http not_sent");
            assertThat(gateway.breaker(SHOP).failureCount()).isEqualTo(5);
        }
    }

    @Test
    void refusals_are_no_failures_and_do_not_make_an_outage_longer() {
        ManualTime time = new ManualTime();
        try (GatewayHarness gateway = GatewayHarness.plan()
                .breakersIn(time)
                .server(TestServer.at("shop", controlledServer.uri()))
                .open()) {
            GatewayClient client = greeted(gateway);
            calls(client, BROKEN, BROKEN, BROKEN, BROKEN, BROKEN);
            assertThat(gateway.state("shop")).isEqualTo(State.OPEN);
            for (int second = 0; second < 30; second++) {
                assertThat(calls(client, ControlledServer.DONE)).containsExactly("breaker_open http not_sent");
                time.advance(Duration.ofSeconds(1));
            }
            assertThat(controlledServer.calls()).isEqualTo(5);
            assertThat(calls(client, ControlledServer.DONE)).containsExactly("answered");
            assertThat(gateway.state("shop")).isEqualTo(State.CLOSED);
            assertThat(gateway.breaker(SHOP).totals().refusals()).isEqualTo(30);
        }
    }
}
