package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.ConnectionSharing;
import dev.fusebox.config.IdlePolicy;
import dev.fusebox.config.Isolation;
import dev.fusebox.config.PoolRules;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.gateway.era.HttpWire;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.PipedClient;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.era.Wire;
import dev.fusebox.gateway.lifecycle.LifecycleEvent;
import dev.fusebox.protocol.JsonView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Processes that belong to one session, when others want their places.
@Tag("process")
@Timeout(120)
class OwnProcessTest {
    private static final ConnectionSharing APART = new ConnectionSharing(Isolation.SESSION, 1);

    private static GatewayHarness.Plan one(Era era, int places) {
        return GatewayHarness.plan()
                .server("one", SingleServerHarness.script(era))
                .connectionSharing("one", APART)
                .pool(PoolRules.USUAL.withSize(places));
    }

    /// Calls wait for a moment only.
    private static PoolRules impatient(int places) {
        PoolRules usual = PoolRules.USUAL;
        PoolRules.Waiting waiting = new PoolRules.Waiting(10, Duration.ofMillis(200));
        return new PoolRules(places, usual.reserve(), usual.idleRules(), waiting);
    }

    private static HttpWire session(GatewayHarness gateway) {
        HttpWire client = gateway.client();
        client.hello(Messages.PLAIN);
        return client;
    }

    private static String said(Wire client, int id, String tool, String arguments) {
        return Messages.said(client.answer(Messages.sessionCall(id, tool, arguments)));
    }

