package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.tools.CallTool;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Clients are told how long they may use a list, and whether others may.
@Tag("process")
@Timeout(60)
class CacheHintsTest {
    private static final ExposurePolicy META = new ExposurePolicy(false, Set.of(), List.of(new CallTool()));
    private static final long MINUTE = 60_000;

    private final AtomicLong ahead = new AtomicLong();

    /// With a clock that the test moves ahead.
    private GatewayHarness.Plan plan() {
        Platform real = SingleServerHarness.PLATFORM;
        return GatewayHarness.plan(new Platform(
                () -> real.ticker().nanos() + ahead.get(),
                real.wallClock(),
                real.random(),
                real.timers(),
                real.environment(),
                real.processes(),
                real.peerUsers()));
    }

    private static JsonView hints(GatewayHarness gateway, String method) {
        return Messages.at(GatewayClient.of(gateway).ask(method, ""), "result");
    }

    private static long ttl(GatewayHarness gateway, String method) {
        return Long.parseLong(Messages.at(hints(gateway, method), "ttlMs").json());
    }

    private static @Nullable String scope(GatewayHarness gateway, String method) {
        return hints(gateway, method).string("cacheScope");
    }

    @Test
    void list_has_the_shortest_time_of_all_servers_less_its_age() {
        try (ControlledServer slow = ControlledServer.of(ControlledServer.DONE).caching(600_000, "public");
                ControlledServer quick =
                        ControlledServer.of(ControlledServer.DONE).caching(MINUTE, "public");
                GatewayHarness gateway = plan().server(TestServer.at("slow", slow.uri()))
                        .server(TestServer.at("quick", quick.uri()))
                        .open()) {
            gateway.start("slow");
            gateway.start("quick");
            assertThat(ttl(gateway, "tools/list")).isBetween(1L, MINUTE);
            ahead.addAndGet(Duration.ofSeconds(20).toNanos());
            assertThat(ttl(gateway, "tools/list")).isBetween(1L, MINUTE - 20_000);
        }
    }

    @Test
    void list_whose_time_is_over_is_read_again() {
        try (ControlledServer server =
                        ControlledServer.of(ControlledServer.DONE).caching(MINUTE, "public");
                GatewayHarness gateway =
                        plan().server(TestServer.at("one", server.uri())).open()) {
            gateway.start("one");
            int before = server.lists();
            assertThat(ttl(gateway, "tools/list")).isPositive();
            ahead.addAndGet(Duration.ofSeconds(61).toNanos());
            assertThat(ttl(gateway, "tools/list")).isZero();
            eventually(
                    "the list is read again", () -> assertThat(server.lists()).isEqualTo(before + 1));
            eventually(
                    "the list has its time again",
                    () -> assertThat(ttl(gateway, "tools/list")).isBetween(1L, MINUTE));
        }
    }

    @Test
    void list_of_a_server_that_says_nothing_or_cannot_be_reached_has_no_time() {
        try (ControlledServer server = ControlledServer.of(ControlledServer.DONE);
                GatewayHarness gateway =
                        plan().server(TestServer.at("one", server.uri())).open()) {
            gateway.start("one");
            assertThat(ttl(gateway, "tools/list")).isZero();
        }
        try (GatewayHarness gateway =
                plan().process("gone", ChildSpec.of("/no/such/program")).open()) {
            assertThat(ttl(gateway, "tools/list")).isZero();
        }
    }

    @Test
    void list_of_a_legacy_server_that_announces_changes_has_a_minute_while_it_is_connected() {
        try (GatewayHarness gateway =
                plan().server("old", SingleServerHarness.script(Era.LEGACY)).open()) {
            gateway.start("old");
            eventually(
                    "the list may be kept",
                    () -> assertThat(ttl(gateway, "tools/list")).isEqualTo(MINUTE));
        }
    }

