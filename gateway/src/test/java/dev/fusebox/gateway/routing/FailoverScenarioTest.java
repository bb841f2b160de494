package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.CircuitBreaker;
import dev.fusebox.breaker.Permit;
import dev.fusebox.breaker.State;
import dev.fusebox.client.resilience.RetryRules;
import dev.fusebox.config.EraPolicy;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.gateway.catalog.CatalogContents;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.gateway.routing.GatewayClient.Manner;
import dev.fusebox.gateway.tools.CallTool;
import dev.fusebox.gateway.upstream.UpstreamServer;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.testkit.ManualTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Servers that step in for others, and servers that are the same.
@Tag("process")
@Timeout(120)
class FailoverScenarioTest {
    private static final String LOST = "server_crashed stdio-exit unknown";

    @TempDir
    private Path folder = Path.of("");

    /// A process whose environment says which it is.
    private static TestServer testServer(String name) {
        return TestServer.of(
                name,
                SingleServerHarness.server(SingleServerHarness.script(Era.BOTH)).withEnv(Map.of("WHO", name)));
    }

    private static String who(GatewayClient client, String server) {
        return Messages.said(client.call(server + "__env", "{\"name\":\"WHO\"}"));
    }

    private static @Nullable String named(JsonView answer) {
        JsonView name = answer.path("result", "_meta", "fusebox/server");
        return name == null ? null : name.string();
    }

    private static void close(GatewayHarness gateway, String server) {
        gateway.breakers().find(BreakerName.of(server)).orElseThrow().forceOpen("maintenance");
    }

    private static void open(GatewayHarness gateway, String server) {
        gateway.breakers().find(BreakerName.of(server)).orElseThrow().reset();
    }

    // ---- A backup

