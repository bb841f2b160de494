package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.config.ConnectionSharing;
import dev.fusebox.config.Isolation;
import dev.fusebox.gateway.era.HttpWire;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.PipedClient;
import dev.fusebox.gateway.era.Wire;
import dev.fusebox.gateway.session.ServerRequestLimit;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What a server asks and logs while no call is under way: its session's where the process is the session's own.
///
/// Over five seconds: servers are processes.
@Tag("process")
@Timeout(120)
@ParameterizedClass
@EnumSource(
        value = Isolation.class,
        names = {"SESSION", "ADAPTIVE"})
class OutsideOfCallsTest {
    @Parameter
    Isolation isolation = Isolation.SESSION;

    /// The default of the configuration: a busy machine takes more than a second to start the server.
    private static final Duration LIST_WAIT = Duration.ofSeconds(10);

    private static final String ROOTS = "{\"roots\":[{\"uri\":\"file:///here\"}]}";

    /// Asks for the roots after the handshake, logs when it is told a level, and tells what it was answered. The
    /// tool `ask` asks the person five times.
    private static final String PROGRAM = """
            import sys, json
            def say(m): sys.stdout.write(json.dumps(m) + '\\n'); sys.stdout.flush()
            def text(m, t): say({'jsonrpc': '2.0', 'id': m['id'], 'result': {'content': [{'type': 'text', 'text': t}]}})
            def log(level, t): say({'jsonrpc': '2.0', 'method': 'notifications/message',
                'params': {'level': level, 'logger': 'server', 'data': t}})
            def ask(): say({'jsonrpc': '2.0', 'id': 'q%d' % seen['n'], 'method': 'elicitation/create', 'params':
                {'message': 'name?', 'requestedSchema': {'type': 'object', 'properties': {}}}})
            seen = {'roots': 'none', 'levels': []}
            for line in sys.stdin:
                m = json.loads(line)
                method = m.get('method')
                if method == 'initialize':
                    say({'jsonrpc': '2.0', 'id': m['id'], 'result': {'protocolVersion': '2025-11-25',
                        'capabilities': {'tools': {}, 'logging': {}}, 'serverInfo': {'name': 'p', 'version': '1'}}})
                elif method == 'notifications/initialized':
                    say({'jsonrpc': '2.0', 'id': 'roots', 'method': 'roots/list'})
                elif method == 'tools/list':
                    say({'jsonrpc': '2.0', 'id': m['id'], 'result': {'tools': [
                        {'name': n, 'inputSchema': {'type': 'object'}} for n in ('roots', 'ask', 'levels', 'again')]}})
                elif method == 'logging/setLevel':
                    seen['levels'].append(m['params']['level'])
                    say({'jsonrpc': '2.0', 'id': m['id'], 'result': {}})
                    log('debug', 'quiet')
                    log('error', 'outside ' + m['params']['level'])
                elif method == 'tools/call' and m['params']['name'] == 'ask':
                    seen.update(call=m, n=1)
                    ask()
                elif method == 'tools/call' and m['params']['name'] == 'again':
                    seen.update(call=m)
                    say({'jsonrpc': '2.0', 'id': 'inside', 'method': 'roots/list'})
                elif method is None and m['id'] == 'inside':
                    text(seen['call'], 'answered')
                    say({'jsonrpc': '2.0', 'id': 'roots', 'method': 'roots/list'})
                elif method == 'tools/call':
                    text(m, json.dumps(seen[m['params']['name']]))
                elif method is None and m['id'] == 'roots':
                    seen['roots'] = m.get('result', m.get('error'))
                elif method is None and 'result' in m and seen['n'] < 5:
                    seen['n'] += 1
                    ask()
                elif method is None:
                    text(seen['call'], '%d asked, last %s' % (seen['n'], 'result' if 'result' in m else 'error'))
                elif 'id' in m:
                    say({'jsonrpc': '2.0', 'id': m['id'], 'error': {'code': -32601, 'message': 'no'}})
            """;

    private final ConcurrentLinkedQueue<String> refused = new ConcurrentLinkedQueue<>();

    private GatewayHarness open(ConnectionSharing connectionSharing) {
        return GatewayHarness.plan()
                .process("one", ChildSpec.of("python3", "-S", "-E", "-c", PROGRAM))
                .connectionSharing("one", connectionSharing)
                .serverRequestLimit(new ServerRequestLimit(refused::add))
                .firstListWait(LIST_WAIT)
                .open();
    }

    private static String answer(JsonView question) {
        return "roots/list".equals(Messages.method(question)) ? ROOTS : "{\"action\":\"accept\",\"content\":{}}";
    }

