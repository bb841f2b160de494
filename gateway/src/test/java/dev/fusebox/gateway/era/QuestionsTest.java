package dev.fusebox.gateway.era;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.config.EraPolicy;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.protocol.JsonView;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Questions of servers on their way to clients of the other era, and the answers on their way back.
///
/// Over five seconds: a call takes all the time that it has.
@Tag("process")
@Timeout(120)
class QuestionsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static final String ACCEPTED = "{\"action\":\"accept\",\"content\":{\"answer\":\"yes\"}}";

    @TempDir
    private Path folder;

    /// The key of the only question.
    private static String key(JsonView answer) {
        List<String> keys = new ArrayList<>();
        Messages.at(answer, "result", "inputRequests").forEachMember((key, question) -> keys.add(key));
        assertThat(keys).hasSize(1);
        return keys.getFirst();
    }

    private static String response(JsonView asked, String result) {
        return "{\"" + key(asked) + "\":" + result + "}";
    }

    private static JsonView ask(Wire client, int id) {
        JsonView asked = client.answer(Messages.call(id, Messages.ABLE, "ask", "{}"));
        assertThat(Messages.text(asked, "result", "resultType")).isEqualTo("input_required");
        return asked;
    }

    // ---- A server of the session era asks a client of the stateless era

    @ParameterizedTest
    @EnumSource(SingleServerHarness.Front.class)
    void a_stateless_client_gets_questions_as_results_and_comes_back_with_answers(SingleServerHarness.Front front) {
        try (SingleServerHarness singleServerHarness = SingleServerHarness.of(front, Era.LEGACY)) {
            Wire client = singleServerHarness.wire();
            JsonView asked = ask(client, 1);
            assertThat(Messages.text(asked, "result", "inputRequests", key(asked), "method"))
                    .isEqualTo("elicitation/create");
            JsonView done = client.answer(Messages.again(2, "ask", Messages.ticket(asked), response(asked, ACCEPTED)));
            assertThat(Messages.said(done)).contains("action=accept").contains("yes");

            JsonView rooted = client.answer(Messages.call(3, Messages.ABLE, "roots", "{}"));
            String roots = "{\"roots\":[{\"uri\":\"file:///here\"}]}";
            JsonView told = client.answer(Messages.again(4, "roots", Messages.ticket(rooted), response(rooted, roots)));
            assertThat(Messages.said(told)).contains("file:///here");

            String sample = "test_input_required_result_sampling";
            JsonView sampled = client.answer(Messages.call(5, Messages.ABLE, sample, "{}"));
            String said =
                    "{\"role\":\"assistant\",\"model\":\"none\",\"content\":{\"type\":\"text\",\"text\":\"Paris\"}}";
            assertThat(Messages.said(client.answer(
                            Messages.again(6, sample, Messages.ticket(sampled), response(sampled, said)))))
                    .contains("Paris");
        }
    }

    @Test
    void a_call_may_go_through_several_rounds_and_through_another_connection() {
        try (SingleServerHarness singleServerHarness =
                        SingleServerHarness.of(SingleServerHarness.Front.HTTP, Era.LEGACY);
                Wire other = singleServerHarness.another()) {
            String tool = "test_input_required_result_multi_round";
            JsonView first = singleServerHarness.wire().answer(Messages.call(1, Messages.ABLE, tool, "{}"));
            String name = "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\"}}";
            JsonView second = other.answer(Messages.again(2, tool, Messages.ticket(first), response(first, name)));
            assertThat(Messages.ticket(second)).isNotEqualTo(Messages.ticket(first));
            String color = "{\"action\":\"accept\",\"content\":{\"color\":\"red\"}}";
            JsonView third = other.answer(Messages.again(3, tool, Messages.ticket(second), response(second, color)));
            assertThat(Messages.said(third)).contains("Ada").contains("red");
        }
    }

    @Test
    void a_client_that_answers_nothing_is_asked_again() {
        try (SingleServerHarness singleServerHarness =
                SingleServerHarness.of(SingleServerHarness.Front.HTTP, Era.LEGACY)) {
            JsonView asked = ask(singleServerHarness.wire(), 1);
            JsonView again = singleServerHarness.wire().answer(Messages.again(2, "ask", Messages.ticket(asked), "{}"));
            assertThat(key(again)).isEqualTo(key(asked));
            JsonView done = singleServerHarness
                    .wire()
                    .answer(Messages.again(3, "ask", Messages.ticket(again), response(again, ACCEPTED)));
            assertThat(Messages.said(done)).contains("action=accept");
        }
    }

    @Test
    void a_ticket_is_good_once_and_for_its_own_request_only() {
        try (SingleServerHarness singleServerHarness =
                SingleServerHarness.of(SingleServerHarness.Front.HTTP, Era.LEGACY)) {
            Wire client = singleServerHarness.wire();
            JsonView asked = ask(client, 1);
            String ticket = Messages.ticket(asked);
            String tampered = (ticket.charAt(0) == 'a' ? "b" : "a") + ticket.substring(1);
            String response = response(asked, ACCEPTED);

            assertThat(refused(client.answer(Messages.again(2, "ask", tampered, response))))
                    .isTrue();
            assertThat(refused(client.answer(Messages.again(3, "roots", ticket, response))))
                    .isTrue();
            assertThat(Messages.said(client.answer(Messages.again(4, "ask", ticket, response))))
                    .contains("action=accept");
            assertThat(refused(client.answer(Messages.again(5, "ask", ticket, response))))
                    .isTrue();
        }
    }

    private static boolean refused(JsonView answer) {
        return Messages.at(answer, "error", "code").json().equals("-32602");
    }

    @Test
    void a_client_that_never_comes_back_costs_nothing_for_long() {
        Path journal = folder.resolve("journal");
        ChildSpec spec = SingleServerHarness.server(SingleServerHarness.noting(journal, Era.LEGACY));
        try (SingleServerHarness singleServerHarness = SingleServerHarness.of(
                SingleServerHarness.Front.HTTP, spec, SingleServerHarness.within(MINUTE, SECOND))) {
            singleServerHarness.wire().answer(Messages.call(1, Messages.PLAIN, "echo", "{}"));
            List<Long> shared = singleServerHarness.servers();
            // Another server, of its own, asks.
            JsonView asked = ask(singleServerHarness.wire(), 2);

            eventually(
                    "only shared servers are running",
                    () -> assertThat(shared).containsAll(singleServerHarness.servers()));
            assertThat(refused(singleServerHarness
                            .wire()
                            .answer(Messages.again(3, "ask", Messages.ticket(asked), response(asked, ACCEPTED)))))
                    .isTrue();
        }
    }

    @Test
    void returning_client_gets_the_crash_of_its_server() {
        try (SingleServerHarness singleServerHarness =
                SingleServerHarness.of(SingleServerHarness.Front.HTTP, Era.LEGACY)) {
            singleServerHarness.wire().answer(Messages.call(1, Messages.PLAIN, "echo", "{}"));
            List<Long> shared = singleServerHarness.servers();
            JsonView asked = ask(singleServerHarness.wire(), 2);
            List<Long> own = own(singleServerHarness, shared);
            assertThat(own).hasSize(1);
            ProcessHandle.of(own.getFirst()).orElseThrow().destroyForcibly();
            eventually(
                    "the client's own server has ended",
                    () -> assertThat(singleServerHarness.servers()).doesNotContain(own.getFirst()));

            JsonView told = singleServerHarness
                    .wire()
                    .answer(Messages.again(3, "ask", Messages.ticket(asked), response(asked, ACCEPTED)));
            assertThat(Messages.kind(told)).isEqualTo("server_crashed stdio-exit unknown");
        }
    }

    /// A server may take longer to start than the timeout of the call that starts it.
    private static void answeredAtLast(SingleServerHarness singleServerHarness, String capabilities) {
        String call = Messages.call(1, capabilities, "echo", "{\"text\":\"warm\"}");
        eventually(
                "the call is answered",
                () -> assertThat(Messages.said(singleServerHarness.wire().answer(call)))
                        .isEqualTo("warm"));
    }

    private static List<Long> own(SingleServerHarness singleServerHarness, List<Long> shared) {
        return singleServerHarness.servers().stream()
                .filter(pid -> !shared.contains(pid))
                .toList();
    }

    @Test
    void call_that_times_out_fails_and_its_connection_is_not_reused() {
        ChildSpec spec = SingleServerHarness.server(SingleServerHarness.script(Era.LEGACY));
        try (SingleServerHarness singleServerHarness = SingleServerHarness.of(
                SingleServerHarness.Front.HTTP, spec, SingleServerHarness.within(Duration.ofSeconds(5), MINUTE))) {
            answeredAtLast(singleServerHarness, Messages.PLAIN);
            List<Long> shared = singleServerHarness.servers();
            answeredAtLast(singleServerHarness, Messages.ABLE);
            eventually(
                    "the client has a server of its own",
                    () -> assertThat(own(singleServerHarness, shared)).hasSize(1));
            List<Long> own = own(singleServerHarness, shared);

            JsonView late =
                    singleServerHarness.wire().answer(Messages.call(3, Messages.ABLE, "echo", "{\"fault\":\"hang\"}"));

            assertThat(Messages.kind(late)).isEqualTo("timeout offline unknown");
            eventually(
                    "the client's own server has ended",
                    () -> assertThat(singleServerHarness.servers()).doesNotContain(own.getFirst()));
        }
    }

    /// Asks two things at once, and takes one of them back if it is told to.
    private static ChildSpec asker() {
        String program = """
                import sys, json
                def say(m): sys.stdout.write(json.dumps(m) + '\\n'); sys.stdout.flush()
                call, open = None, {}
                def ask(key):
                    say({'jsonrpc': '2.0', 'id': key, 'method': 'elicitation/create', 'params': {'message': key}})
                for line in sys.stdin:
                    m = json.loads(line)
                    if m.get('method') == 'initialize':
                        say({'jsonrpc': '2.0', 'id': m['id'], 'result': {'protocolVersion': '2025-11-25',
                            'capabilities': {'tools': {}}, 'serverInfo': {'name': 'asker', 'version': '1'}}})
                    elif m.get('method') == 'tools/call':
                        call, said = m, {}
                        wanted = m['params']['arguments']['ask']
                        for key in wanted: ask(key)
                        if 'withdrawn' in wanted:
                            say({'jsonrpc': '2.0', 'method': 'notifications/cancelled',
                                'params': {'requestId': 'withdrawn'}})
                            wanted.remove('withdrawn')
                            ask('instead'); wanted.append('instead')
                    elif 'method' not in m and m.get('id') is not None:
                        said[m['id']] = m.get('result', m.get('error'))
                        if call and set(said) >= set(wanted):
                            say({'jsonrpc': '2.0', 'id': call['id'], 'result': {'content': [
                                {'type': 'text', 'text': json.dumps(said, sort_keys=True)}]}})
                    elif 'id' in m:
                        say({'jsonrpc': '2.0', 'id': m['id'], 'error': {'code': -32601, 'message': 'no'}})
                """;
        return ChildSpec.of("python3", "-S", "-E", "-c", program);
    }

    /// All questions by their messages, answered one step after the other until the call ends.
    private static JsonView answerAll(Wire client, String arguments, JsonView first, List<String> seen) {
        JsonView answer = first;
        for (int id = 2; answer.path("result", "inputRequests") != null; id++) {
            List<String> responses = new ArrayList<>();
            Messages.at(answer, "result", "inputRequests").forEachMember((key, question) -> {
                String message = Messages.text(question, "params", "message");
                seen.add(message);
                responses.add("\"" + key + "\":{\"action\":\"accept\",\"content\":{\"to\":\"" + message + "\"}}");
            });
            String members = ",\"requestState\":\"" + Messages.ticket(answer) + "\",\"inputResponses\":{"
                    + String.join(",", responses) + "}";
            answer = client.answer(
                    Messages.stateless(id, "tools/call", Messages.ABLE, Messages.tool("many", arguments) + members));
        }
        return answer;
    }

    @Test
    void several_questions_at_once_are_each_answered() {
        try (SingleServerHarness singleServerHarness = SingleServerHarness.of(
                SingleServerHarness.Front.HTTP, asker(), frontTarget -> frontTarget.withEra(EraPolicy.SESSION))) {
            String arguments = "{\"ask\":[\"one\",\"two\",\"three\"]}";
            JsonView first = singleServerHarness.wire().answer(Messages.call(1, Messages.ABLE, "many", arguments));
            List<String> seen = new ArrayList<>();
            JsonView done = answerAll(singleServerHarness.wire(), arguments, first, seen);

            assertThat(seen).containsExactlyInAnyOrder("one", "two", "three");
            assertThat(Messages.said(done))
                    .contains("{\"to\": \"one\"}")
                    .contains("{\"to\": \"two\"}")
                    .contains("{\"to\": \"three\"}");
        }
    }

    @ParameterizedTest
    @EnumSource(SingleServerHarness.Front.class)
    void sixth_question_of_one_call_is_refused_where_all_else_passes_unchanged(SingleServerHarness.Front front) {
        try (SingleServerHarness singleServerHarness =
                SingleServerHarness.of(front, asker(), frontTarget -> frontTarget.withEra(EraPolicy.SESSION))) {
            List<String> seen = new ArrayList<>();
            singleServerHarness.wire().answering(question -> {
                seen.add(Messages.text(question, "params", "message"));
                return ACCEPTED;
            });
            singleServerHarness.wire().hello(Messages.ABLE);
            String six = "{\"ask\":[\"1\",\"2\",\"3\",\"4\",\"5\",\"6\"]}";
            JsonView done = singleServerHarness.wire().answer(Messages.sessionCall(1, "many", six));
            assertThat(seen).containsExactlyInAnyOrder("1", "2", "3", "4", "5");
            assertThat(Messages.said(done)).contains("\"6\": {\"code\": ").contains("\"5\": {\"action\": \"accept\"");
        }
    }

    @Test
    void a_question_that_the_server_withdraws_need_not_be_answered() {
        try (SingleServerHarness singleServerHarness = SingleServerHarness.of(
                SingleServerHarness.Front.HTTP, asker(), frontTarget -> frontTarget.withEra(EraPolicy.SESSION))) {
            String arguments = "{\"ask\":[\"withdrawn\"]}";
            JsonView first = singleServerHarness.wire().answer(Messages.call(1, Messages.ABLE, "many", arguments));
            JsonView done = answerAll(singleServerHarness.wire(), arguments, first, new ArrayList<>());

            assertThat(Messages.said(done)).contains("{\"to\": \"instead\"}");
        }
    }

    @Test
    void a_client_that_can_be_asked_nothing_is_asked_nothing() {
        try (SingleServerHarness singleServerHarness =
                SingleServerHarness.of(SingleServerHarness.Front.HTTP, Era.LEGACY)) {
            JsonView answer = singleServerHarness.wire().answer(Messages.call(1, Messages.PLAIN, "ask", "{}"));
            assertThat(Messages.said(answer)).contains("the client offers no elicitation");
        }
    }

    // ---- A server of the stateless era asks a client of the session era

    private static String byMethod(JsonView question) {
        return switch (Objects.requireNonNull(Messages.method(question))) {
            case "elicitation/create" -> "{\"action\":\"accept\",\"content\":{\"name\":\"Ada\",\"color\":\"red\"}}";
            case "roots/list" -> "{\"roots\":[{\"uri\":\"file:///here\"}]}";
            default -> "{\"role\":\"assistant\",\"model\":\"none\",\"content\":{\"type\":\"text\",\"text\":\"Paris\"}}";
        };
    }

    @ParameterizedTest
    @EnumSource(SingleServerHarness.Front.class)
    void session_client_gets_the_requests_of_a_stateless_server(SingleServerHarness.Front front) {
        try (SingleServerHarness singleServerHarness = SingleServerHarness.of(front, Era.MODERN)) {
            Wire client = singleServerHarness.wire();
            client.answering(QuestionsTest::byMethod);
            client.hello(Messages.ABLE);

            String prefix = "test_input_required_result_";
            assertThat(Messages.said(client.answer(Messages.sessionCall(1, prefix + "elicitation", "{}"))))
                    .contains("Ada");
            assertThat(Messages.said(client.answer(Messages.sessionCall(2, prefix + "multi_round", "{}"))))
                    .contains("Ada")
                    .contains("red");
            List<JsonView> all = client.ask(Messages.sessionCall(3, prefix + "multiple_inputs", "{}"));
            assertThat(Messages.methods(all))
                    .containsExactlyInAnyOrder("elicitation/create", "sampling/createMessage", "roots/list", "answer");
            assertThat(all.getLast().json()).contains("Ada").contains("Paris").contains("file:///here");
            assertThat(Messages.said(client.answer(Messages.sessionCall(4, prefix + "request_state", "{}"))))
                    .isEqualTo("state-ok");
        }
    }

    @Test
    void a_session_client_that_does_not_answer_costs_its_call_and_nothing_else() {
        ChildSpec spec = SingleServerHarness.server(SingleServerHarness.script(Era.MODERN));
        try (SingleServerHarness singleServerHarness = SingleServerHarness.of(
                SingleServerHarness.Front.STDIO, spec, SingleServerHarness.within(MINUTE, SECOND))) {
            Wire client = singleServerHarness.wire();
            client.hello(Messages.ABLE);
            JsonView answer = client.answer(Messages.sessionCall(1, "ask", "{}"));
            assertThat(Messages.said(answer)).contains("did not answer");
            assertThat(Messages.kind(answer)).isEqualTo("cancelled policy unknown");
            assertThat(Messages.said(client.answer(Messages.sessionCall(2, "echo", "{\"text\":\"on\"}"))))
                    .isEqualTo("on");
        }
    }

    /// Requests of servers do not exist in that era, and nobody answers them.
    @Test
    void a_stateless_server_that_sends_a_request_all_the_same_is_refused() {
        try (SingleServerHarness singleServerHarness = SingleServerHarness.of(
                SingleServerHarness.Front.HTTP, Era.MODERN, "client-request=elicitation/create@1")) {
            List<JsonView> all =
                    singleServerHarness.wire().ask(Messages.call(1, Messages.ABLE, "echo", "{\"text\":\"mine\"}"));
            assertThat(Messages.methods(all)).containsExactly("answer");
            assertThat(Messages.said(all.getLast())).isEqualTo("mine");
        }
    }
}
