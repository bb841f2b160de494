package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.BreakerPolicy;
import dev.fusebox.breaker.State;
import dev.fusebox.breaker.TripRule;
import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.client.resilience.RetrySafety;
import dev.fusebox.config.EraPolicy;
import dev.fusebox.config.LifecycleSettings;
import dev.fusebox.config.PoolRules;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.gateway.catalog.CatalogKind;
import dev.fusebox.gateway.catalog.ToolFilter;
import dev.fusebox.gateway.catalog.ToolRenaming;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.era.Wire;
import dev.fusebox.gateway.lifecycle.LifecycleEvent;
import dev.fusebox.gateway.routing.GatewayClient.Manner;
import dev.fusebox.gateway.upstream.ServerPolicy;
import dev.fusebox.gateway.upstream.UnavailableServer;
import dev.fusebox.protocol.JsonView;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Servers that join, leave and change while clients call them. Over five seconds: a call has to last longer than
/// another server takes to start on a busy machine.
@Tag("process")
@Timeout(120)
class ComingAndGoingTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String CHANGED = "notifications/tools/list_changed";
    private static final String TEXT = "test://static-text";
    private static final ReloadAction STAYS = new ReloadAction.Unchanged("stays");
    private static final UnavailableServer DISABLED =
            new UnavailableServer("moves", CallFailure.policy(ErrorId.SERVER_DISABLED, "moves is disabled"));

    /// Crashes count for the server, whichever tool causes them.
    private static final PipelineRules.Tools PLAIN =
            new PipelineRules.Tools(true, PipelineRules.Tools.USUAL.policy(), false, 0);

    /// A server whose environment says which configuration it was started by.
    private static TestServer testServer(String name, String version) {
        return TestServer.of(
                        name,
                        SingleServerHarness.server(SingleServerHarness.script(Era.BOTH))
                                .withEnv(Map.of("VERSION", version)))
                .pipeline(pipeline -> pipeline.with(PLAIN));
    }

    private static GatewayHarness gateway() {
        return GatewayHarness.plan()
                .server(testServer("stays", "1"))
                .server(testServer("moves", "1"))
                .open();
    }

    private static String version(GatewayClient client, String server) {
        return Messages.said(client.call(server + "__env", "{\"name\":\"VERSION\"}"));
    }

    /// A call that is under way at the server when this returns, unless the machine stood still.
    private static Future<JsonView> slow(GatewayHarness gateway, String server, long millis) {
        GatewayClient client = GatewayClient.of(gateway);
        FutureTask<JsonView> call = new FutureTask<>(() -> client.call(server + "__slow", "{\"ms\":" + millis + "}"));
        Thread.ofVirtual().start(call);
        eventually("the call is in flight", () -> gateway.server(server).calls().isWorking() || call.isDone());
        return call;
    }

    private static JsonView answer(Future<JsonView> call) throws Exception {
        return call.get(60, TimeUnit.SECONDS);
    }

    private static long pid(GatewayHarness gateway, GatewayClient client, String server) {
        List<Long> before = gateway.processes();
        version(client, server);
        return gateway.processes().stream()
                .filter(pid -> !before.contains(pid))
                .findFirst()
                .orElseThrow();
    }

    private static @Nullable String told(Wire.Stream stream) throws Exception {
        return Messages.method(Objects.requireNonNull(stream.next()));
    }

    @ParameterizedTest
    @EnumSource
    void added_server_is_listed_announced_and_callable(Manner manner) throws Exception {
        try (GatewayHarness gateway = gateway()) {
            GatewayClient client = GatewayClient.of(gateway, manner);
            client.eventuallySees("stays__echo", "moves__echo");
            GatewayClient listener = GatewayClient.of(gateway);
            try (Wire.Stream stream = listener.wire().open(Messages.listen(900, "{\"toolsListChanged\":true}"))) {
                assertThat(stream.next()).isNotNull();
                gateway.reload(
                        List.of(STAYS, new ReloadAction.Unchanged("moves"), gateway.added(testServer("joins", "1"))),
                        LONG);
                String word = told(stream);
                while (gateway.servers().catalog().find(CatalogKind.TOOLS, "joins__echo") == null) {
                    word = told(stream);
                }
                assertThat(word).endsWith("/list_changed");
                assertThat(client.tools()).contains("joins__echo", "stays__echo", "moves__echo");
            }
            assertThat(version(client, "joins")).isEqualTo("1");
        }
    }

    @Test
    void a_server_that_leaves_finishes_what_it_does_and_its_tools_are_gone_at_once() throws Exception {
        leaves(List.of(STAYS), "unknown_server policy not_sent");
    }

    /// F80
    @Test
    void so_does_one_that_is_disabled() throws Exception {
        leaves(List.of(STAYS, new ReloadAction.Missing(DISABLED)), "server_disabled policy not_sent");
    }

    /// F80: a name that is gone, and another in its place.
    @Test
    void one_that_is_renamed_finishes_what_it_does_under_its_old_name() throws Exception {
        try (GatewayHarness gateway = gateway()) {
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("stays__echo", "moves__echo");
            Future<JsonView> slow = slow(gateway, "moves", 1500);
            gateway.reload(List.of(STAYS, gateway.added(testServer("renamed", "1"))), LONG);
            assertThat(client.failure("moves__echo")).isEqualTo("unknown_server policy not_sent");
            assertThat(version(client, "renamed")).isEqualTo("1");
            assertThat(Messages.said(answer(slow))).isEqualTo("waited 1500 ms");
            client.eventuallySees("renamed__echo");
            assertThat(client.tools()).noneMatch(tool -> tool.startsWith("moves__"));
        }
    }

    /// F64
    @Test
    void a_call_that_is_under_way_is_not_touched_by_what_becomes_of_another_server() throws Exception {
        try (GatewayHarness gateway = gateway()) {
            GatewayClient client = GatewayClient.of(gateway);
            long stays = pid(gateway, client, "stays");
            assertThat(version(client, "moves")).isEqualTo("1");
            Future<JsonView> slow = slow(gateway, "stays", 6000);
            gateway.reload(List.of(STAYS, gateway.added(testServer("moves", "2"))), LONG);
            assertThat(version(client, "moves")).isEqualTo("2");
            gateway.reload(List.of(STAYS), LONG);
            assertThat(slow.isDone()).isFalse();
            assertThat(Messages.said(answer(slow))).isEqualTo("waited 6000 ms");
            eventually(
                    "only the process that stays is running",
                    () -> assertThat(gateway.processes()).isEqualTo(List.of(stays)));
        }
    }

    private static void leaves(List<ReloadAction> reloadActions, String failure) throws Exception {
        try (GatewayHarness gateway = gateway()) {
            GatewayClient client = GatewayClient.of(gateway);
            long stays = pid(gateway, client, "stays");
            client.eventuallySees("stays__echo", "moves__echo");
            try (Wire.Stream stream = client.wire().open(Messages.listen(900, "{\"toolsListChanged\":true}"))) {
                assertThat(stream.next()).isNotNull();
                GatewayClient other = GatewayClient.of(gateway);
                Future<JsonView> slow = slow(gateway, "moves", 1500);
                gateway.reload(reloadActions, LONG);
                assertThat(other.failure("moves__echo")).isEqualTo(failure);
                assertThat(other.tools()).contains("stays__echo").noneMatch(tool -> tool.startsWith("moves__"));
                assertThat(Messages.said(answer(slow))).isEqualTo("waited 1500 ms");
                eventually(
                        "only the process that stays is running",
                        () -> assertThat(gateway.processes()).isEqualTo(List.of(stays)));
                assertThat(gateway.breakers().names())
                        .noneMatch(name -> name.server().equals("moves"));
                assertThat(told(stream)).isEqualTo(CHANGED);
                other.call("stays__test_trigger_tool_change", "{}");
                other.eventuallySees("stays__tool-of-change");
                assertThat(told(stream)).isEqualTo(CHANGED);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_server_that_changes_ends_its_calls_where_they_began_and_takes_the_next_as_what_it_is_now(Manner manner)
            throws Exception {
        try (GatewayHarness gateway = gateway()) {
            GatewayClient client = GatewayClient.of(gateway, manner);
            long stays = pid(gateway, client, "stays");
            long first = pid(gateway, client, "moves");
            client.eventuallySees("stays__echo", "moves__echo");
            Future<JsonView> slow = slow(gateway, "moves", 6000);
            gateway.reload(List.of(STAYS, gateway.added(testServer("moves", "2"))), LONG);
            assertThat(version(client, "moves")).isEqualTo("2");
            assertThat(gateway.processes()).contains(first, stays);
            assertThat(slow.isDone()).isFalse();
            assertThat(Messages.said(answer(slow))).isEqualTo("waited 6000 ms");
            eventually(
                    "the first process has ended",
                    () -> assertThat(gateway.processes()).doesNotContain(first));
            eventually(
                    "two server processes are running",
                    () -> assertThat(gateway.processes()).hasSize(2));
            assertThat(gateway.processes()).contains(stays);
            assertThat(version(client, "moves")).isEqualTo("2");
        }
    }

    @Test
    void change_without_effect_on_tools_is_not_notified_and_tools_stay_listed() throws Exception {
        try (GatewayHarness gateway = gateway()) {
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("stays__echo", "moves__echo");
            try (Wire.Stream stream = client.wire().open(Messages.listen(900, "{\"toolsListChanged\":true}"))) {
                assertThat(stream.next()).isNotNull();
                GatewayClient other = GatewayClient.of(gateway);
                List<String> before = other.tools();
                gateway.reload(List.of(STAYS, gateway.added(testServer("moves", "2"))), LONG);
                assertThat(other.tools()).isEqualTo(before);
                assertThat(version(other, "moves")).isEqualTo("2");
                gateway.reload(List.of(STAYS), LONG);
                assertThat(told(stream)).isEqualTo(CHANGED);
                assertThat(other.tools()).noneMatch(tool -> tool.startsWith("moves__"));
            }
        }
    }

    @Test
    void calls_that_take_longer_than_the_drain_are_ended_with_their_server() throws Exception {
        try (GatewayHarness gateway = gateway()) {
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("moves__echo");
            Future<JsonView> slow = slow(gateway, "moves", 600_000);
            gateway.reload(List.of(STAYS, gateway.added(testServer("moves", "2"))), Duration.ofMillis(50));
            assertThat(Messages.kind(answer(slow))).startsWith("cancelled local");
            assertThat(Messages.said(answer(slow))).isEqualTo("moves was stopped by the gateway before it responded");
            assertThat(version(client, "moves")).isEqualTo("2");
        }
    }

    @Test
    void other_rules_leave_the_process_and_its_calls_alone() throws Exception {
        try (GatewayHarness gateway = gateway()) {
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("stays__echo", "moves__echo");
            // What was started to find out an era may take its time to end.
            eventually(
                    "two server processes are running",
                    () -> assertThat(gateway.processes()).hasSize(2));
            List<Long> before = gateway.processes();
            Future<JsonView> slow = slow(gateway, "moves", 1500);
            ToolFilter some = new ToolFilter(List.of("*"), List.of("fail"));
            RetrySafety safety = ServerPolicy.within(LONG).retrySafety();
            ServerPolicy brief = new ServerPolicy(
                    Duration.ofMillis(300), some, ToolRenaming.none(), safety, Map.of(), null, Long.MAX_VALUE);
            // A busy machine takes its time to answer the ping that follows a timeout.
            PipelineRules patient = PipelineRules.of("moves", false).withPing(LONG);
            gateway.reload(
                    List.of(
                            STAYS,
                            new ReloadAction.RulesChanged("moves", patient, brief, LifecycleSettings.usual(true))),
                    LONG);
            assertThat(client.tools()).contains("moves__echo").doesNotContain("moves__fail");
            assertThat(Messages.kind(client.call("moves__slow", "{\"ms\":60000}")))
                    .startsWith("timeout");
            assertThat(Messages.said(answer(slow))).isEqualTo("waited 1500 ms");
            assertThat(gateway.processes()).isEqualTo(before);
        }
    }

    @Test
    void breaker_is_kept_under_the_same_policy_and_replaced_under_another() {
        try (GatewayHarness gateway = gateway()) {
            GatewayClient client = GatewayClient.of(gateway);
            crash(gateway, client);
            PipelineRules same = PipelineRules.of("moves", false)
                    .withPing(Duration.ofSeconds(1))
                    .with(PLAIN);
            ServerPolicy rules = ServerPolicy.within(LONG);
            gateway.reload(
                    List.of(STAYS, new ReloadAction.RulesChanged("moves", same, rules, LifecycleSettings.usual(true))),
                    LONG);
            assertThat(failures(gateway)).isEqualTo(1);
            PipelineRules other = same.with(BreakerPolicy.defaults().with(new TripRule.Consecutive(2)));
            gateway.reload(
                    List.of(STAYS, new ReloadAction.RulesChanged("moves", other, rules, LifecycleSettings.usual(true))),
                    LONG);
            assertThat(failures(gateway)).isZero();
            assertThat(version(client, "moves")).isEqualTo("1");
            client.call("moves__crash", "{}");
            client.call("moves__crash", "{}");
            eventually(
                    "the breaker of moves is open",
                    () -> assertThat(gateway.breaker(BreakerName.of("moves")).state())
                            .isEqualTo(State.OPEN));
        }
    }

    @Test
    void a_server_that_is_another_now_begins_with_breakers_that_have_counted_nothing() {
        try (GatewayHarness gateway = gateway()) {
            GatewayClient client = GatewayClient.of(gateway);
            crash(gateway, client);
            gateway.reload(List.of(STAYS, gateway.added(testServer("moves", "2"))), LONG);
            assertThat(failures(gateway)).isZero();
            assertThat(version(client, "moves")).isEqualTo("2");
        }
    }

    private static void crash(GatewayHarness gateway, GatewayClient client) {
        client.call("moves__crash", "{}");
        eventually("one failure is counted", () -> assertThat(failures(gateway)).isEqualTo(1));
    }

    private static long failures(GatewayHarness gateway) {
        return gateway.breaker(BreakerName.of("moves")).failureCount();
    }

    @Test
    void forced_open_breaker_survives_changes_of_its_server() {
        BreakerName server = BreakerName.of("moves");
        BreakerName tool = server.tool("env");
        try (GatewayHarness gateway = gateway()) {
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("moves__env");
            assertThat(version(client, "moves")).isEqualTo("1");
            gateway.breakers().breaker(server).forceOpen("maintenance");
            gateway.breakers().find(tool).orElseThrow().forceOpen("it leaks");
            PipelineRules other = PipelineRules.of("moves", false)
                    .with(BreakerPolicy.defaults().with(new TripRule.Consecutive(2)));
            ServerPolicy rules = ServerPolicy.within(LONG);
            gateway.reload(
                    List.of(STAYS, new ReloadAction.RulesChanged("moves", other, rules, LifecycleSettings.usual(true))),
                    LONG);
            assertThat(client.failure("moves__echo")).startsWith("breaker_open");
            gateway.reload(List.of(STAYS, gateway.added(testServer("moves", "2"))), LONG);
            assertThat(client.failure("moves__echo")).startsWith("breaker_open");
            assertThat(gateway.breaker(server).operatorReason()).isEqualTo("maintenance");
            gateway.breakers().breaker(server).reset();
            assertThat(client.failure("moves__env")).startsWith("tool_breaker_open");
            assertThat(gateway.breaker(tool).operatorReason()).isEqualTo("it leaks");
            gateway.breakers().breaker(tool).reset();
            assertThat(version(client, "moves")).isEqualTo("2");
        }
    }

    @Test
    void disabled_server_is_reported_and_returns_when_enabled() {
        try (GatewayHarness gateway = gateway()) {
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("moves__echo");
            gateway.reload(List.of(STAYS, new ReloadAction.Missing(DISABLED)), LONG);
            assertThat(client.failure("moves__echo")).isEqualTo("server_disabled policy not_sent");
            assertThat(client.tools()).noneMatch(tool -> tool.startsWith("moves__"));
            gateway.reload(List.of(STAYS, gateway.added(testServer("moves", "2"))), LONG);
            client.eventuallySees("moves__echo");
            assertThat(version(client, "moves")).isEqualTo("2");
        }
    }

    @Test
    void enabled_server_is_announced_before_it_is_callable() {
        AtomicReference<UpstreamServers> servers = new AtomicReference<>();
        List<String> told = new CopyOnWriteArrayList<>();
        LifecycleEvent.Listener listener = (server, event) -> {
            boolean isThere = servers.get() != null && servers.get().server("moves") != null;
            if (server.equals("moves") && event instanceof LifecycleEvent.StatusChanged changed) {
                told.add(changed.previous() + " to " + changed.status() + (isThere ? ", there" : ", not there"));
            }
        };
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server(testServer("stays", "1"))
                .server(testServer("moves", "1"))
                .lifecycleListener(listener)
                .open()) {
            servers.set(gateway.servers());
            gateway.reload(List.of(STAYS, new ReloadAction.Missing(DISABLED)), LONG);
            gateway.reload(List.of(STAYS, gateway.added(testServer("moves", "2"))), LONG);
        }
        assertThat(told).startsWith("idle to disabled, not there", "disabled to idle, not there");
    }

    @Test
    void resource_subscription_continues_on_the_replacing_server() throws Exception {
        try (GatewayHarness gateway = gateway()) {
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("stays__echo", "moves__echo");
            String watched = "fusebox://moves/" + URLEncoder.encode(TEXT, UTF_8);
            String filter = "{\"resourceSubscriptions\":[\"" + watched + "\"]}";
            try (Wire.Stream stream = client.wire().open(Messages.listen(900, filter))) {
                assertThat(Messages.at(Objects.requireNonNull(stream.next()), "params")
                                .json())
                        .contains(watched);
                GatewayClient other = GatewayClient.of(gateway);
                gateway.reload(List.of(STAYS, gateway.added(testServer("moves", "2"))), LONG);
                FutureTask<String> told = new FutureTask<>(() -> told(stream));
                Thread.ofVirtual().start(told);
                eventually("the other client is notified", () -> isTold(other, told));
                assertThat(told.get()).isEqualTo("notifications/resources/updated");
            }
        }
    }

    private static boolean isTold(GatewayClient other, Future<String> told) {
        other.call("moves__touch", "{\"uri\":\"" + TEXT + "\"}");
        return told.isDone();
    }

    /// The versions that a caller meets who calls all the time.
    private static FutureTask<List<String>> caller(GatewayClient client, AtomicBoolean over) {
        FutureTask<List<String>> caller = new FutureTask<>(() -> {
            List<String> versions = new ArrayList<>();
            while (!over.get()) {
                versions.add(version(client, "moves"));
            }
            return versions;
        });
        Thread.ofVirtual().start(caller);
        return caller;
    }

    @Test
    void not_one_call_is_lost_while_its_server_is_replaced_again_and_again() throws Exception {
        try (GatewayHarness gateway = gateway()) {
            AtomicBoolean over = new AtomicBoolean();
            List<FutureTask<List<String>>> callers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                callers.add(caller(GatewayClient.of(gateway), over));
            }
            GatewayClient client = GatewayClient.of(gateway);
            for (int version = 2; version <= 8; version++) {
                gateway.reload(List.of(STAYS, gateway.added(testServer("moves", "" + version))), LONG);
                assertThat(version(client, "moves")).isEqualTo("" + version);
            }
            over.set(true);
            for (FutureTask<List<String>> caller : callers) {
                assertThat(caller.get(60, TimeUnit.SECONDS)).isSorted();
            }
            eventually(
                    "one server process is running",
                    () -> assertThat(gateway.processes()).hasSize(1));
        }
    }

    @Test
    void changed_server_in_a_full_pool_reuses_its_own_slot() {
        GatewayHarness.Plan plan = GatewayHarness.plan().pool(PoolRules.USUAL.withSize(2));
        try (GatewayHarness gateway =
                plan.server(modern("stays", "1")).server(modern("moves", "1")).open()) {
            GatewayClient client = GatewayClient.of(gateway);
            long stays = pid(gateway, client, "stays");
            version(client, "moves");
            for (int next = 2; next < 7; next++) {
                eventually("the server is at rest", gateway.server("moves")::isAtRest);
                gateway.reload(List.of(STAYS, gateway.added(modern("moves", "" + next))), LONG);
                assertThat(version(client, "moves")).isEqualTo("" + next);
                assertThat(gateway.processes()).contains(stays);
            }
        }
    }

    /// One whose era is known: to find it out may take a second place.
    private static TestServer modern(String name, String version) {
        return testServer(name, version).with(EraPolicy.STATELESS);
    }

    @Test
    void no_server_is_added_after_close() {
        GatewayHarness gateway = gateway();
        gateway.close();
        gateway.reload(List.of(STAYS, gateway.added(testServer("joins", "1"))), LONG);
        assertThat(gateway.server("joins").inFlight()).isZero();
        assertThat(gateway.processes()).isEmpty();
    }
}
