package dev.fusebox.gateway.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.gateway.pool.PoolRules;
import dev.fusebox.gateway.served.Isolation;
import dev.fusebox.gateway.served.Sharing;
import dev.fusebox.gateway.stateless.Gate;
import dev.fusebox.gateway.stateless.HttpWire;
import dev.fusebox.gateway.stateless.PipedClient;
import dev.fusebox.gateway.stateless.Wire;
import dev.fusebox.gateway.stateless.Words;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.testkit.server.Era;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Processes that belong to one session, when others want their places.
@Timeout(120)
class OwnProcessTest {
    private static final Sharing APART = new Sharing(Isolation.SESSION, 1);

    private static Street.Plan one(Era era, int places) {
        return Street.plan()
                .server("one", Gate.script(era))
                .shares("one", APART)
                .pool(PoolRules.USUAL.withSize(places));
    }

    /// Nobody waits for long.
    private static PoolRules impatient(int places) {
        PoolRules usual = PoolRules.USUAL;
        PoolRules.Waiting waiting = new PoolRules.Waiting(10, Duration.ofMillis(200));
        return new PoolRules(places, usual.reserve(), usual.keeping(), waiting);
    }

    private static HttpWire session(Street street) {
        HttpWire client = street.client();
        client.hello(Words.PLAIN);
        return client;
    }

    private static String said(Wire client, int id, String tool, String arguments) {
        return Words.said(client.answer(Words.sessionCall(id, tool, arguments)));
    }

    @ParameterizedTest
    @EnumSource(names = {"LEGACY", "MODERN"})
    void session_without_room_is_refused_at_its_first_call_and_others_keep_their_processes(Era era) {
        try (Street street = one(era, 2).open();
                HttpWire ada = session(street);
                HttpWire ben = session(street);
                HttpWire eve = session(street)) {
            said(ada, 1, "one__echo", "{}");
            said(ben, 1, "one__echo", "{}");
            List<Long> processes = street.processes();
            JsonView error =
                    Words.at(eve.answer(Words.sessionCall(1, "one__echo", "{}")), "result", "_meta", "fusebox/error");
            assertThat(error.string("code")).isEqualTo("overloaded");
            assertThat(error.string("outcome")).isEqualTo("not_sent");
            assertThat(error.string("message")).contains("all 2 places (pool.poolSize)");
            assertThat(street.processes()).isEqualTo(processes);
            assertThat(said(ada, 2, "one__count", "{\"tool\":\"echo\"}")).isEqualTo("1");
            assertThat(said(ben, 2, "one__count", "{\"tool\":\"echo\"}")).isEqualTo("1");
            ada.leave();
            assertThat(Gate.isSoon(() ->
                            said(eve, 2, "one__echo", "{\"text\":\"room\"}").equals("room")))
                    .isTrue();
        }
    }

    @Test
    void other_server_does_not_take_the_process_of_a_session() {
        Street.Plan plan = one(Era.LEGACY, 1).server("two", Gate.script(Era.LEGACY));
        try (Street street = plan.pool(impatient(1)).open();
                HttpWire ada = session(street)) {
            said(ada, 1, "one__echo", "{}");
            JsonView refused = ada.answer(Words.sessionCall(2, "two__echo", "{}"));
            assertThat(Words.at(refused, "result", "_meta", "fusebox/error").string("code"))
                    .isEqualTo("overloaded");
            assertThat(said(ada, 3, "one__count", "{\"tool\":\"echo\"}")).isEqualTo("1");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LEGACY", "MODERN"})
    void only_client_has_its_servers_listed_though_they_are_more_than_there_are_places(Era era) {
        Street.Plan plan = Street.plan().pool(PoolRules.USUAL.withSize(2));
        for (String name : List.of("a", "b", "c")) {
            plan.server(name, Gate.script(era)).shares(name, APART);
        }
        try (Street street = plan.open();
                PipedClient only = street.onlyClient()) {
            only.wire().hello(Words.PLAIN);
            assertThat(Gate.isSoon(() -> {
                        String tools = only.wire()
                                .answer(Words.request(1, "tools/list", "{}"))
                                .json();
                        return tools.contains("a__echo") && tools.contains("b__echo") && tools.contains("c__echo");
                    }))
                    .isTrue();
            assertThat(said(only.wire(), 2, "a__echo", "{\"text\":\"here\"}")).isEqualTo("here");
            assertThat(Objects.requireNonNull(street.crowd().member("a")).isKnown())
                    .isTrue();
        }
    }
}