    @Test
    void backup_answers_for_a_failed_server_and_is_named() {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server(testServer("one").policy(old -> old.backedBy("two")))
                .server(testServer("two"))
                .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("one__env", "two__env");
            close(gateway, "one");
            JsonView answer = client.call("one__env", "{\"name\":\"WHO\"}");
            assertThat(Messages.said(answer)).isEqualTo("two");
            assertThat(named(answer)).isEqualTo("two");
            assertThat(named(client.call("two__env", "{}"))).isNull();
            open(gateway, "one");
            JsonView again = client.call("one__env", "{\"name\":\"WHO\"}");
            assertThat(Messages.said(again)).isEqualTo("one");
            assertThat(named(again)).isNull();
        }
    }

    @Test
    void unused_backup_serves_for_a_server_that_cannot_start() {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server(TestServer.of(
                                "one",
                                SingleServerHarness.server(SingleServerHarness.script(Era.LEGACY, "exit-at-start=3")))
                        .policy(old -> old.backedBy("two")))
                .server(testServer("two"))
                .open()) {
            for (Manner manner : Manner.values()) {
                assertThat(who(GatewayClient.of(gateway, manner), "one")).isEqualTo("two");
            }
        }
    }

    @Test
    void what_may_have_run_is_not_made_again_elsewhere() throws Exception {
        Path journal = folder.resolve("two");
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server(TestServer.of("one", SingleServerHarness.script(Era.LEGACY, "crash-before=3"))
                        .policy(old -> old.backedBy("two")))
                .server(TestServer.of("two", SingleServerHarness.noting(journal, Era.LEGACY)))
                .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("one__fail", "two__fail");
            assertThat(Messages.kind(client.call("one__fail", "{}"))).isEqualTo(LOST);
            assertThat(Files.exists(journal) ? Files.readString(journal) : "").doesNotContain("fail");
        }
    }

    @Test
    void what_was_refused_goes_elsewhere_only_if_it_may_be_made_twice() {
        try (ControlledServer sick = ControlledServer.of(ControlledServer.Reply.of(503));
                ControlledServer well = ControlledServer.of(ControlledServer.DONE);
                GatewayHarness gateway = GatewayHarness.plan()
                        .server(TestServer.at("one", sick.uri())
                                .pipeline(pipeline ->
                                        pipeline.with(RetryRules.of(1, List.of(Duration.ofMillis(1)), 0.1, true)))
                                .policy(old -> old.backedBy("two")))
                        .server(TestServer.at("two", well.uri()))
                        .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("one__look", "two__look");
            assertThat(named(client.call("one__look", "{}"))).isEqualTo("two");
            assertThat(Messages.kind(client.call("one__work", "{}"))).isEqualTo("http_error http rejected");
            assertThat(well.calls()).isEqualTo(1);
        }
    }

    @Test
    void a_backup_without_such_a_tool_or_that_is_down_itself_changes_nothing() {
        try (ControlledServer other = ControlledServer.of(ControlledServer.DONE);
                GatewayHarness gateway = GatewayHarness.plan()
                        .server(testServer("one").policy(old -> old.backedBy("two")))
                        .server(TestServer.at("two", other.uri()))
                        .server(testServer("three").policy(old -> old.backedBy("one")))
                        .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("one__env", "two__work", "three__env");
            close(gateway, "one");
            close(gateway, "three");
            assertThat(client.failure("one__env")).startsWith("breaker_open").endsWith("not_sent");
            JsonView answer = client.call("three__env", "{}");
            assertThat(Messages.text(answer, "result", "_meta", "fusebox/error", "server"))
                    .isEqualTo("three");
            assertThat(other.calls()).isZero();
        }
    }

    @Test
    void gateway_tool_finds_backups_and_tools_of_the_same_name() {
        ExposurePolicy exposurePolicy = new ExposurePolicy(false, Set.of(), List.of(new CallTool()));
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server(TestServer.of(
                                "one",
                                SingleServerHarness.server(SingleServerHarness.script(Era.LEGACY, "exit-at-start=3")))
                        .policy(old -> old.backedBy("two")))
                .server(testServer("two"))
                .server(testServer("three"))
                .replicaSet("all", "two", "three")
                .exposure(exposurePolicy)
                .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            for (String server : List.of("one", "all")) {
                String given = "{\"server\":\"" + server + "\",\"tool\":\"env\",\"args\":{\"name\":\"WHO\"}}";
                JsonView answer = client.call("mcp_call", given);
                assertThat(Messages.said(answer)).isIn("two", "three");
                assertThat(named(answer)).isEqualTo(Messages.said(answer));
            }
        }
    }

    // ---- Replicas

    private static GatewayHarness threefold() {
        return threefold(GatewayHarness.plan());
    }

    private static GatewayHarness threefold(GatewayHarness.Plan plan) {
        return plan.server(testServer("a"))
                .server(testServer("b"))
                .server(testServer("c"))
                .replicaSet("all", "a", "b", "c")
                .open();
    }

    /// A call that is under way until the street is closed.
    private static void slow(GatewayHarness gateway, String tool) {
        GatewayClient client = GatewayClient.of(gateway);
        Thread.ofVirtual().start(() -> client.call(tool, "{\"ms\":600000}"));
    }

    private static boolean isIdle(GatewayHarness gateway, String server) {
        UpstreamServer upstreamServer = gateway.server(server);
        return upstreamServer.isKnown() && upstreamServer.isAtRest() && upstreamServer.load() == 0;
    }

    private static boolean hasLists(GatewayHarness gateway, String server) {
        return !gateway.server(server).contents().equals(CatalogContents.NOTHING);
    }

    private static int load(GatewayHarness gateway, String server) {
        return gateway.server(server).load();
    }

    @Test
    void servers_that_are_the_same_are_listed_once_and_each_may_be_called_by_its_own_name() {
        try (GatewayHarness gateway = threefold()) {
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("all__env");
            assertThat(client.tools()).allMatch(tool -> tool.startsWith("all__"));
            assertThat(who(client, "b")).isEqualTo("b");
            JsonView answer = client.call("all__env", "{\"name\":\"WHO\"}");
            assertThat(named(answer)).isEqualTo(Messages.said(answer));
            assertThat(client.names("prompts/list", "prompts", "name")).allMatch(name -> name.startsWith("all__"));
        }
    }

    @Test
    void concurrent_calls_go_to_the_least_loaded_replica() {
        try (GatewayHarness gateway = threefold()) {
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("all__slow");
            List<String> servers = List.of("a", "b", "c");
            // To be asked for lists is something to do, too, and between two lists a server is idle.
            servers.forEach(gateway::eventuallyKnows);
            eventually("all servers are idle", () -> servers.stream().allMatch(each -> isIdle(gateway, each)));
            for (int i = 0; i < 3; i++) {
                int expected = i + 1;
                slow(gateway, "all__slow");
                eventually(
                        "the servers carry the expected load",
                        () -> servers.stream()
                                        .mapToInt(each -> load(gateway, each))
                                        .sum()
                                == expected);
            }
            assertThat(servers).allMatch(each -> load(gateway, each) == 1);
        }
    }

    @Test
    void failed_replica_gets_no_calls_and_a_failed_set_reports_itself() {
        try (GatewayHarness gateway = threefold()) {
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("all__env");
            close(gateway, "a");
            assertThat(who(client, "all")).isIn("b", "c");
            close(gateway, "b");
            assertThat(who(client, "all")).isEqualTo("c");
            close(gateway, "c");
            JsonView answer = client.call("all__env", "{}");
            assertThat(Messages.kind(answer)).startsWith("breaker_open").endsWith("not_sent");
            assertThat(Messages.text(answer, "result", "_meta", "fusebox/error", "server"))
                    .isEqualTo("all");
        }
    }

    /// Its list is what is read first of a process that was started again, and proves nothing.
    @Test
    void server_with_undecided_first_probe_gets_calls_again() {
        ManualTime time = new ManualTime();
        try (GatewayHarness gateway = threefold(GatewayHarness.plan().breakersIn(time))) {
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("all__env");
            // A server whose list is being read has more to do than the others, and its breaker has no place free.
            eventually(
                    "all servers were asked what they have",
                    () -> List.of("a", "b", "c").stream()
                            .allMatch(each -> hasLists(gateway, each) && isIdle(gateway, each)));
            CircuitBreaker breaker =
                    gateway.breakers().find(BreakerName.of("a")).orElseThrow();
            while (breaker.state() == State.CLOSED) {
                permit(breaker).failed("offline");
            }
            assertThat(who(client, "all")).isIn("b", "c");
            time.advance(Duration.ofMinutes(10));
            permit(breaker).abandoned();
            assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);
            assertThat(who(client, "all")).isEqualTo("a");
            assertThat(breaker.state()).isEqualTo(State.CLOSED);
        }
    }

    private static Permit permit(CircuitBreaker breaker) {
        return (Permit) breaker.tryAcquire();
    }

    @Test
    void a_session_stays_where_it_was_and_a_client_without_one_goes_where_there_is_least_to_do() {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server(testServer("a").with(EraPolicy.SESSION))
                .server(testServer("b").with(EraPolicy.SESSION))
                .replicaSet("all", "a", "b")
                .open()) {
            GatewayClient lasting = GatewayClient.of(gateway, Manner.SESSION);
            lasting.eventuallySees("all__env");
            eventually("a and b are idle", () -> isIdle(gateway, "a") && isIdle(gateway, "b"));
            String first = who(lasting, "all");
            slow(gateway, first + "__slow");
            eventually(
                    "the first server carries one call",
                    () -> assertThat(load(gateway, first)).isEqualTo(1));
            assertThat(who(GatewayClient.of(gateway), "all")).isNotEqualTo(first);
            assertThat(who(lasting, "all")).isEqualTo(first);
            close(gateway, first);
            String second = who(lasting, "all");
            assertThat(second).isNotEqualTo(first);
            open(gateway, first);
            assertThat(who(lasting, "all")).isEqualTo(second);
        }
    }

    @Test
    void replica_set_without_callable_replica_is_reported() {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server(testServer("one"))
                .replicaSet("all", "unreachable")
                .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            assertThat(client.failure("all__env")).isEqualTo("connect_failed policy not_sent");
            assertThat(gateway.servers().snapshots())
                    .anyMatch(snapshot -> snapshot.id().equals("all") && snapshot.absent() == ServerStatus.ERROR);
        }
    }
}
