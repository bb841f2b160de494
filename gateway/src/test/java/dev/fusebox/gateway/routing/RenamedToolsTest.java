package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.config.EraPolicy;
import dev.fusebox.config.SemanticMode;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.SingleServerHarness;
import dev.fusebox.gateway.era.Wire;
import dev.fusebox.gateway.lifecycle.LifecycleEvent;
import dev.fusebox.gateway.lifecycle.ServerStatus;
import dev.fusebox.gateway.tools.CallTool;
import dev.fusebox.gateway.tools.DiscoverTool;
import dev.fusebox.gateway.tools.ToolSearch;
import dev.fusebox.gateway.upstream.SameNameServers;
import dev.fusebox.gateway.upstream.ServerSnapshot;
import dev.fusebox.gateway.upstream.UpstreamServer;
import dev.fusebox.protocol.JsonView;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server whose tools are called otherwise whenever it is started.
///
/// Over five seconds on a busy machine: a server that changes is read once a second at most.
@Tag("process")
@Timeout(120)
class RenamedToolsTest {
    /// Notes each start in a file, and counts them in the name of its tool.
    private static final String SERVER = """
            echo >>"$0"
            n=$(($(wc -l <"$0")))
            while IFS= read -r line; do
              case $line in *'"id":'*) ;; *) continue ;; esac
              rest=${line#*'"id":'}
              case $line in
                *'"initialize"'*)
                  result='{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},'
                  result=$result'"serverInfo":{"name":"s","version":"1"}}' ;;
                *'"tools/list"'*)
                  result="{\\"tools\\":[{\\"name\\":\\"report-$n\\",\\"description\\":\\"writes a report\\","
                  result="$result\\"inputSchema\\":{\\"type\\":\\"object\\"}}]}" ;;
                *) result="{\\"content\\":[{\\"type\\":\\"text\\",\\"text\\":\\"$n\\"}]}" ;;
              esac
              printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "${rest%%[,\\}]*}" "$result"
            done
            """;

    private static final String CHANGED = "notifications/tools/list_changed";

    @TempDir
    private Path folder = Path.of("");

    private final List<LifecycleEvent> updates = new CopyOnWriteArrayList<>();
    private final List<String> words = new CopyOnWriteArrayList<>();

    private GatewayHarness gateway() {
        ExposurePolicy exposurePolicy = new ExposurePolicy(
                false,
                Set.of(ExposurePolicy.Pin.of("one/report-1"), ExposurePolicy.Pin.of("one/report-2")),
                List.of(
                        new DiscoverTool(new ToolSearch(SingleServerHarness.PLATFORM, SemanticMode.OFF), 10),
                        new CallTool()));
        ChildSpec spec =
                ChildSpec.of("/bin/sh", "-c", SERVER, folder.resolve("starts").toString());
        return GatewayHarness.plan()
                .exposure(exposurePolicy)
                .lifecycleListener((server, event) -> {
                    if (event instanceof LifecycleEvent.ToolsUpdated) {
                        updates.add(event);
                    }
                })
                .server(TestServer.of("one", spec).with(EraPolicy.SESSION))
                .open();
    }

    private static List<String> found(GatewayClient client) {
        JsonView answer = Messages.at(
                client.call("mcp_discover", "{\"query\":\"report\",\"limit\":100}"), "result", "structuredContent");
        return Messages.at(answer, "tools").elements().stream()
                .map(tool -> Objects.requireNonNull(tool.string("tool")))
                .toList();
    }

    private static String call(int number) {
        return "{\"server\":\"one\",\"tool\":\"report-" + number + "\",\"args\":{}}";
    }

    /// Notes what comes until the end.
    private FutureTask<Boolean> listening(Wire.Stream stream) {
        FutureTask<Boolean> end = new FutureTask<>(() -> {
            for (JsonView next = stream.next(); next != null; next = stream.next()) {
                words.add(String.valueOf(Messages.method(next)));
            }
            return true;
        });
        Thread.ofVirtual().start(end);
        return end;
    }

    private long changes() {
        return words.stream().filter(CHANGED::equals).count();
    }

    @Test
    void only_the_current_name_is_listed_and_callable_and_each_exposure_change_is_notified_once() throws Exception {
        GatewayHarness gateway = gateway();
        FutureTask<Boolean> end;
        try {
            GatewayClient listener = GatewayClient.of(gateway);
            Wire.Stream stream = listener.wire().open(Messages.listen(900, "{\"toolsListChanged\":true}"));
            assertThat(stream.next()).isNotNull();
            end = listening(stream);
            GatewayClient client = GatewayClient.of(gateway);
            client.eventuallySees("one__report-1");
            eventually("one change is reported", () -> assertThat(changes()).isEqualTo(1));
            for (int start = 2; start <= 4; start++) {
                isRenamed(gateway, client, start);
                // The second pinned tool takes the place of the first, and then there is none; a tool
                // that is not pinned is not reported.
                int told = Math.min(start, 3);
                eventually(
                        "every change is reported", () -> assertThat(changes()).isEqualTo(told));
            }
        } finally {
            gateway.close();
        }
        end.get(SingleServerHarness.SOON.toMillis(), TimeUnit.MILLISECONDS);
        assertThat(changes()).isEqualTo(3);
    }

    private void isRenamed(GatewayHarness gateway, GatewayClient client, int start) throws InterruptedException {
        UpstreamServer one = gateway.server("one");
        assertThat(one.controls().restart().status()).isEqualTo(ServerStatus.ONLINE);
        assertThat(found(client)).containsExactly("report-" + start);
        assertThat(one.snapshot(SameNameServers.NONE).tools())
                .extracting(ServerSnapshot.Tool::own)
                .containsExactly("report-" + start);
        assertThat(Messages.said(client.call("mcp_call", call(start)))).isEqualTo("" + start);
        JsonView gone = client.call("mcp_call", call(start - 1));
        assertThat(gone.json()).contains("unknown_tool", "similar name: report-" + start);
        assertThat(client.tools()).filteredOn(tool -> tool.startsWith("one__")).hasSize(start == 2 ? 1 : 0);
        assertThat(updates).hasSize(start - 1);
    }
}
