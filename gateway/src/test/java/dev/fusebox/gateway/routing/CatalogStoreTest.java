package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.config.SemanticMode;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.ScriptedServer;
import dev.fusebox.gateway.cache.CacheFolder;
import dev.fusebox.gateway.cache.CacheWrites;
import dev.fusebox.gateway.cache.SchemaCache;
import dev.fusebox.gateway.catalog.CatalogContentsJson;
import dev.fusebox.gateway.catalog.CatalogStore;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.observe.CapturedLog;
import dev.fusebox.gateway.tools.CallTool;
import dev.fusebox.gateway.tools.DiscoverTool;
import dev.fusebox.gateway.tools.ToolSearch;
import dev.fusebox.gateway.upstream.CatalogRestore;
import dev.fusebox.gateway.upstream.UpstreamServer;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What servers offered is there after a start, before any of them runs, and never against their own word.
@Tag("process")
@Timeout(120)
class CatalogStoreTest {
    @TempDir
    private Path home;

    private Path folder;

    @BeforeEach
    void folder() {
        folder = home.resolve("cache");
    }

    private static ExposurePolicy exposurePolicy() {
        return new ExposurePolicy(
                false,
                Set.of(),
                List.of(
                        new DiscoverTool(new ToolSearch(SingleServerHarness.PLATFORM, SemanticMode.AUTO), 10),
                        new CallTool()));
    }

    private SchemaCache cache() {
        return new SchemaCache(SingleServerHarness.PLATFORM, folder, "here");
    }

    /// A gateway that starts, does this and ends.
    private void run(UnaryOperator<GatewayHarness.Plan> shape, Visit visit) throws Exception {
        try (SchemaCache cache = cache();
                GatewayHarness gateway =
                        shape.apply(GatewayHarness.plan().catalogStore(cache)).open()) {
            visit.of(gateway);
            CacheWrites.await();
        }
    }

    private interface Visit {
        void of(GatewayHarness gateway) throws Exception;
    }

    /// A gateway that has seen this server.
    private void seen(String name, URI server) throws Exception {
        run(plan -> plan.server(TestServer.at(name, server)), gateway -> {
            GatewayClient.of(gateway).eventuallySees(name + "__work");
            // It is seen a moment before all is kept.
            gateway.eventuallyHears(name);
            eventually(name + " is kept", () -> assertThat(folder).isNotEmptyDirectory());
        });
        assertThat(file()).isRegularFile();
    }

