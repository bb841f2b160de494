package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.fixtures.server.Era;
import dev.fusebox.fixtures.server.FixtureServer;
import dev.fusebox.fixtures.server.ServerScript;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// F69: more bytes come at the same time than there is memory for. In its long form ten thousand calls of a
/// megabyte (`-Dflood=10000`, which takes as many descriptors).
///
/// Over five seconds: gigabytes are sent.
@Tag("load")
@Timeout(600)
class FloodProcessTest {
    private static final int CALLS = Integer.getInteger("flood", 1_500);
    private static final int ANSWERS = 150;
    private static final Duration LIMIT = Duration.ofMinutes(3);

    /// As the launcher has it.
    private static final List<String> SMALL = List.of("env", "_JAVA_OPTIONS=-Xmx512m -XX:+UseSerialGC");

    @TempDir
    private Path folder;

    /// So many calls of a tool of a remote server at the same time, beside somebody who wants little of another
    /// one all the time; gives how often each end was met.
    private Map<String, Long> ends(int calls, String tool, String arguments) throws Exception {
        String name = "far__" + tool;
        String body = RunningGateway.body("tools/call", RunningGateway.toolCall(name, arguments));
        AtomicBoolean isOver = new AtomicBoolean();
        try (FixtureServer far = FixtureServer.start(ServerScript.faultless().withEra(Era.MODERN));
                RunningGateway gateway = RunningGateway.by(SMALL, folder, "a")) {
            gateway.remote("far", far.uri()).save();
            gateway.eventuallySays("added far");
            String a = gateway.call("a", "who");
            assertThat(gateway.tools()).contains(name);
            FutureTask<Boolean> others = new FutureTask<>(() -> isAlways(gateway, a, isOver));
            Thread.ofPlatform().start(others);
            List<String> ends;
            try (Flood flood =
                    new Flood(gateway.uri(), calls, body, RunningGateway.headers("tools/call", "Mcp-Name", name))) {
                ends = flood.outcomes(LIMIT);
            }
            isOver.set(true);
            assertThat(others.get()).isTrue();
            assertThat(gateway.errorText()).doesNotContain("OutOfMemory", "ERROR", "-> open");
            assertThat(gateway.call("far", "echo")).isEmpty();
            return ends.stream()
                    .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
        }
    }

    /// Somebody who wants little, all the time.
    private static boolean isAlways(RunningGateway gateway, String wanted, AtomicBoolean isOver) {
        boolean is = true;
        while (is && !isOver.get()) {
            is = gateway.call("a", "who").equals(wanted);
        }
        return is;
    }

    /// F95
    @Test
    void responses_beyond_memory_budget_fail_only_their_calls() throws Exception {
        Map<String, Long> ends = ends(ANSWERS, "big", "{\"bytes\":4000000}");
        System.out.printf("figures: %d answers of four megabytes: %s%n", ANSWERS, ends);
        assertThat(ends.keySet()).isSubsetOf("done", "overloaded local unknown later");
        assertThat(ends.get("done")).isGreaterThan(10);
    }

    @Test
    void calls_beyond_memory_budget_are_rejected_and_others_succeed() throws Exception {
        Map<String, Long> ends = ends(CALLS, "slow", "{\"ms\":50,\"more\":\"" + "x".repeat(1 << 20) + "\"}");
        System.out.printf("figures: %d calls of a megabyte: %s%n", CALLS, ends);
        assertThat(ends.keySet()).isSubsetOf("done", "overloaded local not_sent later");
        assertThat(ends.get("done")).isGreaterThan(10);
    }
}