    @ParameterizedTest
    @EnumSource(names = {"LEGACY", "MODERN"})
    void session_without_room_is_refused_at_its_first_call_and_others_keep_their_processes(Era era) {
        try (GatewayHarness gateway = one(era, 2).open();
                HttpWire ada = session(gateway);
                HttpWire ben = session(gateway);
                HttpWire eve = session(gateway)) {
            said(ada, 1, "one__echo", "{}");
            said(ben, 1, "one__echo", "{}");
            List<Long> processes = gateway.processes();
            JsonView error = Messages.at(
                    eve.answer(Messages.sessionCall(1, "one__echo", "{}")), "result", "_meta", "fusebox/error");
            assertThat(error.string("code")).isEqualTo("overloaded");
            assertThat(error.string("outcome")).isEqualTo("not_sent");
            assertThat(error.string("message")).contains("all 2 connections (pool.poolSize)");
            assertThat(gateway.processes()).isEqualTo(processes);
            assertThat(said(ada, 2, "one__count", "{\"tool\":\"echo\"}")).isEqualTo("1");
            assertThat(said(ben, 2, "one__count", "{\"tool\":\"echo\"}")).isEqualTo("1");
            ada.leave();
            eventually(
                    "there is room for the third session",
                    () -> said(eve, 2, "one__echo", "{\"text\":\"room\"}").equals("room"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LEGACY", "MODERN"})
    void sessions_of_one_server_leave_half_of_the_places_to_the_sessions_of_another(Era era) {
        GatewayHarness.Plan plan =
                one(era, 4).server("two", SingleServerHarness.script(era)).connectionSharing("two", APART);
        List<HttpWire> sessions = new ArrayList<>();
        try (GatewayHarness gateway = plan.open()) {
            gateway.pool().share(2);
            for (int i = 0; i < 5; i++) {
                sessions.add(session(gateway));
            }
            said(sessions.get(0), 1, "one__echo", "{}");
            said(sessions.get(1), 1, "one__echo", "{}");
            JsonView refused = sessions.get(2).answer(Messages.sessionCall(1, "one__echo", "{}"));
            JsonView error = Messages.at(refused, "result", "_meta", "fusebox/error");
            assertThat(error.string("code")).isEqualTo("overloaded");
            assertThat(error.string("outcome")).isEqualTo("not_sent");
            assertThat(error.string("message"))
                    .contains("its sessions have 2 of 4 connections (pool.poolSize)")
                    .contains("at most half");

            assertThat(said(sessions.get(3), 1, "two__echo", "{\"text\":\"here\"}"))
                    .isEqualTo("here");
            assertThat(said(sessions.get(4), 1, "two__echo", "{\"text\":\"here\"}"))
                    .isEqualTo("here");
            assertThat(said(sessions.get(0), 2, "one__count", "{\"tool\":\"echo\"}"))
                    .isEqualTo("1");
        } finally {
            sessions.forEach(HttpWire::close);
        }
    }

    /// @param steps of which each is a reload, after which these servers are there
    private static void assertIsToldOnceAfter(Function<GatewayHarness, List<List<ReloadAction>>> steps) {
        try (GatewayHarness gateway = one(Era.LEGACY, 5).open();
                HttpWire ada = session(gateway);
                HttpWire ben = session(gateway)) {
            said(ada, 1, "one__echo", "{}");
            steps.apply(gateway).forEach(step -> gateway.reload(step, Duration.ofSeconds(30)));
            JsonView told = Objects.requireNonNull(restarted(ada.answer(Messages.sessionCall(2, "one__echo", "{}"))));
            assertThat(told.string("reason")).isEqualTo("reconfigured");
            assertThat(told.string("message")).contains("the process of one has ended");
            assertThat(restarted(ada.answer(Messages.sessionCall(3, "one__echo", "{}"))))
                    .isNull();
            assertThat(restarted(ben.answer(Messages.sessionCall(2, "one__echo", "{}"))))
                    .as("it had not used the server")
                    .isNull();
        }
    }

    private static ReloadAction anew(GatewayHarness gateway) {
        return gateway.added(TestServer.of("one", SingleServerHarness.script(Era.LEGACY)), APART);
    }

    @Test
    void session_is_told_once_that_its_process_was_replaced_because_the_server_was_changed() {
        assertIsToldOnceAfter(gateway -> List.of(List.of(anew(gateway))));
    }

    @Test
    void session_is_told_once_that_its_process_was_replaced_because_the_server_was_disabled_for_a_time() {
        assertIsToldOnceAfter(gateway -> List.of(List.of(), List.of(anew(gateway))));
    }

    @Test
    void session_is_told_once_that_it_has_no_process_of_its_own_any_more() {
        assertIsToldOnceAfter(gateway -> {
            TestServer one = TestServer.of("one", SingleServerHarness.script(Era.LEGACY));
            return List.of(List.of(gateway.added(one, ConnectionSharing.ONE)));
        });
    }

    private static @Nullable JsonView restarted(JsonView answer) {
        return answer.path("result", "_meta", "fusebox/restarted");
    }

    @ParameterizedTest
    @EnumSource(names = {"LEGACY", "MODERN"})
    void next_call_after_a_session_process_crashed_reports_lost_state_once(Era era) {
        List<LifecycleEvent> events = new CopyOnWriteArrayList<>();
        GatewayHarness.Plan plan = one(era, 5).lifecycleListener((server, event) -> events.add(event));
        try (GatewayHarness gateway = plan.open();
                HttpWire ada = session(gateway);
                HttpWire ben = session(gateway)) {
            said(ben, 1, "one__echo", "{}");
            assertThat(restarted(ada.answer(Messages.sessionCall(1, "one__echo", "{}"))))
                    .isNull();
            ada.answer(Messages.sessionCall(2, "one__crash", "{}"));
            JsonView told = Objects.requireNonNull(restarted(ada.answer(Messages.sessionCall(3, "one__echo", "{}"))));
            assertThat(told.string("server")).isEqualTo("one");
            assertThat(told.string("reason")).isEqualTo("crashed");
            assertThat(restarted(ada.answer(Messages.sessionCall(4, "one__echo", "{}"))))
                    .isNull();
            assertThat(restarted(ben.answer(Messages.sessionCall(2, "one__echo", "{}"))))
                    .isNull();
            assertThat(events.stream().filter(LifecycleEvent.StateLost.class::isInstance))
                    .hasSize(1);
        }
    }

    /// The idle timeout is longer than the second that may pass between two readings of the lists: a reading that is
    /// due
    /// when the process ends would start another.
    @ParameterizedTest
    @EnumSource(names = {"LEGACY", "MODERN"})
    void next_call_after_the_idle_timeout_of_the_only_client_reports_lost_state_once(Era era) {
        GatewayHarness.Plan plan = one(era, 5).idlePolicy("one", new IdlePolicy.Usual(Duration.ofSeconds(3)));
        try (GatewayHarness gateway = plan.open();
                PipedClient only = gateway.onlyClient()) {
            only.wire().hello(Messages.PLAIN);
            eventually("the lists are read", () -> gateway.server("one").isAtRest());
            said(only.wire(), 1, "one__echo", "{}");
            eventually(
                    "the process has ended",
                    () -> assertThat(gateway.processes()).isEmpty());
            JsonView told =
                    Objects.requireNonNull(restarted(only.wire().answer(Messages.sessionCall(2, "one__echo", "{}"))));
            assertThat(told.string("reason")).isEqualTo("idle");
        }
    }

    @Test
    void shared_process_that_crashed_is_no_sessions_state() {
        try (GatewayHarness gateway = GatewayHarness.plan()
                        .server("one", SingleServerHarness.script(Era.LEGACY))
                        .open();
                HttpWire ada = session(gateway)) {
            said(ada, 1, "one__echo", "{}");
            ada.answer(Messages.sessionCall(2, "one__crash", "{}"));
            assertThat(restarted(ada.answer(Messages.sessionCall(3, "one__echo", "{}"))))
                    .isNull();
        }
    }

    @Test
    void end_of_an_ephemeral_session_process_is_not_reported() {
        GatewayHarness.Plan plan = one(Era.LEGACY, 5).idlePolicy("one", new IdlePolicy.Ephemeral(Duration.ZERO));
        try (GatewayHarness gateway = plan.open();
                HttpWire ada = session(gateway)) {
            said(ada, 1, "one__echo", "{}");
            eventually("the process has ended", () -> gateway.processes().isEmpty());
            assertThat(restarted(ada.answer(Messages.sessionCall(2, "one__echo", "{}"))))
                    .isNull();
        }
    }

    @Test
    void other_server_does_not_take_the_process_of_a_session() {
        GatewayHarness.Plan plan = one(Era.LEGACY, 1).server("two", SingleServerHarness.script(Era.LEGACY));
        try (GatewayHarness gateway = plan.pool(impatient(1)).open();
                HttpWire ada = session(gateway)) {
            said(ada, 1, "one__echo", "{}");
            JsonView refused = ada.answer(Messages.sessionCall(2, "two__echo", "{}"));
            assertThat(Messages.at(refused, "result", "_meta", "fusebox/error").string("code"))
                    .isEqualTo("overloaded");
            assertThat(said(ada, 3, "one__count", "{\"tool\":\"echo\"}")).isEqualTo("1");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LEGACY", "MODERN"})
    void only_client_has_its_servers_listed_though_they_are_more_than_there_are_places(Era era) {
        GatewayHarness.Plan plan = GatewayHarness.plan().pool(PoolRules.USUAL.withSize(2));
        for (String name : List.of("a", "b", "c")) {
            plan.server(name, SingleServerHarness.script(era)).connectionSharing(name, APART);
        }
        try (GatewayHarness gateway = plan.open();
                PipedClient only = gateway.onlyClient()) {
            only.wire().hello(Messages.PLAIN);
            eventually("all servers are listed", () -> {
                String tools = only.wire()
                        .answer(Messages.request(1, "tools/list", "{}"))
                        .json();
                return tools.contains("a__echo") && tools.contains("b__echo") && tools.contains("c__echo");
            });
            assertThat(said(only.wire(), 2, "a__echo", "{\"text\":\"here\"}")).isEqualTo("here");
            assertThat(gateway.server("a").isKnown()).isTrue();
        }
    }
}
