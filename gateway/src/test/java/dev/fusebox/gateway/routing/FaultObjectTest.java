package dev.fusebox.gateway.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.Preset;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.client.resilience.FairBulkhead;
import dev.fusebox.config.EraPolicy;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.routing.ControlledServer.Reply;
import dev.fusebox.gateway.upstream.UnavailableServer;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.schema.ArgumentCheck;
import dev.fusebox.testkit.ManualTime;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What a client gets when a call fails: the whole object, for every way to fail, against one schema.
@Tag("process")
@Timeout(120)
class FaultObjectTest {
    private static final String SCHEMA = """
            {"type": "object", "additionalProperties": false,
             "required": ["code", "server", "category", "outcome", "message", "id", "help"],
             "properties": {
               "id": {"type": "string", "pattern": "^[a-z0-9-]+$"},
               "help": {"type": "string", "pattern": "^docs/errors/[a-z0-9-]+[.]md$"},
               "code": {"enum": ["breaker_open", "tool_breaker_open", "timeout", "connect_failed", "server_crashed",
                 "auth_required", "http_error", "overloaded", "invalid_arguments", "unknown_server", "unknown_tool",
                 "tool_blocked", "server_disabled", "permanently_failed", "cancelled", "outcome_unknown",
                 "protocol_violation", "internal"]},
               "server": {"type": "string", "pattern": "^[A-Za-z0-9_.-]{1,64}$"},
               "tool": {"type": "string", "minLength": 1},
               "category": {"enum": ["auth", "offline", "http", "stdio-exit", "other", "protocol", "local",
                 "cancelled", "policy"]},
               "outcome": {"enum": ["not_sent", "rejected", "unknown"]},
               "message": {"type": "string", "minLength": 1},
               "inputSchema": {"type": ["object", "string"]},
               "retryAfterMs": {"type": ["integer", "null"], "minimum": 1},
               "retryAt": {"type": "string", "pattern": "^[0-9-]{10}T[0-9:]{8}([.][0-9]{3})?Z$"},
               "breaker": {"type": "object", "additionalProperties": false,
                 "required": ["name", "scope", "state", "failureCount"],
                 "properties": {
                   "name": {"type": "string"}, "scope": {"enum": ["server", "tool"]},
                   "state": {"enum": ["open", "half-open", "forced-open"]},
                   "failureCount": {"type": "integer", "minimum": 0}}},
               "cause": {"type": "object", "additionalProperties": false,
                 "required": ["exitCode", "signal", "stderrTail", "httpStatus"],
                 "properties": {
                   "exitCode": {"type": ["integer", "null"]}, "signal": {"type": ["string", "null"]},
                   "stderrTail": {"type": "array", "items": {"type": "string"}},
                   "httpStatus": {"type": ["integer", "null"]}}},
               "alternatives": {"type": "array", "items": {"type": "object", "additionalProperties": false,
                 "required": ["server", "tool"],
                 "properties": {"server": {"type": "string"}, "tool": {"type": "string"}}}}}}""";

    private final ArgumentCheck check = new ArgumentCheck();
    private final ControlledServer controlledServer = ControlledServer.of(ControlledServer.DONE);
    private final ControlledServer backup = ControlledServer.of(ControlledServer.DONE);
    private final List<String> seen = new ArrayList<>();

    @AfterEach
    void close() {
        controlledServer.close();
        backup.close();
    }

    /// The object of a failed call, which is as it has to be, whose message begins what is said to models; a
    /// schema stands at its end.
    private JsonView fault(JsonView answer) {
        JsonView fault = Messages.at(answer, "result", "_meta", "fusebox/error");
        assertThat(Messages.at(answer, "result", "isError").isTrue()).isTrue();
        assertThat(check.check("error", Messages.read(SCHEMA), fault))
                .as(fault.json())
                .isNull();
        JsonView schema = fault.member("inputSchema");
        assertThat(Messages.said(answer))
                .startsWith(Messages.text(fault, "message"))
                .endsWith(schema == null ? "" : " Its schema: " + schema.json());
        seen.add(Messages.text(fault, "code"));
        return fault;
    }

