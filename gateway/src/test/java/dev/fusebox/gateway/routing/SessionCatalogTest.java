package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.config.ConnectionSharing;
import dev.fusebox.config.Isolation;
import dev.fusebox.config.SemanticMode;
import dev.fusebox.gateway.cache.SchemaCache;
import dev.fusebox.gateway.catalog.CatalogContents;
import dev.fusebox.gateway.catalog.CatalogKind;
import dev.fusebox.gateway.era.HttpWire;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.PipedClient;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.era.Wire;
import dev.fusebox.gateway.tools.CallTool;
import dev.fusebox.gateway.tools.DiscoverTool;
import dev.fusebox.gateway.tools.ToolSearch;
import dev.fusebox.gateway.upstream.UpstreamServer;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Lists of a server that shows a client what its capabilities allow, where each session has a process of its own.
///
/// Over five seconds: servers are processes.
@Tag("process")
@Timeout(120)
@ParameterizedClass
@EnumSource(
        value = Isolation.class,
        names = {"SESSION", "ADAPTIVE"})
class SessionCatalogTest {
    @Parameter
    Isolation isolation = Isolation.SESSION;

    /// The tool `sample` and the prompt `sampled` are there for clients with sampling only; `enable` adds `extra`.
    private static final String PROGRAM = """
            import sys, json, os
            def say(m): sys.stdout.write(json.dumps(m) + '\\n'); sys.stdout.flush()
            names = ['plain', 'enable', 'crash']
            prompts = []
            for line in sys.stdin:
                m = json.loads(line)
                method = m.get('method')
                if method == 'initialize':
                    if 'sampling' in m['params']['capabilities']:
                        names.append('sample')
                        prompts.append({'name': 'sampled'})
                    say({'jsonrpc': '2.0', 'id': m['id'], 'result': {'protocolVersion': '2025-11-25',
                        'capabilities': {'tools': {'listChanged': True}, 'prompts': {}},
                        'serverInfo': {'name': 'p', 'version': '1'}}})
                elif method == 'tools/list':
                    say({'jsonrpc': '2.0', 'id': m['id'], 'result': {'tools': [
                        {'name': n, 'description': 'does ' + n, 'inputSchema': {'type': 'object'}} for n in names]}})
                elif method == 'prompts/list':
                    say({'jsonrpc': '2.0', 'id': m['id'], 'result': {'prompts': prompts}})
                elif method == 'tools/call' and m['params']['name'] == 'crash':
                    os._exit(3)
                elif method == 'tools/call' and m['params']['name'] in names:
                    if m['params']['name'] == 'enable':
                        names.append('extra')
                        say({'jsonrpc': '2.0', 'method': 'notifications/tools/list_changed'})
                    say({'jsonrpc': '2.0', 'id': m['id'], 'result': {'content': [
                        {'type': 'text', 'text': 'did ' + m['params']['name']}]}})
                elif 'id' in m and method is not None:
                    say({'jsonrpc': '2.0', 'id': m['id'], 'error': {'code': -32601, 'message': 'the server has none'}})
            """;

    private GatewayHarness.Plan plan() {
        return GatewayHarness.plan()
                .process("one", ChildSpec.of("python3", "-S", "-E", "-c", PROGRAM))
                .connectionSharing("one", new ConnectionSharing(isolation, 1))
                .firstListWait(Duration.ofSeconds(20));
    }

    private static List<String> names(Wire wire, String method, String member) {
        JsonView answer = wire.answer(Messages.request(70, method, "{}"));
        List<String> names = new ArrayList<>();
        Messages.at(answer, "result", member).elements().forEach(item -> names.add(Messages.text(item, "name")));
        return names;
    }

    private static List<String> tools(Wire wire) {
        return names(wire, "tools/list", "tools");
    }

    private static HttpWire session(GatewayHarness gateway, boolean isAble) {
        HttpWire client = gateway.client();
        client.hello(isAble ? "{\"sampling\":{}}" : Messages.PLAIN);
        return client;
    }

