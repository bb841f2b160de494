package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.BreakerSnapshot;
import dev.fusebox.breaker.Preset;
import dev.fusebox.breaker.State;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.routing.ControlledServer.Reply;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.testkit.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A server comes back, with the preset `neurolink`: of ten calls five have failed; a minute later three test
/// calls, to three tools, have to succeed.
@Timeout(120)
class HalfOpenScenarioTest {
    private static final Duration COOLDOWN = Duration.ofSeconds(60);
    private static final Reply FAILED = Reply.of(500);

    private final ManualTime time = new ManualTime();
    private final ControlledServer jira = ControlledServer.of(ControlledServer.DONE);
    private GatewayHarness gateway;
    private GatewayClient agent;

    @BeforeEach
    void open() {
        gateway = GatewayHarness.plan()
                .breakersIn(time)
                .server(TestServer.at("jira", jira.uri())
                        .pipeline(pipeline -> pipeline.with(Preset.NEUROLINK.policy())))
                .open();
        agent = GatewayClient.of(gateway);
        agent.eventuallySees("jira__work");
    }

    @AfterEach
    void close() {
        gateway.close();
        jira.close();
    }

    private State state() {
        return gateway.state("jira");
    }

    private BreakerSnapshot breaker() {
        return gateway.breaker(BreakerName.of("jira"));
    }

    private boolean isDone(String tool) {
        return Messages.at(agent.call(tool, "{}"), "result").path("_meta", "fusebox/error") == null;
    }

    private void trip() {
        jira.answer(ControlledServer.DONE);
        for (int i = 0; i < 5; i++) {
            assertThat(isDone("jira__work")).isTrue();
        }
        jira.answer(FAILED);
        for (int i = 1; i <= 5; i++) {
            assertThat(state()).as("before failure %d", i).isEqualTo(State.CLOSED);
            assertThat(agent.failure("jira__work")).isEqualTo("http_error http rejected");
        }
        assertThat(state()).isEqualTo(State.OPEN);
    }

    @Test
    void three_successes_of_three_tools_close_it_and_no_fewer() {
        trip();
        jira.answer(ControlledServer.DONE);
        int calls = jira.calls();
        assertThat(agent.failure("jira__work")).isEqualTo("breaker_open http not_sent");
        time.advance(COOLDOWN.minusMillis(1));
        assertThat(agent.failure("jira__look")).isEqualTo("breaker_open http not_sent");
        assertThat(jira.calls()).isEqualTo(calls);

        time.advance(Duration.ofMillis(1));
        assertThat(breaker().probeDue()).isTrue();
        assertThat(isDone("jira__work")).isTrue();
        assertThat(state()).isEqualTo(State.HALF_OPEN);
        assertThat(isDone("jira__look")).isTrue();
        assertThat(state()).isEqualTo(State.HALF_OPEN);
        assertThat(isDone("jira__think")).isTrue();
        assertThat(state()).isEqualTo(State.CLOSED);
        assertThat(jira.calls()).isEqualTo(calls + 3);
    }

    @Test
    void one_test_call_that_fails_opens_it_again_for_a_whole_minute() {
        trip();
        time.advance(COOLDOWN);
        jira.answer(ControlledServer.DONE);
        assertThat(isDone("jira__work")).isTrue();
        assertThat(isDone("jira__look")).isTrue();
        jira.answer(FAILED);
        assertThat(agent.failure("jira__think")).isEqualTo("http_error http rejected");
        assertThat(state()).isEqualTo(State.OPEN);
        assertThat(breaker().cooldown()).isEqualTo(COOLDOWN);

        int calls = jira.calls();
        JsonView refused = agent.call("jira__work", "{}");
        assertThat(Messages.kind(refused)).isEqualTo("breaker_open http not_sent");
        assertThat(Messages.at(refused, "result", "_meta", "fusebox/error", "retryAfterMs")
                        .json())
                .isEqualTo("60000");
        time.advance(COOLDOWN.minusMillis(1));
        assertThat(agent.failure("jira__think")).isEqualTo("breaker_open http not_sent");
        assertThat(jira.calls()).isEqualTo(calls);

        // The successes of before do not count any more.
        jira.answer(ControlledServer.DONE);
        time.advance(Duration.ofMillis(1));
        assertThat(isDone("jira__think")).isTrue();
        assertThat(isDone("jira__think")).isTrue();
        assertThat(state()).isEqualTo(State.HALF_OPEN);
        assertThat(isDone("jira__think")).isTrue();
        assertThat(state()).isEqualTo(State.CLOSED);
    }

    @Test
    void while_three_test_calls_are_under_way_a_fourth_is_refused_and_they_go_on() throws Exception {
        trip();
        time.advance(COOLDOWN);
        try (ControlledServer.Held held = jira.hold(ControlledServer.DONE)) {
            Thread[] probes = new Thread[3];
            for (int i = 0; i < probes.length; i++) {
                GatewayClient other = GatewayClient.of(gateway);
                probes[i] = Thread.ofVirtual().start(() -> other.call("jira__work", "{}"));
            }
            eventually("three calls are held", () -> assertThat(held.waiting()).isEqualTo(3));
            assertThat(breaker().testsUnderWay()).isEqualTo(3);
            JsonView refused = agent.call("jira__look", "{}");
            assertThat(Messages.kind(refused)).isEqualTo("breaker_open http not_sent");
            assertThat(Messages.text(refused, "result", "_meta", "fusebox/error", "breaker", "state"))
                    .isEqualTo("half-open");
            held.let();
            for (Thread probe : probes) {
                assertThat(probe.join(SingleServerHarness.SOON)).isTrue();
            }
        }
        assertThat(state()).isEqualTo(State.CLOSED);
    }

    @Test
    void a_failure_right_after_recovery_does_not_open_it_again() {
        trip();
        time.advance(COOLDOWN);
        jira.answer(ControlledServer.DONE);
        for (int i = 0; i < 3; i++) {
            assertThat(isDone("jira__work")).isTrue();
        }
        jira.answer(FAILED);
        for (int i = 0; i < 4; i++) {
            agent.call("jira__work", "{}");
        }
        assertThat(state()).isEqualTo(State.CLOSED);
    }
}
