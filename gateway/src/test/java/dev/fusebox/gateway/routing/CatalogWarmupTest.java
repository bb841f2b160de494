package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static dev.fusebox.testkit.Eventually.throughout;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.breaker.BreakerName;
import dev.fusebox.breaker.BreakerSnapshot;
import dev.fusebox.breaker.State;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.config.EraPolicy;
import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.ServerScript;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.era.Wire;
import dev.fusebox.gateway.routing.GatewayClient.Manner;
import dev.fusebox.gateway.upstream.UpstreamServer;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
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
import org.junit.jupiter.params.provider.ValueSource;

/// Lists of all servers together: long ones, late ones, and what is wrong in one of them. Over five seconds: a
/// list is read again and again while it changes.
@Tag("process")
@Timeout(120)
class CatalogWarmupTest {
    private static final int MANY = 5_000;
    private static final String CHANGED = "notifications/tools/list_changed";
    private static final String PROMPTS_CHANGED = "notifications/prompts/list_changed";

    /// Notes that it was started, and exits when it has said what it has.
    private static final String BRIEF = """
            echo started >>"$1"
            while read -r line; do
              id=$(printf '%s' "$line" | sed 's/.*"id":\\([0-9]*\\).*/\\1/')
              case $line in
                *'"initialize"'*)
                  echo '{"jsonrpc":"2.0","id":'$id',"result":{"protocolVersion":"2025-11-25",'\\
            '"capabilities":{"tools":{}},"serverInfo":{"name":"brief","version":"1"}}}' ;;
                *'"tools/list"'*)
                  echo '{"jsonrpc":"2.0","id":'$id',"result":{"tools":[]}}'
                  exit 0 ;;
              esac
            done
            """;

    @TempDir
    private Path folder = Path.of("");

    private static GatewayHarness.Plan many() {
        ServerScript script =
                SingleServerHarness.script(Era.LEGACY, "many-tools=" + MANY).withPageSize(200);
        return GatewayHarness.plan()
                .server("few", SingleServerHarness.script(Era.LEGACY))
                .server("many", script);
    }

    private static List<String> numbered(List<String> tools) {
        return tools.stream().filter(tool -> tool.matches("many__tool-\\d+")).toList();
    }

    @ParameterizedTest
    @EnumSource
    void thousands_of_tools_come_in_pages_each_of_them_once(Manner manner) {
        try (GatewayHarness gateway = many().open()) {
            GatewayClient client = GatewayClient.of(gateway, manner);
            client.eventuallySees("few__echo", "many__tool-1", "many__tool-" + MANY);
            assertThat(Messages.at(client.ask("tools/list", ""), "result").member("nextCursor"))
                    .isNotNull();
            List<String> tools = client.tools();
            assertThat(tools).doesNotHaveDuplicates();
            assertThat(numbered(tools)).hasSize(MANY);
            assertThat(client.ask("tools/list", ",\"cursor\":\"from-200\"").member("error"))
                    .as("a cursor of the server's own")
                    .isNotNull();
        }
    }

    @Test
    void list_that_changes_while_paged_has_no_duplicates_and_no_gaps() {
        try (GatewayHarness gateway = many().open()) {
            GatewayClient client = GatewayClient.of(gateway);
            GatewayClient other = GatewayClient.of(gateway);
            client.eventuallySees("many__tool-" + MANY);
            List<String> seen = new ArrayList<>();
            String members = "";
            for (boolean there = false; ; there = !there) {
                JsonView result = Messages.at(client.ask("tools/list", members), "result");
                Messages.at(result, "tools").elements().forEach(tool -> seen.add(Messages.text(tool, "name")));
                JsonView next = result.member("nextCursor");
                if (next == null) {
                    break;
                }
                members = ",\"cursor\":" + next.json();
                change(other, !there);
            }
            assertThat(seen).doesNotHaveDuplicates();
            assertThat(numbered(seen)).hasSize(MANY);
        }
    }