    private Path file() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> all = files.toList();
            assertThat(all).hasSize(1);
            return all.getFirst();
        }
    }

    private static JsonView discover(GatewayClient client, String arguments) {
        return Messages.at(client.call("mcp_discover", arguments), "result", "structuredContent");
    }

    private static List<String> named(JsonView answer, String list, String member) {
        return Messages.at(answer, list).elements().stream()
                .map(item -> Objects.requireNonNull(item.string(member)))
                .toList();
    }

    /// A server that notes each of its starts.
    private ChildSpec counted(Path starts) {
        List<String> words = new ArrayList<>(List.of("-c", "echo start >> '" + starts + "'; exec \"$@\"", "sh"));
        words.addAll(ScriptedServer.stdio(SingleServerHarness.script(Era.LEGACY)));
        return ChildSpec.of("sh", words.toArray(String[]::new));
    }

    @Test
    void discovery_answers_from_memory_and_never_starts_a_server() throws Exception {
        Path starts = home.resolve("starts");
        UnaryOperator<GatewayHarness.Plan> plan =
                each -> each.process("old", counted(starts)).exposure(exposurePolicy());
        run(plan, gateway -> {
            GatewayClient client = GatewayClient.of(gateway);
            eventually(
                    "the tool is found",
                    () -> assertThat(named(discover(client, "{\"query\":\"adds\"}"), "tools", "tool"))
                            .isNotEmpty());
            int before = Files.readAllLines(starts).size();
            for (int i = 0; i < 100; i++) {
                discover(client, "{\"query\":\"adds two numbers\"}");
            }
            assertThat(Files.readAllLines(starts)).hasSize(before);
            gateway.eventuallyHears("old");
        });
        int before = Files.readAllLines(starts).size();
        run(plan, gateway -> {
            GatewayClient client = GatewayClient.of(gateway);
            gateway.eventuallyKnows("old");
            JsonView answer = discover(client, "{\"query\":\"adds two numbers\",\"limit\":1}");
            for (int i = 0; i < 100; i++) {
                discover(client, "{\"query\":\"adds two numbers\"}");
            }
            assertThat(named(answer, "tools", "tool")).containsExactly("add");
            assertThat(named(answer, "tools", "schemaSource")).containsExactly("cache");
            assertThat(named(answer, "tools", "status")).containsExactly("idle");
            assertThat(Messages.at(answer, "unavailable").elements()).isEmpty();
            assertThat(Files.readAllLines(starts)).as("nothing was started").hasSize(before);
            assertThat(Messages.said(client.call(
                            "mcp_call", "{\"server\":\"old\",\"tool\":\"add\",\"args\":{\"a\":1,\"b\":2}}")))
                    .contains("3");
            eventually(
                    "the schema is live",
                    () -> assertThat(named(discover(client, "{\"query\":\"adds\"}"), "tools", "schemaSource"))
                            .contains("live"));
            assertThat(Files.readAllLines(starts)).hasSizeGreaterThan(before);
        });
    }

    private static boolean isFound(GatewayClient client) {
        return named(discover(client, "{\"query\":\"adds\"}"), "tools", "tool").contains("add");
    }

    /// What a disk says at last, and not before.
    private record Late(CatalogStore catalogStore, CountDownLatch at) implements CatalogStore {
        @Override
        public byte @Nullable [] load(String identity) {
            try {
                return at.await(1, TimeUnit.MINUTES) ? catalogStore.load(identity) : null;
            } catch (InterruptedException stopped) {
                throw new AssertionError(stopped);
            }
        }

        @Override
        public void keep(String identity, String text) {
            catalogStore.keep(identity, text);
        }
    }

    /// A disk that takes a tenth of what the handshake waits.
    private record Slow(CatalogStore catalogStore) implements CatalogStore {
        @Override
        public byte @Nullable [] load(String identity) {
            try {
                assertThat(new CountDownLatch(1).await(30, TimeUnit.MILLISECONDS))
                        .isFalse();
            } catch (InterruptedException stopped) {
                throw new AssertionError(stopped);
            }
            return catalogStore.load(identity);
        }

        @Override
        public void keep(String identity, String text) {
            catalogStore.keep(identity, text);
        }
    }

    @Test
    void instructions_of_the_handshake_wait_a_moment_for_the_cache() throws Exception {
        UnaryOperator<GatewayHarness.Plan> plan = each ->
                each.server("old", SingleServerHarness.script(Era.LEGACY)).exposure(exposurePolicy());
        run(plan, gateway -> {
            GatewayClient client = GatewayClient.of(gateway);
            eventually("the tool is found", () -> isFound(client));
            gateway.eventuallyHears("old");
        });
        try (SchemaCache cache = cache()) {
            // The handshake waits for 300 ms only, which a busy machine may need.
            GatewayHarness.Plan slow = GatewayHarness.slowed().catalogStore(new Slow(cache));
            assertThat(instructions(plan.apply(slow))).contains("- old: ", "add");
            GatewayHarness.Plan late = GatewayHarness.plan().catalogStore(new Late(cache, new CountDownLatch(1)));
            assertThat(instructions(plan.apply(late))).contains("- old: tools not known yet");
        }
    }

    private static String instructions(GatewayHarness.Plan plan) {
        try (GatewayHarness gateway = plan.open()) {
            return Messages.text(Messages.at(gateway.client().hello(Messages.PLAIN), "result", "instructions"));
        }
    }

    @Test
    void no_server_is_started_as_long_as_it_may_be_remembered() throws Exception {
        Path starts = home.resolve("starts");
        UnaryOperator<GatewayHarness.Plan> plan =
                each -> each.process("old", counted(starts)).exposure(exposurePolicy());
        run(plan, gateway -> {
            GatewayClient client = GatewayClient.of(gateway);
            eventually("the tool is found", () -> isFound(client));
            // It is found a moment before it is kept.
            gateway.eventuallyHears("old");
        });
        int before = Files.readAllLines(starts).size();
        CountDownLatch late = new CountDownLatch(1);
        try (SchemaCache cache = cache();
                GatewayHarness gateway = plan.apply(GatewayHarness.plan())
                        .catalogStore(new Late(cache, late))
                        .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            assertThat(isFound(client)).isFalse();
            late.countDown();
            eventually("the tool is found", () -> isFound(client));
            assertThat(Files.readAllLines(starts)).as("nothing was started").hasSize(before);
        }
    }

    @Test
    void lists_are_there_before_any_connection_and_an_equal_list_is_not_written_again() throws Exception {
        try (ControlledServer controlledServer = ControlledServer.of(ControlledServer.DONE)) {
            seen("far", controlledServer.uri());
            int before = controlledServer.lists();
            Object key = Files.readAttributes(file(), "unix:ino").get("ino");
            run(plan -> plan.server(TestServer.at("far", controlledServer.uri())), gateway -> {
                GatewayClient client = GatewayClient.of(gateway);
                gateway.eventuallyKnows("far");
                assertThat(client.tools()).containsExactlyInAnyOrder("far__work", "far__think", "far__look");
                assertThat(controlledServer.lists()).isEqualTo(before);
                client.call("far__work", "{}");
                eventually(
                        "the tools are listed again",
                        () -> assertThat(controlledServer.lists()).isGreaterThan(before));
                gateway.eventuallyHears("far");
            });
            assertThat(Files.readAttributes(file(), "unix:ino").get("ino")).isEqualTo(key);
        }
    }

    @Test
    void the_same_name_for_another_server_remembers_nothing() throws Exception {
        try (ControlledServer controlledServer = ControlledServer.of(ControlledServer.DONE)) {
            seen("far", controlledServer.uri());
            try (SchemaCache cache = new SchemaCache(SingleServerHarness.PLATFORM, folder, "elsewhere")) {
                assertThat(cache.load("far")).isNull();
                assertThat(cache().load("far")).isNotNull();
            }
        }
    }

    /// F74
    @Test
    void live_list_replaces_the_cached_list_and_clients_are_notified() throws Exception {
        try (ControlledServer controlledServer = ControlledServer.of(ControlledServer.DONE)) {
            seen("far", controlledServer.uri());
            controlledServer.rename("think", "ponder");
            run(plan -> plan.server(TestServer.at("far", controlledServer.uri())), gateway -> {
                GatewayClient client = GatewayClient.of(gateway, GatewayClient.Manner.SESSION);
                gateway.eventuallyKnows("far");
                assertThat(client.tools()).contains("far__think");
                client.call("far__work", "{}");
                client.eventuallySees("far__ponder");
                assertThat(client.tools()).doesNotContain("far__think");
                // It is shown a moment before it counts as what the server has said itself.
                UpstreamServer far = gateway.server("far");
                eventually("the live catalog is known", far::isLive);
                assertThat(Messages.kind(client.call("far__think", "{}"))).contains("unknown_tool");
            });
            run(plan -> plan.server(TestServer.at("far", controlledServer.uri())), gateway -> {
                gateway.eventuallyKnows("far");
                assertThat(GatewayClient.of(gateway).tools()).contains("far__ponder");
            });
        }
    }

    /// F74
    @Test
    void memory_refuses_nothing_that_the_server_would_take_by_now() throws Exception {
        try (ControlledServer controlledServer = ControlledServer.of(ControlledServer.DONE)) {
            seen("far", controlledServer.uri());
            controlledServer.rename("think", "ponder");
            controlledServer.retype("integer", "string");
            run(
                    plan -> plan.server(TestServer.at("far", controlledServer.uri()))
                            .exposure(exposurePolicy()),
                    gateway -> {
                        GatewayClient client = GatewayClient.of(gateway);
                        String args = "{\"server\":\"far\",\"tool\":\"work\",\"args\":{\"n\":\"seven\"}}";
                        assertThat(Messages.said(client.call("mcp_call", args))).isEqualTo("done");
                    });
            Files.delete(file());
            controlledServer.rename("ponder", "think");
            controlledServer.retype("string", "integer");
            seen("far", controlledServer.uri());
            controlledServer.rename("think", "ponder");
            run(
                    plan -> plan.server(TestServer.at("far", controlledServer.uri()))
                            .exposure(exposurePolicy()),
                    gateway -> {
                        GatewayClient client = GatewayClient.of(gateway);
                        String ponder = "{\"server\":\"far\",\"tool\":\"ponder\"}";
                        assertThat(Messages.said(client.call("mcp_call", ponder)))
                                .isEqualTo("done");
                        JsonView gone = client.call("mcp_call", "{\"server\":\"far\",\"tool\":\"think\"}");
                        assertThat(Messages.at(gone, "result", "structuredContent", "error")
                                        .string("message"))
                                .contains("far has no tool \"think\"", "ponder");
                    });
        }
    }

    @Test
    void what_was_remembered_of_a_server_is_not_taken_for_what_the_one_in_its_place_offers() throws Exception {
        try (ControlledServer controlledServer = ControlledServer.of(ControlledServer.DONE);
                ControlledServer other = ControlledServer.of(ControlledServer.DONE)) {
            seen("far", controlledServer.uri());
            other.rename("think", "ponder");
            run(plan -> plan.server(TestServer.at("far", controlledServer.uri())), gateway -> {
                GatewayClient client = GatewayClient.of(gateway);
                gateway.eventuallyKnows("far");
                assertThat(client.tools()).contains("far__think");
                int before = controlledServer.lists();
                gateway.reload(List.of(gateway.added(TestServer.at("far", other.uri()), "other")), Duration.ZERO);
                client.eventuallySees("far__ponder");
                assertThat(client.tools()).doesNotContain("far__think");
                assertThat(controlledServer.lists()).isEqualTo(before);
            });
        }
    }

    @Test
    void a_server_that_offers_the_same_as_the_one_before_is_remembered_too() throws Exception {
        try (ControlledServer controlledServer = ControlledServer.of(ControlledServer.DONE)) {
            run(plan -> plan.server(TestServer.at("far", controlledServer.uri())), gateway -> {
                GatewayClient.of(gateway).eventuallySees("far__work");
                gateway.eventuallyHears("far");
                gateway.reload(
                        List.of(gateway.added(TestServer.at("far", controlledServer.uri()), "other")), Duration.ZERO);
                try (SchemaCache cache = cache()) {
                    eventually(
                            "the catalog is stored",
                            () -> assertThat(cache.load("other")).isNotNull());
                }
            });
        }
    }

    /// F75
    @Test
    void tools_stay_when_the_server_cannot_list_them() throws Exception {
        URI gone;
        try (ControlledServer controlledServer = ControlledServer.of(ControlledServer.DONE)) {
            gone = controlledServer.uri();
            seen("far", gone);
        }
        run(plan -> plan.server(TestServer.at("far", gone)).exposure(exposurePolicy()), gateway -> {
            GatewayClient client = GatewayClient.of(gateway);
            JsonView failed = client.call("mcp_call", "{\"server\":\"far\",\"tool\":\"work\"}");
            assertThat(Messages.at(failed, "result", "structuredContent", "error")
                            .string("code"))
                    .isEqualTo("connect_failed");
            JsonView answer = discover(client, "{\"query\":\"work\"}");
            assertThat(named(answer, "tools", "tool")).contains("work");
            assertThat(named(answer, "tools", "status")).contains("offline");
            assertThat(named(answer, "unavailable", "reason").getFirst()).isNotEmpty();
        });
    }

    /// What can stand in the place of a file.
    enum Thing {
        EMPTY,
        CUT,
        NOISE,
        DEEP,
        HUGE,
        OTHER_VERSION,
        FOLDER,
        LINK,
        PIPE;

        void replace(Path file) throws Exception {
            String before = Files.readString(file);
            Files.delete(file);
            switch (this) {
                case EMPTY -> Files.writeString(file, "");
                case CUT -> Files.writeString(file, before.substring(0, before.length() / 2));
                case NOISE -> Files.write(file, new byte[] {(byte) 0xff, 0, 17, '{'});
                case DEEP -> Files.writeString(file, "[".repeat(100_000));
                case HUGE -> {
                    try (RandomAccessFile grown = new RandomAccessFile(file.toFile(), "rw")) {
                        grown.setLength(500L << 20);
                    }
                }
                case OTHER_VERSION -> Files.writeString(file, before.replace("\"fusebox\":1", "\"fusebox\":2"));
                case FOLDER -> Files.createDirectories(file.resolve("inside"));
                case LINK -> {
                    Path target = file.resolveSibling("target");
                    Files.writeString(target, before);
                    Files.createSymbolicLink(file, target);
                }
                case PIPE ->
                    assertThat(new ProcessBuilder("mkfifo", file.toString())
                                    .start()
                                    .waitFor())
                            .isZero();
            }
        }
    }

    /// F70
    @ParameterizedTest
    @EnumSource
    void anything_but_a_regular_cache_file_is_ignored_without_delay(Thing thing) throws Exception {
        try (ControlledServer controlledServer = ControlledServer.of(ControlledServer.DONE);
                CapturedLog member = CapturedLog.of(CatalogRestore.class);
                CapturedLog cache = CapturedLog.of(SchemaCache.class)) {
            seen("far", controlledServer.uri());
            Path file = file();
            thing.replace(file);
            int before = controlledServer.lists();
            run(plan -> plan.server(TestServer.at("far", controlledServer.uri())), gateway -> {
                GatewayClient.of(gateway).eventuallySees("far__work");
                assertThat(controlledServer.lists()).isGreaterThan(before);
                gateway.eventuallyHears("far");
            });
            List<String> told = Stream.concat(member.lines().stream(), cache.lines().stream())
                    .filter(line -> line.contains("ignor"))
                    .toList();
            assertThat(told).hasSize(1);
            boolean isWritten = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
            assertThat(isWritten).as("written anew").isEqualTo(thing != Thing.FOLDER);
            if (isWritten) {
                assertThat(Files.readString(file)).startsWith("{\"fusebox\":1,\"server\":\"far\"");
            }
        }
    }

    @Test
    void invalid_definitions_are_not_restored_from_the_cache() throws Exception {
        String begin = "{\"fusebox\":1,\"server\":\"far\",\"tools\":[";
        String end = "],\"prompts\":[],\"resources\":[],\"resourceTemplates\":[]}";
        String tool = "{\"name\":\"work\",\"inputSchema\":{\"type\":\"object\"}}";
        assertThat(CatalogContentsJson.read((begin + tool + end).getBytes(UTF_8)))
                .isNotNull();
        for (String tools : List.of("{\"name\":\"work\"}", "7", tool + "," + tool)) {
            assertThat(CatalogContentsJson.read((begin + tools + end).getBytes(UTF_8)))
                    .as(tools)
                    .isNull();
        }
        assertThat(CatalogContentsJson.read((begin + tool + "]}").getBytes(UTF_8)))
                .isNull();
        assertThat(new CacheFolder(folder).read("far")).isNull();
    }
}