    @Test
    void the_schema_refuses_what_is_no_such_object() {
        JsonView wrong =
                Messages.read("{\"code\":\"broken\",\"server\":\"a\",\"category\":\"http\",\"outcome\":\"sent\","
                        + "\"message\":\"\",\"more\":1}");
        assertThat(check.check("error", Messages.read(SCHEMA), wrong)).hasSizeGreaterThanOrEqualTo(4);
    }

    @Test
    void a_refusal_has_all_of_it() {
        ManualTime time = new ManualTime();
        try (GatewayHarness gateway = GatewayHarness.plan()
                .breakersIn(time)
                .server(TestServer.at("jira", controlledServer.uri())
                        .pipeline(pipeline -> pipeline.with(Preset.METAMCP.policy())))
                .server(TestServer.at("jira-backup", backup.uri()))
                .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("jira__work", "jira-backup__work");
            controlledServer.answer(Reply.of(503));
            for (int i = 0; i < 5; i++) {
                assertThat(fault(client.call("jira__work", "{}")).json())
                        .contains("\"cause\":{\"exitCode\":null,\"signal\":null,\"stderrTail\":[],\"httpStatus\":503}");
            }
            time.advance(Duration.ofSeconds(1));
            JsonView answer = client.call("jira__work", "{}");
            JsonView fault = fault(answer);
            String message = Messages.text(fault, "message");
            assertThat(message).startsWith("Circuit breaker 'jira' is open").contains("2026-01-01T00:00:30");
            assertThat(fault.json())
                    .isEqualTo("{\"code\":\"breaker_open\",\"server\":\"jira\",\"tool\":\"work\",\"category\":\"http\","
                            + "\"outcome\":\"not_sent\",\"message\":"
                            + Messages.at(fault, "message").json()
                            + ",\"retryAfterMs\":29000,\"retryAt\":\"2026-01-01T00:00:30Z\",\"breaker\":{\"name\":"
                            + "\"jira\",\"scope\":\"server\",\"state\":\"open\",\"failureCount\":5},"
                            + "\"alternatives\":[{\"server\":\"jira-backup\",\"tool\":\"work\"}],"
                            + "\"id\":\"breaker-open\",\"help\":\"docs/errors/breaker-open.md\"}");
        }
    }

