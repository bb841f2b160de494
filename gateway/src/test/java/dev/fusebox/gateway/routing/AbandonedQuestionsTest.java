package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.config.ConnectionSharing;
import dev.fusebox.config.Isolation;
import dev.fusebox.config.PoolRules;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.gateway.era.HttpWire;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.era.Wire;
import dev.fusebox.protocol.JsonView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Questions of servers that stay unanswered, in all places there are. Over HTTP: the only client on standard
/// input has a process of its own, whose place would not become free.
///
/// Over five seconds: a client may be away for twenty.
@Tag("process")
@Timeout(120)
class AbandonedQuestionsTest {
    private static final int PLACES = 20;

    /// Processes of one server for clients that can be asked.
    private static final int MAX_ASKING = 32;

    private static final ConnectionSharing APART = new ConnectionSharing(Isolation.SESSION, 1);
    private static final String ACCEPTED = "{\"action\":\"accept\",\"content\":{\"answer\":\"yes\"}}";

    /// Asks in each call, and gives the answer as its result.
    private static final String ASKS = """
            if method == 'tools/call':
                state['call'] = m['id']
                say({'jsonrpc': '2.0', 'id': 'q', 'method': 'elicitation/create', 'params': {'message': 'go on?',
                    'requestedSchema': {'type': 'object', 'properties': {}}}})
            elif 'result' in m:
                say({'jsonrpc': '2.0', 'id': state['call'], 'result': {'content': [
                    {'type': 'text', 'text': 'action=' + m['result']['action']}]}})
            """;

    private static GatewayHarness gateway() {
        return GatewayHarness.plan()
                .server("asking", SingleServerHarness.script(Era.LEGACY))
                .connectionSharing("asking", APART)
                .server("old", SingleServerHarness.script(Era.LEGACY))
                .server("new", SingleServerHarness.script(Era.MODERN))
                .pool(PoolRules.USUAL.withSize(PLACES))
                .open();
    }

    private static JsonView ask(Wire client, int id) {
        return client.answer(Messages.call(id, Messages.ABLE, "asking__ask", "{}"));
    }

    private static boolean isQuestion(JsonView answer) {
        return Messages.text(answer, "result", "resultType").equals("input_required");
    }

    /// Asks until there are so many questions.
    private static List<JsonView> questions(Wire client, int count) {
        List<JsonView> questions = new ArrayList<>();
        // Each question is that of a JVM of its own.
        eventually("%d places have a question".formatted(count), Duration.ofSeconds(90), () -> {
            JsonView answer = ask(client, questions.size() + 1);
            if (isQuestion(answer)) {
                questions.add(answer);
            }
            return questions.size() == count;
        });
        return questions;
    }

    private static boolean isServed(Wire client, String call) {
        JsonView answer = client.answer(call);
        return answer.path("result", "_meta", "fusebox/error") == null
                && Messages.said(answer).equals("here");
    }

    private static String answered(int id, JsonView question) {
        List<String> keys = new ArrayList<>();
        Messages.at(question, "result", "inputRequests").forEachMember((key, asked) -> keys.add(key));
        String responses = "{\"" + keys.getFirst() + "\":" + ACCEPTED + "}";
        return Messages.again(id, "asking__ask", Messages.ticket(question), responses);
    }

    @Test
    void clients_of_both_eras_get_the_places_of_the_oldest_questions_and_the_other_questions_stay() {
        try (GatewayHarness gateway = gateway();
                HttpWire absent = gateway.client();
                HttpWire session = gateway.client();
                HttpWire stateless = gateway.client()) {
            session.hello(Messages.PLAIN);
            List<JsonView> questions = questions(absent, PLACES);
            long begun = SingleServerHarness.PLATFORM.ticker().nanos();
            String sessionCall = Messages.sessionCall(2, "old__echo", "{\"text\":\"here\"}");
            String statelessCall = Messages.call(1, Messages.PLAIN, "new__echo", "{\"text\":\"here\"}");

            eventually("the session is served", () -> isServed(session, sessionCall));
            eventually("the stateless client is served", () -> isServed(stateless, statelessCall));

            assertThat(Duration.ofNanos(SingleServerHarness.PLATFORM.ticker().nanos() - begun))
                    .isLessThan(Duration.ofSeconds(25));
            assertThat(Messages.said(absent.answer(answered(100, questions.getLast()))))
                    .contains("action=accept");
            assertThat(Messages.at(absent.answer(answered(101, questions.getFirst())), "error", "message")
                            .string())
                    .contains("requestState is unknown");
        }
    }

    @Test
    void the_oldest_question_alone_makes_room_when_each_process_for_clients_that_can_be_asked_has_one() {
        String tools = "[" + EitherClient.tool("ask") + "]";
        try (GatewayHarness gateway = GatewayHarness.plan()
                        .process("asking", EitherClient.server(tools, ASKS))
                        .connectionSharing("asking", APART)
                        .pool(PoolRules.USUAL.withSize(2 * MAX_ASKING))
                        .open();
                HttpWire absent = gateway.client();
                HttpWire other = gateway.client()) {
            List<JsonView> questions = questions(absent, MAX_ASKING);
            JsonView refused = ask(other, 1);
            assertThat(Messages.kind(refused)).isEqualTo("overloaded local not_sent");
            assertThat(Messages.said(refused)).contains("all 32 connections", "try again");

            eventually("the oldest question has made room", () -> isQuestion(ask(other, 2)));

            assertThat(Messages.at(absent.answer(answered(100, questions.removeFirst())), "error", "message")
                            .string())
                    .contains("requestState is unknown");
            for (JsonView question : questions) {
                assertThat(Messages.said(absent.answer(answered(101, question))))
                        .isEqualTo("action=accept");
            }
        }
    }
}