    @Test
    void list_of_gateway_tools_has_ttl_of_five_minutes_unless_it_names_tools_of_servers() {
        try (ControlledServer server =
                        ControlledServer.of(ControlledServer.DONE).caching(MINUTE, "public");
                GatewayHarness gateway = plan().server(TestServer.at("one", server.uri()))
                        .exposure(META)
                        .open()) {
            assertThat(ttl(gateway, "tools/list")).isEqualTo(300_000);
            assertThat(ttl(gateway, "server/discover"))
                    .as("the instructions say that the tools are not known yet")
                    .isZero();
            gateway.start("one");
            assertThat(ttl(gateway, "server/discover")).isBetween(1L, MINUTE);
            gateway.servers().pendingServers().expect("two");
            assertThat(ttl(gateway, "server/discover")).isZero();
        }
    }

    @Test
    void list_is_public_only_if_it_is_the_same_for_all_and_no_server_calls_it_private() {
        try (ControlledServer open = ControlledServer.of(ControlledServer.DONE).caching(MINUTE, "public");
                ControlledServer closed =
                        ControlledServer.of(ControlledServer.DONE).caching(MINUTE, "private");
                GatewayHarness gateway =
                        plan().server(TestServer.at("open", open.uri())).open()) {
            gateway.start("open");
            assertThat(scope(gateway, "tools/list")).isEqualTo("private");
            gateway.servers().setSharedLists();
            assertThat(scope(gateway, "tools/list")).isEqualTo("public");
            assertThat(scope(gateway, "server/discover")).isEqualTo("public");
            gateway.reload(
                    List.of(new ReloadAction.Unchanged("open"), gateway.added(TestServer.at("closed", closed.uri()))),
                    Duration.ZERO);
            gateway.start("closed");
            assertThat(scope(gateway, "tools/list")).isEqualTo("private");
        }
    }

    @Test
    void answers_of_a_server_that_gets_credentials_are_private() {
        UserLogins withCredentials = new UserLogins() {
            @Override
            public @Nullable UserLogin begin(String server, CallFailure failure, UserLogin.Listener listener) {
                return null;
            }

            @Override
            public boolean hasCredentials(String server) {
                return server.equals("mine");
            }
        };
        String resources = "[{\"uri\":\"a://b\",\"name\":\"b\"}]";
        try (ControlledServer mine = ControlledServer.of(ControlledServer.DONE)
                        .caching(MINUTE, "public")
                        .with("mine", resources, "[]");
                ControlledServer open = ControlledServer.of(ControlledServer.DONE)
                        .caching(MINUTE, "public")
                        .with("open", resources.replace("a://", "c://"), "[]");
                GatewayHarness gateway = plan().server(TestServer.at("mine", mine.uri()))
                        .server(TestServer.at("open", open.uri()))
                        .userLogins(withCredentials)
                        .open()) {
            gateway.servers().setSharedLists();
            gateway.start("mine");
            gateway.start("open");
            assertThat(scope(gateway, "tools/list")).isEqualTo("private");
            GatewayClient client = GatewayClient.of(gateway);
            JsonView read = Messages.at(client.ask("resources/read", ",\"uri\":\"a://b\""), "result");
            assertThat(read.string("cacheScope")).isEqualTo("private");
            assertThat(read.member("ttlMs")).as("its own time").hasToString("60000");
            assertThat(Messages.at(client.ask("resources/read", ",\"uri\":\"c://b\""), "result")
                            .string("cacheScope"))
                    .isEqualTo("public");
        }
    }

    @Test
    void all_pages_of_a_list_have_the_scope_of_the_first() {
        List<VisibleCatalog.Row> rows = IntStream.range(0, 2_500)
                .mapToObj(n -> new VisibleCatalog.Row("tool p " + n, "{\"name\":\"" + n + "\"}"))
                .toList();
        ListPages.Page first = page(rows, null, true);
        assertThat(first.isPublic()).isTrue();
        ListPages.Page second = page(rows, first.next(), true);
        assertThat(second.isPublic()).isTrue();
        assertThat(second.items()).startsWith("[{\"name\":\"1000\"}");
        assertThat(ListPages.page(rows, first.next(), false))
                .as("a page that became private does not continue a public list")
                .isNull();
        ListPages.Page closed = page(rows, null, false);
        assertThat(page(rows, closed.next(), true).isPublic()).isFalse();
    }

    private static ListPages.Page page(List<VisibleCatalog.Row> rows, @Nullable String cursor, boolean mayBePublic) {
        return Objects.requireNonNull(ListPages.page(rows, cursor, mayBePublic));
    }
}
