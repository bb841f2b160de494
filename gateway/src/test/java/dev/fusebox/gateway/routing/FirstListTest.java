package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static dev.fusebox.testkit.Eventually.throughout;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.config.PoolRules;
import dev.fusebox.config.SemanticMode;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.gateway.cache.SchemaCache;
import dev.fusebox.gateway.catalog.CatalogContentsJson;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.PipedClient;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.routing.GatewayClient.Manner;
import dev.fusebox.gateway.tools.CallTool;
import dev.fusebox.gateway.tools.DiscoverTool;
import dev.fusebox.gateway.tools.ToolSearch;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The first list is complete, and old lists from the cache are read anew.
@Tag("process")
@Timeout(120)
class FirstListTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    private Path home;

    /// A server that starts so slowly that a list which waits for a second is without it.
    private static ChildSpec slow(Era era) {
        ChildSpec well = SingleServerHarness.server(SingleServerHarness.script(era));
        List<String> words = new ArrayList<>(List.of("-c", "sleep 2; exec \"$@\"", "sh", well.command()));
        words.addAll(well.args());
        return ChildSpec.of("sh", words.toArray(String[]::new));
    }

    private static ExposurePolicy exposurePolicy() {
        return new ExposurePolicy(
                false,
                Set.of(),
                List.of(
                        new DiscoverTool(new ToolSearch(SingleServerHarness.PLATFORM, SemanticMode.OFF), 100),
                        new CallTool()));
    }

    private static Duration since(long begun) {
        return Duration.ofNanos(SingleServerHarness.PLATFORM.ticker().nanos() - begun);
    }

    @ParameterizedTest
    @EnumSource
    void the_first_list_has_the_tools_of_slow_servers_too(Manner manner) {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .firstListWait(LONG)
                .process("old", slow(Era.LEGACY))
                .process("new", slow(Era.MODERN))
                .process("dead", ChildSpec.of("/no/such/command"))
                .open()) {
            assertThat(GatewayClient.of(gateway, manner).tools()).contains("old__echo", "new__echo");
        }
    }

    @Test
    void the_first_list_over_standard_input_has_the_tools_of_slow_servers_too() throws Exception {
        try (GatewayHarness gateway = GatewayHarness.plan()
                        .firstListWait(LONG)
                        .process("old", slow(Era.LEGACY))
                        .open();
                PipedClient only = gateway.onlyClient()) {
            only.wire().hello(Messages.PLAIN);
            assertThat(only.wire()
                            .answer(Messages.request(1, "tools/list", "{}"))
                            .json())
                    .contains("old__echo");
        }
    }

    @Test
    void the_first_discover_finds_the_tools_of_slow_servers_too() {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .firstListWait(LONG)
                .exposure(exposurePolicy())
                .process("old", slow(Era.LEGACY))
                .open()) {
            JsonView found = GatewayClient.of(gateway).call("mcp_discover", "{\"query\":\"echo\"}");
            assertThat(found.json()).contains("\"tool\":\"echo\"");
        }
    }

    @Test
    void a_server_that_never_answers_delays_the_first_list_by_the_bound_and_no_later_one() {
        try (ControlledServer good = ControlledServer.of(ControlledServer.DONE);
                GatewayHarness gateway = GatewayHarness.plan()
                        .firstListWait(Duration.ofSeconds(4))
                        .server(TestServer.at("good", good.uri()))
                        .process("mute", ChildSpec.of("sleep", "1000"))
                        .open()) {
            GatewayClient gatewayClient = GatewayClient.of(gateway);
            long begun = SingleServerHarness.PLATFORM.ticker().nanos();
            assertThat(gatewayClient.tools()).contains("good__work");
            assertThat(since(begun)).isBetween(Duration.ofMillis(3_900), Duration.ofSeconds(20));
            // A busy machine is late now and then; a list that waited would be every time.
            eventually("a later list does not wait", () -> {
                long again = SingleServerHarness.PLATFORM.ticker().nanos();
                assertThat(gatewayClient.tools()).contains("good__work");
                assertThat(since(again)).isLessThan(Duration.ofSeconds(2));
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void client_that_waits_for_the_first_list_receives_progress(EitherClient.Way way) {
        assertTold(way, "tools/list", "");
    }

    @ParameterizedTest
    @EnumSource
    void client_that_waits_for_the_first_discover_receives_progress(EitherClient.Way way) {
        assertTold(way, "tools/call", Messages.tool("mcp_discover", "{\"query\":\"echo\"}"));
    }

    private static void assertTold(EitherClient.Way way, String method, String members) {
        ExposurePolicy both =
                new ExposurePolicy(true, Set.of(), exposurePolicy().own());
        try (GatewayHarness gateway = GatewayHarness.plan()
                        .firstListWait(LONG)
                        .exposure(both)
                        .server("good", SingleServerHarness.script(Era.LEGACY))
                        .process("slow", slow(Era.LEGACY))
                        .open();
                EitherClient client = new EitherClient(gateway, way)) {
            assertThat(client.progressOf(method, members))
                    .anySatisfy(message -> assertThat(message.json())
                            .contains("notifications/progress", "\"progressToken\":\"p\"", "\"total\":2"));
        }
    }

    // ---- Old lists

    private SchemaCache cache() {
        return new SchemaCache(SingleServerHarness.PLATFORM, home.resolve("cache"), "here");
    }

    private int starts() throws IOException {
        Path starts = home.resolve("starts");
        return Files.exists(starts) ? Files.readAllLines(starts).size() : 0;
    }

    private ChildSpec counted() {
        ChildSpec well = SingleServerHarness.server(SingleServerHarness.script(Era.LEGACY));
        String noting = "echo start >> '" + home.resolve("starts") + "'; exec \"$@\"";
        List<String> words = new ArrayList<>(List.of("-c", noting, "sh", well.command()));
        words.addAll(well.args());
        return ChildSpec.of("sh", words.toArray(String[]::new));
    }

    /// What a gateway kept so long ago, when the server had one tool.
    private void seenBefore(Duration age) {
        Instant readAt = SingleServerHarness.PLATFORM.wallClock().instant().minus(age);
        String text = "{\"fusebox\":1,\"server\":\"one\",\"era\":\"legacy\",\"readAt\":\"" + readAt
                + "\",\"tools\":[{\"name\":\"former\",\"inputSchema\":{\"type\":\"object\"}}],\"resources\":[],"
                + "\"resourceTemplates\":[],\"prompts\":[]}";
        assertThat(CatalogContentsJson.read(text.getBytes(UTF_8))).isNotNull();
        try (SchemaCache cache = cache()) {
            cache.keep("one", text);
            // A cache that is closed waits for the disk for a second only.
            eventually(
                    "the list is written", () -> assertThat(cache.load("one")).isEqualTo(text.getBytes(UTF_8)));
        }
    }

    private GatewayHarness remembering(SchemaCache cache) {
        return GatewayHarness.plan()
                .process("one", counted())
                .catalogStore(cache)
                .open();
    }

    private static void startsNothing(GatewayHarness gateway) {
        throughout(
                "nothing is started",
                Duration.ofSeconds(3),
                () -> gateway.processes().isEmpty());
    }

    @Test
    void a_list_older_than_a_day_is_read_anew_after_the_first_answer_and_its_process_ends() throws Exception {
        seenBefore(Duration.ofHours(25));
        try (SchemaCache cache = cache();
                GatewayHarness gateway = remembering(cache)) {
            GatewayClient gatewayClient = GatewayClient.of(gateway);
            throughout(
                    "nothing is started before a client is answered",
                    Duration.ofSeconds(2),
                    () -> gateway.processes().isEmpty());
            assertThat(gatewayClient.tools()).contains("one__former");
            gatewayClient.eventuallySees("one__echo");
            eventually("its process has ended", () -> gateway.processes().isEmpty());
            assertThat(starts()).isEqualTo(1);
            assertThat(gatewayClient.tools()).contains("one__echo").doesNotContain("one__former");
        }
    }

    @Test
    void a_list_that_was_read_today_starts_nothing() throws Exception {
        seenBefore(Duration.ofHours(23));
        try (SchemaCache cache = cache();
                GatewayHarness gateway = remembering(cache)) {
            assertThat(GatewayClient.of(gateway).tools()).contains("one__former");
            startsNothing(gateway);
        }
    }

    @Test
    void a_list_that_another_gateway_has_read_since_is_taken_from_the_cache() throws Exception {
        seenBefore(Duration.ofHours(25));
        try (SchemaCache cache = cache();
                GatewayHarness gateway = remembering(cache)) {
            eventually("the old list is known", () -> gateway.server("one").isKnown());
            seenBefore(Duration.ofHours(1));
            assertThat(GatewayClient.of(gateway).tools()).contains("one__former");
            startsNothing(gateway);
        }
    }

    @Test
    void an_old_list_takes_no_place_of_another_server_in_a_full_pool() throws Exception {
        seenBefore(Duration.ofHours(25));
        try (SchemaCache cache = cache();
                GatewayHarness gateway = GatewayHarness.plan()
                        .pool(PoolRules.USUAL.withSize(1))
                        .server("busy", SingleServerHarness.script(Era.LEGACY))
                        .process("one", counted())
                        .catalogStore(cache)
                        .open()) {
            GatewayClient gatewayClient = GatewayClient.of(gateway);
            gatewayClient.eventuallySees("busy__echo", "one__former");
            List<Long> before = gateway.processes();
            throughout(
                    "the process that is there stays",
                    Duration.ofSeconds(3),
                    () -> gateway.processes().equals(before));
            assertThat(starts()).isZero();
        }
    }
}
