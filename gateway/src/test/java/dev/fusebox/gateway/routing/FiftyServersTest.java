package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.config.SemanticMode;
import dev.fusebox.gateway.cache.SchemaCache;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.tools.CallTool;
import dev.fusebox.gateway.tools.DiscoverTool;
import dev.fusebox.gateway.tools.ToolSearch;
import dev.fusebox.protocol.JsonView;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Of fifty servers ten hang and ten die as they start, and the others are found. Exact times are a matter of
/// `bench/search`; here nobody may wait for those that hang.
@Tag("process")
@Timeout(120)
class FiftyServersTest {
    private static final String ALL = "{\"query\":\"work\",\"limit\":100,\"detail\":\"full\"}";

    @TempDir
    private Path home;

    private final Map<String, ControlledServer> well = new TreeMap<>();

    @BeforeEach
    void open() {
        for (int i = 0; i < 30; i++) {
            well.put("well" + i, ControlledServer.of(ControlledServer.DONE));
        }
    }

    @AfterEach
    void close() {
        well.values().forEach(ControlledServer::close);
    }

    private GatewayHarness.Plan plan() {
        GatewayHarness.Plan plan = GatewayHarness.plan()
                .exposure(new ExposurePolicy(
                        false,
                        Set.of(),
                        List.of(
                                new DiscoverTool(new ToolSearch(SingleServerHarness.PLATFORM, SemanticMode.OFF), 10),
                                new CallTool())));
        well.forEach((name, controlledServer) -> plan.server(TestServer.at(name, controlledServer.uri())));
        return plan;
    }

    private static GatewayHarness.Plan withTheSick(GatewayHarness.Plan plan) {
        for (int i = 0; i < 10; i++) {
            plan.process("mute" + i, ChildSpec.of("sleep", "1000"));
            plan.server(TestServer.of("dead" + i, ChildSpec.of("sh", "-c", "exit 3"))
                    .crashing());
        }
        return plan;
    }

    private int kept() {
        String[] files = home.resolve("cache").toFile().list();
        return files == null ? 0 : files.length;
    }

    private static JsonView discover(GatewayClient client) {
        return Messages.at(client.call("mcp_discover", ALL), "result", "structuredContent");
    }

    private static Set<String> servers(JsonView answer, String list) {
        Set<String> names = new HashSet<>();
        Messages.at(answer, list).elements().forEach(item -> names.add(Objects.requireNonNull(item.string("server"))));
        return names;
    }

    @Test
    void each_of_fifty_has_tools_or_a_reason_in_the_first_answer_and_the_healthy_ones_have_tools_soon() {
        try (GatewayHarness gateway = withTheSick(plan()).open()) {
            GatewayClient client = GatewayClient.of(gateway);
            long begun = SingleServerHarness.PLATFORM.ticker().nanos();
            JsonView first = discover(client);
            Duration spent =
                    Duration.ofNanos(SingleServerHarness.PLATFORM.ticker().nanos() - begun);
            // A second, with room for a busy machine; those that hang have twenty.
            assertThat(spent).isLessThan(Duration.ofSeconds(15));
            Set<String> named = servers(first, "tools");
            named.addAll(servers(first, "unavailable"));
            assertThat(named).hasSize(50);
            eventually(
                    "the tools of all servers are found",
                    () -> assertThat(servers(discover(client), "tools")).isEqualTo(well.keySet()));
            JsonView then = discover(client);
            assertThat(servers(then, "unavailable")).hasSize(20);
            assertThat(Messages.at(then, "unavailable").elements())
                    .allSatisfy(server -> assertThat(server.string("reason")).isNotEmpty());
        }
    }

    @Test
    void all_that_were_ever_seen_are_found_from_memory_and_none_is_asked() {
        try (SchemaCache cache = new SchemaCache(SingleServerHarness.PLATFORM, home.resolve("cache"), "here")) {
            try (GatewayHarness gateway = plan().catalogStore(cache).open()) {
                GatewayClient client = GatewayClient.of(gateway);
                eventually(
                        "the tools of all servers are found",
                        () -> assertThat(servers(discover(client), "tools")).isEqualTo(well.keySet()));
                eventually(
                        "the catalog of every server is kept",
                        () -> assertThat(kept()).isEqualTo(well.size()));
            }
        }
        Map<String, Integer> before = new TreeMap<>();
        well.forEach((name, controlledServer) -> before.put(name, controlledServer.lists()));
        try (SchemaCache cache = new SchemaCache(SingleServerHarness.PLATFORM, home.resolve("cache"), "here");
                GatewayHarness gateway = withTheSick(plan().catalogStore(cache)).open()) {
            GatewayClient client = GatewayClient.of(gateway);
            eventually(
                    "all are remembered",
                    () -> assertThat(well.keySet())
                            .allMatch(name -> gateway.server(name).isKnown()));
            JsonView first = discover(client);
            assertThat(servers(first, "tools")).isEqualTo(well.keySet());
            assertThat(Messages.at(first, "tools").elements())
                    .allSatisfy(tool -> assertThat(tool.string("schemaSource")).isEqualTo("cache"));
            well.forEach((name, controlledServer) ->
                    assertThat(controlledServer.lists()).as(name).isEqualTo(before.get(name)));
        }
    }
}