    @Test
    void forced_open_breaker_has_no_retry_time() {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server(TestServer.at("jira", controlledServer.uri()))
                .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("jira__work");
            gateway.breakers().breaker("jira").forceOpen("maintenance until noon");
            JsonView fault = fault(client.call("jira__work", "{}"));
            assertThat(Messages.text(fault, "breaker", "state")).isEqualTo("forced-open");
            assertThat(Messages.text(fault, "message")).contains("maintenance until noon");
            assertThat(Messages.at(fault, "retryAfterMs").json()).isEqualTo("null");
            assertThat(fault.member("retryAt")).isNull();
        }
    }

    @Test
    void crash_has_exit_code_and_stderr_tail() {
        String last = "echo 'cannot open /data' >&2; exit 7";
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server(TestServer.of("dead", ChildSpec.of("sh", "-c", last)).with(EraPolicy.SESSION))
                .server("shot", SingleServerHarness.script(Era.LEGACY))
                .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            assertThat(fault(client.call("dead__any", "{}")).json())
                    .contains("\"outcome\":\"not_sent\"", "\"exitCode\":7", "cannot open /data");
            assertThat(fault(client.call("shot__crash", "{\"how\":\"KILL\"}")).json())
                    .contains("\"outcome\":\"unknown\"", "\"exitCode\":137,\"signal\":\"SIGKILL\"");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = EraPolicy.class,
            names = {"SESSION", "AUTO"})
    void starting_server_is_reported_with_a_retry_time(EraPolicy era) {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server(TestServer.of("mute", ChildSpec.of("sleep", "1000"))
                        .with(era)
                        .within(Duration.ofMillis(500)))
                .open()) {
            JsonView fault = fault(GatewayClient.of(gateway).call("mute__any", "{}"));
            assertThat(Messages.text(fault, "code") + " " + Messages.text(fault, "outcome"))
                    .isEqualTo("timeout not_sent");
            assertThat(Messages.text(fault, "message")).contains("still starting", "try again in 1 s");
            assertThat(Messages.at(fault, "retryAfterMs").json()).isEqualTo("1000");
        }
    }

    private void gather(GatewayClient client, String tool, Consumer<ControlledServer> trouble) {
        trouble.accept(controlledServer);
        fault(client.call(tool, "{}"));
    }

    @Test
    void every_failure_has_the_same_error_object() throws Exception {
        FairBulkhead.Limits narrow = new FairBulkhead.Limits(1, 0, 1 << 20);
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server(TestServer.at("shop", controlledServer.uri()).pipeline(pipeline -> pipeline.with(narrow)))
                .server(TestServer.at("strict", controlledServer.uri()))
                .server(TestServer.at("unreachable", URI.create("http://127.0.0.1:1/mcp"))
                        .pipeline(pipeline -> pipeline.with(pipeline.retry())))
                .server(TestServer.of("slow", SingleServerHarness.script(Era.LEGACY))
                        .within(Duration.ofMillis(500)))
                .absent(new UnavailableServer("off", CallFailure.policy(ErrorId.SERVER_DISABLED, "off is disabled")))
                .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            // First: each list asks it again what it has, until its breaker opens.
            gather(client, "unreachable__any", server -> {});
            client.eventuallySees("shop__work", "strict__work", "slow__slow");
            gather(client, "strict__work", server -> server.answer(Reply.of(401)));
            gather(client, "shop__work", server -> server.answer(Reply.of(500)));
            gather(client, "shop__work", server -> server.answer(Reply.of(200)));
            gather(client, "shop__work", server -> server.answer(Reply.of(429).asking("Retry-After", "1")));
            gather(client, "shop__nothing", server -> {});
            gather(client, "none__any", server -> {});
            gather(client, "off__any", server -> {});
            fault(client.call("shop__work", "{\"n\":\"one\"}"));
            fault(client.call("slow__slow", "{\"ms\":600000}"));
            assertThat(seen)
                    .contains("auth_required", "http_error", "protocol_violation", "overloaded", "connect_failed")
                    .contains("unknown_tool", "unknown_server", "server_disabled", "invalid_arguments", "timeout");
        }
    }

    @Test
    void what_is_no_call_of_a_tool_has_the_object_in_its_error() {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server(TestServer.at("shop", controlledServer.uri()))
                .absent(new UnavailableServer("off", CallFailure.policy(ErrorId.SERVER_DISABLED, "off is disabled")))
                .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("shop__work");
            gateway.breakers().breaker("shop").forceOpen("closed today");
            assertThat(inError(client.ask("prompts/get", ",\"name\":\"shop__greeting\"")))
                    .isEqualTo("unknown_tool");
            assertThat(inError(client.ask("resources/read", ",\"uri\":\"fusebox://shop/a%3Ab\"")))
                    .isEqualTo("breaker_open");
            assertThat(inError(client.ask("prompts/get", ",\"name\":\"off__greeting\"")))
                    .isEqualTo("server_disabled");
            assertThat(inError(client.ask("resources/read", ",\"uri\":\"fusebox://off/a%3Ab\"")))
                    .isEqualTo("server_disabled");
            assertThat(inError(client.ask("prompts/get", ",\"name\":\"unreachable__greeting\"")))
                    .isEqualTo("unknown_server");
        }
    }

    /// The code of the object in an error; that of a thing that is not there is as of any server, without an
    /// object.
    private String inError(JsonView answer) {
        JsonView error = Messages.at(answer, "error");
        assertThat(Messages.text(error, "message")).isNotEmpty();
        JsonView fault = error.path("data", "fusebox/error");
        if (fault == null) {
            return "unknown_tool";
        }
        assertThat(check.check("error", Messages.read(SCHEMA), fault))
                .as(fault.json())
                .isNull();
        assertThat(fault.member("tool")).isNull();
        return Messages.text(fault, "code");
    }
}