    /// A tool before all numbered ones comes or goes.
    private static void change(GatewayClient client, boolean comes) {
        client.call("few__test_trigger_tool_change", "{}");
        eventually("the list shows the tool exactly if it was added", () -> {
            JsonView first = client.ask("tools/list", "");
            return first.json().contains("few__tool-of-change") == comes;
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"hang-on-tools-list", "hang-on-initialize"})
    void server_without_lists_delays_a_list_only_briefly(String fault) {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server("good", SingleServerHarness.script(Era.LEGACY))
                .server("mute", SingleServerHarness.script(Era.LEGACY, fault))
                .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("good__echo");
            long begun = SingleServerHarness.PLATFORM.ticker().nanos();
            assertThat(client.tools()).contains("good__echo").noneMatch(tool -> tool.startsWith("mute__"));
            // One second, with room for a busy machine; the server itself has twenty.
            assertThat(Duration.ofNanos(SingleServerHarness.PLATFORM.ticker().nanos() - begun))
                    .isLessThan(Duration.ofSeconds(10));
            assertThat(Messages.said(client.call("good__echo", "{\"text\":\"here\"}")))
                    .isEqualTo("here");
        }
    }

    @Test
    void tools_of_a_late_server_are_added_later_and_clients_are_notified() throws Exception {
        Path door = folder.resolve("door");
        ChildSpec well = SingleServerHarness.server(SingleServerHarness.script(Era.LEGACY));
        String waits = "while [ ! -e \"$0\" ]; do sleep 0.05; done; exec \"$@\"";
        List<String> words = new ArrayList<>(List.of("-c", waits, door.toString(), well.command()));
        words.addAll(well.args());
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server("good", SingleServerHarness.script(Era.LEGACY))
                .server(TestServer.of("late", ChildSpec.of("sh", words.toArray(String[]::new))))
                .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            try (Wire.Stream stream = client.wire().open(Messages.listen(900, "{\"toolsListChanged\":true}"))) {
                assertThat(stream.next()).isNotNull();
                GatewayClient other = GatewayClient.of(gateway);
                other.eventuallySees("good__echo");
                assertThat(told(stream)).isEqualTo(CHANGED);
                assertThat(other.tools()).noneMatch(tool -> tool.startsWith("late__"));
                Files.createFile(door);
                assertThat(told(stream)).isEqualTo(CHANGED);
            }
            assertThat(client.tools()).contains("good__echo", "late__echo");
        }
    }

    private static String told(Wire.Stream stream) throws Exception {
        return Objects.requireNonNull(Messages.method(Objects.requireNonNull(stream.next())));
    }

    /// How often the server was asked for its tools: whatever it is sent goes through a file.
    private static long listings(Path log) {
        return count(log, "\"tools/list\"");
    }

    private static long count(Path log, String what) {
        try {
            return Files.readAllLines(log).stream()
                    .filter(line -> line.contains(what))
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void many_changes_cause_one_refresh_per_second_and_notify_only_if_the_list_differs() throws Exception {
        Path log = folder.resolve("log");
        ChildSpec well = SingleServerHarness.server(SingleServerHarness.script(Era.LEGACY));
        // What is in the log before the server has it has been written when the server answers.
        String noting = "while IFS= read -r line; do printf '%s\\n' \"$line\" >>\"$0\"; printf '%s\\n' \"$line\"; done"
                + " | \"$@\"";
        List<String> words = new ArrayList<>(List.of("-c", noting, log.toString(), well.command()));
        words.addAll(well.args());
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server(TestServer.of("loud", ChildSpec.of("sh", words.toArray(String[]::new))))
                .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            try (Wire.Stream stream = client.wire()
                    .open(Messages.listen(900, "{\"toolsListChanged\":true,\"promptsListChanged\":true}"))) {
                assertThat(stream.next()).isNotNull();
                GatewayClient other = GatewayClient.of(gateway);
                other.eventuallySees("loud__echo");
                // What it offers is new to everybody: that is told first, once.
                assertThat(List.of(told(stream), told(stream))).containsExactly(PROMPTS_CHANGED, CHANGED);
                long begun = SingleServerHarness.PLATFORM.ticker().nanos();
                long before = listings(log);
                for (int i = 0; i < 20; i++) {
                    other.call("loud__echo", "{\"fault\":\"list-changed-storm=500\"}");
                }
                other.call("loud__test_trigger_tool_change", "{}");
                other.eventuallySees("loud__tool-of-change");
                long read = listings(log) - before;
                long seconds = (SingleServerHarness.PLATFORM.ticker().nanos() - begun) / 1_000_000_000;
                assertThat(read).isBetween(1L, seconds + 2);
                assertThat(told(stream)).isEqualTo(CHANGED);
                // Had the storm been told, too, the next word would be of tools again.
                other.call("loud__test_trigger_prompt_change", "{}");
                assertThat(told(stream)).isEqualTo(PROMPTS_CHANGED);
            }
        }
    }

    @Test
    void server_that_exits_after_each_list_is_not_started_forever() throws IOException {
        Path log = Files.createFile(folder.resolve("log"));
        ChildSpec brief = ChildSpec.of("sh", "-c", BRIEF, "brief", log.toString());
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server(TestServer.of("brief", brief).with(EraPolicy.SESSION))
                .open()) {
            GatewayClient.of(gateway).tools();
            gateway.eventuallyKnows("brief");
            // Lists are read once a second at most: after four it would have been started as often.
            throughout(
                    "it is started for its list, and for its changes",
                    Duration.ofSeconds(4),
                    () -> assertThat(count(log, "")).isBetween(1L, 3L));
        }
    }

    @Test
    void tools_stay_listed_when_their_server_has_died_and_when_it_is_given_up() {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server("good", SingleServerHarness.script(Era.LEGACY))
                .server("frail", SingleServerHarness.script(Era.LEGACY))
                .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("good__echo", "frail__echo");
            int all = client.tools().size();
            client.call("frail__crash", "{}");
            assertThat(client.tools()).hasSize(all);
            gateway.breakers().breaker("frail").forceOpen("maintenance");
            assertThat(client.tools()).hasSize(all);
            assertThat(Messages.kind(client.call("frail__echo", "{}"))).startsWith("breaker_open");
            gateway.breakers().breaker("frail").reset();
            assertThat(Messages.said(client.call("frail__echo", "{\"text\":\"again\"}")))
                    .isEqualTo("again");
            assertThat(gateway.state("frail")).isEqualTo(State.CLOSED);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"invalid-tools", "duplicate-tool", "cursor-loop=3"})
    void one_bad_tool_or_page_costs_no_other(String fault) {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server("good", SingleServerHarness.script(Era.LEGACY))
                .server("bad", SingleServerHarness.script(Era.LEGACY, fault))
                .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("good__echo", "bad__echo");
            List<String> tools = client.tools();
            assertThat(tools).doesNotHaveDuplicates().doesNotContain("bad__no-schema", "bad__text-schema");
            List<String> ofGood = tools.stream()
                    .filter(tool -> tool.startsWith("good__"))
                    .map(tool -> tool.replaceFirst("good__", "bad__"))
                    .toList();
            assertThat(tools).containsAll(ofGood);
            assertThat(Messages.said(client.call("bad__echo", "{\"text\":\"here\"}")))
                    .isEqualTo("here");
        }
    }

    /// Each reading of lists is a failure for the breaker of a broken server.
    @Test
    void broken_server_is_not_asked_again_because_another_one_is_added() {
        try (GatewayHarness gateway = GatewayHarness.plan()
                .server("stays", SingleServerHarness.script(Era.LEGACY))
                .server(TestServer.of("broken", ChildSpec.of("/bin/sh", "-c", "read request; exit 1"))
                        .restartedByCalls())
                .open()) {
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("stays__echo");
            UpstreamServer broken = gateway.server("broken");
            BreakerName name = BreakerName.of("broken");
            eventually(
                    "the broken server has failed",
                    () -> broken.isAtRest() && gateway.breaker(name).lastFailure() != null);
            BreakerSnapshot.Totals before = gateway.breaker(name).totals();
            gateway.reload(
                    List.of(
                            new ReloadAction.Unchanged("stays"),
                            new ReloadAction.Unchanged("broken"),
                            gateway.added(TestServer.of("joins", SingleServerHarness.script(Era.LEGACY)))),
                    Duration.ofSeconds(30));
            gateway.eventuallyKnows("joins");
            eventually("nothing is read any more", broken::isAtRest);
            assertThat(gateway.breaker(name).totals()).isEqualTo(before);
        }
    }
}