    private static String call(Wire wire, int id, String tool) {
        return Messages.said(wire.answer(Messages.sessionCall(id, "one__" + tool, "{}")));
    }

    /// Messages that came with an answer, the answer left out.
    private static List<JsonView> beside(List<JsonView> all) {
        return all.subList(0, all.size() - 1);
    }

    // ---- Questions

    @ParameterizedTest
    @EnumSource(names = {"SESSION_HTTP", "SESSION_STDIO"})
    void request_for_roots_after_the_handshake_reaches_the_session_and_is_charged_to_no_call(EitherClient.Way way) {
        try (GatewayHarness gateway = open(new ConnectionSharing(isolation, 1));
                EitherClient client = new EitherClient(gateway, way)) {
            client.wire().answering(OutsideOfCallsTest::answer);
            assertThat(Messages.said(client.call("one__ask", "{}"))).isEqualTo("5 asked, last result");
            eventually(
                    "the server knows the roots",
                    () -> Messages.said(client.call("one__roots", "{}")).contains("file:///here"));
            assertThat(refused).isEmpty();
        }
    }

    @Test
    void request_for_roots_while_the_gateway_reads_the_list_does_not_cost_the_list() {
        try (GatewayHarness gateway = open(new ConnectionSharing(isolation, 1));
                PipedClient only = gateway.onlyClient()) {
            only.wire().answering(OutsideOfCallsTest::answer);
            only.wire().hello(Messages.ABLE);
            assertThat(only.wire()
                            .answer(Messages.request(1, "tools/list", "{}"))
                            .json())
                    .contains("one__roots");
            eventually(
                    "the server knows the roots",
                    () -> call(only.wire(), 2, "roots").contains("file:///here"));
        }
    }

    @Test
    void question_that_the_client_has_not_declared_is_refused() {
        try (GatewayHarness gateway = open(new ConnectionSharing(isolation, 1));
                HttpWire client = gateway.client()) {
            client.hello(Messages.PLAIN);
            eventually("the server was answered", () -> call(client, 1, "roots").contains("-32601"));
        }
    }

    @Test
    void roots_request_is_rejected_until_a_stateless_call_has_supplied_roots() {
        try (GatewayHarness gateway = open(new ConnectionSharing(isolation, 1));
                PipedClient only = gateway.onlyClient()) {
            eventually(
                    "the server was refused",
                    () -> only.wire()
                            .answer(Messages.call(1, "{\"elicitation\":{},\"roots\":{}}", "one__roots", "{}"))
                            .json()
                            .contains("the client has no call in flight"));
            JsonView asked = only.wire().answer(Messages.call(2, Messages.ABLE, "one__again", "{}"));
            JsonView answered =
                    only.wire().answer(Messages.again(3, "one__again", Messages.ticket(asked), rooted(asked)));
            // A question of the server that crossed the first answer is one of the call as well.
            while (answered.path("result", "requestState") != null) {
                asked = answered;
                answered = only.wire().answer(Messages.again(3, "one__again", Messages.ticket(asked), rooted(asked)));
            }
            assertThat(Messages.said(answered)).isEqualTo("answered");
            eventually(
                    "the server knows the roots",
                    () -> only.wire()
                            .answer(Messages.call(4, Messages.ABLE, "one__roots", "{}"))
                            .json()
                            .contains("file:///here"));
        }
    }

    private static String rooted(JsonView asked) {
        StringBuilder responses = new StringBuilder();
        Messages.at(asked, "result", "inputRequests")
                .forEachMember((key, question) ->
                        responses.append(JsonWriter.quoted(key)).append(':').append(ROOTS));
        return "{" + responses + "}";
    }

    // ---- Log lines