    private static JsonView called(Wire wire, String tool) {
        return wire.answer(Messages.sessionCall(71, "one__" + tool, "{}"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void session_sees_the_list_for_its_own_capabilities_in_any_order(boolean isAbleFirst) {
        try (GatewayHarness gateway = plan().open();
                HttpWire first = session(gateway, isAbleFirst);
                HttpWire second = session(gateway, !isAbleFirst);
                HttpWire third = session(gateway, isAbleFirst)) {
            for (HttpWire client : List.of(first, second, third, second, first)) {
                boolean isAble = client.equals(second) != isAbleFirst;
                assertThat(tools(client).contains("one__sample")).isEqualTo(isAble);
                assertThat(names(client, "prompts/list", "prompts").contains("one__sampled"))
                        .isEqualTo(isAble);
                assertThat(tools(client)).contains("one__plain");
            }
            assertThat(gateway.processes())
                    .as("the third sees what the first was told")
                    .hasSize(2);
        }
    }

    @Test
    void call_is_resolved_by_the_list_of_its_session() {
        try (GatewayHarness gateway = plan().open();
                HttpWire able = session(gateway, true);
                HttpWire plain = session(gateway, false)) {
            tools(able);
            tools(plain);
            assertThat(Messages.said(called(able, "sample"))).isEqualTo("did sample");
            JsonView error = Messages.at(called(plain, "sample"), "result", "_meta", "fusebox/error");
            assertThat(Messages.text(error, "code")).isEqualTo("unknown_tool");
            assertThat(Messages.text(error, "outcome")).isEqualTo("not_sent");
            assertThat(Messages.said(called(plain, "plain"))).isEqualTo("did plain");
        }
    }

    @Test
    void tool_of_a_list_equal_to_one_that_is_being_taken_over_can_be_called() throws InterruptedException {
        try (GatewayHarness gateway = plan().open();
                HttpWire first = gateway.client();
                HttpWire second = gateway.client()) {
            first.hello("{\"roots\":{}}");
            second.hello(Messages.PLAIN);
            UpstreamServer one = gateway.server("one");
            Thread lists = new Thread(() -> tools(first));
            // The lists of all are put together under this lock.
            synchronized (gateway.servers()) {
                lists.start();
                eventually(
                        "the list of the first session was read",
                        () -> !one.contents().equals(CatalogContents.NOTHING));
                assertThat(tools(second)).contains("one__plain");
                assertThat(Messages.said(called(second, "plain"))).isEqualTo("did plain");
            }
            lists.join();
        }
    }

    @Test
    void client_without_a_session_sees_what_the_process_of_all_shows() {
        try (GatewayHarness gateway = plan().open();
                HttpWire able = session(gateway, true);
                HttpWire stateless = gateway.client()) {
            assertThat(tools(able)).contains("one__sample");
            String listed = stateless
                    .answer(Messages.stateless(1, "tools/list", Messages.ABLE, ""))
                    .json();
            assertThat(listed).contains("one__plain").doesNotContain("one__sample");
            assertThat(tools(able)).contains("one__sample");
        }
    }

    @Test
    void search_finds_for_a_session_what_its_own_process_shows() {
        ToolSearch search = new ToolSearch(SingleServerHarness.PLATFORM, SemanticMode.OFF);
        ExposurePolicy exposurePolicy =
                new ExposurePolicy(false, Set.of(), List.of(new DiscoverTool(search, 5), new CallTool()));
        try (GatewayHarness gateway = plan().exposure(exposurePolicy).open();
                HttpWire able = session(gateway, true);
                HttpWire plain = session(gateway, false)) {
            String query = Messages.sessionCall(1, "mcp_discover", "{\"query\":\"does sample\"}");
            for (HttpWire client : List.of(able, plain, able)) {
                String found = Messages.said(client.answer(query));
                assertThat(found.contains("\"sample\"")).isEqualTo(client.equals(able));
            }
        }
    }

    @Test
    void list_change_is_seen_by_its_session_only() {
        try (GatewayHarness gateway = plan().open();
                HttpWire able = session(gateway, true);
                HttpWire plain = session(gateway, false)) {
            tools(able);
            tools(plain);
            called(able, "plain");
            called(plain, "enable");
            eventually("the session sees the new tool", () -> tools(plain).contains("one__extra"));
            assertThat(Messages.said(called(plain, "extra"))).isEqualTo("did extra");
            assertThat(tools(able)).doesNotContain("one__extra");
        }
    }

    @Test
    void list_of_a_process_that_was_replaced_is_read_from_the_next() {
        try (GatewayHarness gateway = plan().open();
                HttpWire able = session(gateway, true);
                HttpWire plain = session(gateway, false)) {
            tools(able);
            tools(plain);
            called(plain, "enable");
            eventually("the session sees the new tool", () -> tools(plain).contains("one__extra"));
            called(plain, "crash");
            assertThat(tools(plain))
                    .as("the tools of a server that is down stay")
                    .contains("one__extra");
            eventually("the list of the next process is there", () -> {
                called(plain, "plain");
                return !tools(plain).contains("one__extra");
            });
            assertThat(tools(plain)).contains("one__plain").doesNotContain("one__sample");
        }
    }

    @Test
    void only_client_has_one_process_and_its_own_list() {
        try (GatewayHarness gateway = plan().open();
                PipedClient only = gateway.onlyClient()) {
            only.wire().hello("{\"sampling\":{}}");
            assertThat(tools(only.wire())).contains("one__sample");
            List<JsonView> told = new ArrayList<>(only.wire().ask(Messages.sessionCall(1, "one__enable", "{}")));
            eventually("the client is told and sees the new tool", () -> {
                told.addAll(only.wire().ask(Messages.request(2, "tools/list", "{}")));
                return told.getLast().json().contains("one__extra")
                        && told.toString().contains("notifications/tools/list_changed");
            });
            assertThat(gateway.processes()).hasSize(1);
        }
    }

    @Test
    void cached_list_of_a_client_with_other_capabilities_is_not_shown(@TempDir Path home) {
        for (String capabilities : List.of("{\"sampling\":{}}", Messages.PLAIN, Messages.PLAIN)) {
            try (SchemaCache cache = new SchemaCache(SingleServerHarness.PLATFORM, home.resolve("cache"), "here");
                    GatewayHarness gateway = plan().catalogStore(cache).open();
                    PipedClient only = gateway.onlyClient()) {
                only.wire().hello(capabilities);
                assertThat(tools(only.wire()).contains("one__sample")).isEqualTo(!capabilities.equals(Messages.PLAIN));
                assertThat(tools(only.wire())).contains("one__plain");
            }
        }
    }

    @Test
    void list_of_a_session_that_left_is_let_go() {
        try (GatewayHarness gateway = plan().open();
                HttpWire able = session(gateway, true)) {
            HttpWire plain = session(gateway, false);
            tools(able);
            tools(plain);
            assertThat(gateway.processes()).hasSize(2);
            plain.leave();
            eventually("its process has ended", () -> gateway.processes().size() == 1);
            assertThat(tools(able)).contains("one__sample");
            UpstreamServer server = gateway.server("one");
            assertThat(JsonWriter.quoted(server.contents().of(CatalogKind.TOOLS).toString()))
                    .contains("sample");
        }
    }
}