    @ParameterizedTest
    @EnumSource
    void logging_is_advertised(EitherClient.Way way) {
        try (GatewayHarness gateway = open(new ConnectionSharing(isolation, 1))) {
            try (HttpWire client = gateway.client()) {
                String capabilities = way.inSession()
                        ? Messages.at(client.hello(Messages.PLAIN), "result", "capabilities")
                                .json()
                        : Messages.at(
                                        client.answer(Messages.stateless(1, "server/discover", Messages.PLAIN, "")),
                                        "result",
                                        "capabilities")
                                .json();
                assertThat(capabilities).contains("\"logging\":{}");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SESSION_HTTP", "SESSION_STDIO"})
    void level_reaches_servers_that_are_connected_and_lines_outside_of_calls_reach_their_session(EitherClient.Way way) {
        try (GatewayHarness gateway = open(new ConnectionSharing(isolation, 1));
                EitherClient ada = new EitherClient(gateway, way);
                Wire.Stream unrelated = ada.wire().unrelated()) {
            ada.wire().answering(OutsideOfCallsTest::answer);
            List<JsonView> told = new ArrayList<>();
            assertThat(Messages.said(ada.call("one__levels", "{}", told))).isEqualTo("[]");
            told.addAll(beside(ada.wire().ask(Messages.request(50, "logging/setLevel", "{\"level\":\"warning\"}"))));
            while (!told.toString().contains("outside warning")) {
                told.add(Objects.requireNonNull(unrelated.next(), "the stream has ended"));
            }
            assertThat(told.toString()).doesNotContain("quiet");
            assertThat(Messages.said(ada.call("one__levels", "{}"))).isEqualTo("[\"warning\"]");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SESSION_HTTP", "SESSION_STDIO"})
    void level_reaches_servers_that_connect_later(EitherClient.Way way) {
        try (GatewayHarness gateway = open(new ConnectionSharing(isolation, 1));
                EitherClient client = new EitherClient(gateway, way)) {
            client.wire().answering(OutsideOfCallsTest::answer);
            assertThat(client.ask("logging/setLevel", ",\"level\":\"error\"").member("result"))
                    .hasToString("{}");
            assertThat(Messages.said(client.call("one__levels", "{}"))).isEqualTo("[\"error\"]");
        }
    }

    /// Calls, the reading of the list and the change itself tell the level; each waits for the one that does.
    @ParameterizedTest
    @EnumSource(names = {"SESSION_HTTP", "SESSION_STDIO"})
    void each_log_level_is_sent_once_and_in_order_with_concurrent_calls(EitherClient.Way way) {
        List<String> levels = List.of("error", "debug", "warning", "info", "alert", "notice");
        try (GatewayHarness gateway = open(new ConnectionSharing(isolation, 1));
                EitherClient client = new EitherClient(gateway, way)) {
            client.wire().answering(OutsideOfCallsTest::answer);
            // Questions are answered during calls that wait for their answer only.
            eventually(
                    "the server knows the roots",
                    () -> Messages.said(client.call("one__roots", "{}")).contains("file:///here"));
            List<Wire.Stream> calls = new ArrayList<>();
            for (String level : levels) {
                client.ask("logging/setLevel", ",\"level\":\"" + level + "\"");
                for (int i = 0; i < 5; i++) {
                    calls.add(client.open("one__levels", "{}"));
                }
            }
            calls.forEach(OutsideOfCallsTest::readToTheAnswer);
            List<String> told = Messages.read(Messages.said(client.call("one__levels", "{}"))).elements().stream()
                    .map(Messages::text)
                    .toList();
            assertThat(told).doesNotHaveDuplicates().endsWith("notice");
            assertThat(levels).containsSubsequence(told);
        }
    }

    private static void readToTheAnswer(Wire.Stream call) {
        JsonView message = call.next();
        while (message != null && Messages.method(message) != null) {
            message = call.next();
        }
    }

    @Test
    void level_of_one_session_is_not_that_of_another() {
        try (GatewayHarness gateway = open(new ConnectionSharing(isolation, 1));
                HttpWire ada = gateway.client();
                HttpWire ben = gateway.client()) {
            ada.hello(Messages.PLAIN);
            ben.hello(Messages.PLAIN);
            ada.answer(Messages.request(1, "logging/setLevel", "{\"level\":\"debug\"}"));
            assertThat(call(ada, 2, "levels")).contains("debug");
            assertThat(call(ben, 1, "levels")).isEqualTo("[]");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SESSION_HTTP", "SESSION_STDIO"})
    void lines_of_a_shared_process_are_refused_with_the_reason(EitherClient.Way way) {
        try (GatewayHarness gateway = open(ConnectionSharing.ONE);
                EitherClient client = new EitherClient(gateway, way)) {
            String request = Messages.request(50, "logging/setLevel", "{\"level\":\"info\"}");
            List<JsonView> all = client.wire().ask(request);
            assertThat(all.getLast().member("result")).hasToString("{}");
            JsonView line = beside(all).getFirst();
            assertThat(Messages.text(line, "params", "logger")).isEqualTo("fusebox");
            assertThat(Messages.text(line, "params", "data"))
                    .contains("not delivered from one:")
                    .contains(JsonWriter.quoted("isolation") + ": " + JsonWriter.quoted("session"));
            assertThat(beside(client.wire().ask(request.replace("50", "51")))).isEmpty();
            assertThat(Messages.said(client.call("one__levels", "{}"))).isEqualTo("[]");
        }
    }
}
