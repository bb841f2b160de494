package dev.fusebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.testkit.server.Era;
import dev.fusebox.testkit.server.FixtureServer;
import dev.fusebox.testkit.server.Script;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// F69: more bytes come at the same time than there is memory for. In its long form ten thousand calls of a megabyte
/// (`-Dflood=10000`, which takes as many descriptors).
///
/// Over five seconds: gigabytes are sent.
@Timeout(600)
class FloodProcessTest {
    private static final int CALLS = Integer.getInteger("flood", 1_500);
    private static final int ANSWERS = 150;
    private static final Duration LIMIT = Duration.ofMinutes(3);

    /// As the launcher has it.
    private static final List<String> SMALL = List.of("env", "_JAVA_OPTIONS=-Xmx512m -XX:+UseSerialGC");

    @TempDir
    private Path folder;

    /// F95
    @Test
    void answers_that_there_is_no_memory_for_cost_their_own_calls_and_nobody_waits_for_them() throws Exception {
        String body = RunningGateway.body("tools/call", RunningGateway.toolCall("far__big", "{\"bytes\":4000000}"));
        AtomicBoolean isOver = new AtomicBoolean();
        try (FixtureServer far = FixtureServer.start(Script.faultless().withEra(Era.MODERN));
                RunningGateway gateway = RunningGateway.by(SMALL, folder, "a")) {
            gateway.remote("far", far.uri()).save();
            assertThat(gateway.isSaid("added far")).isTrue();
            String a = gateway.call("a", "who");
            FutureTask<Boolean> others = new FutureTask<>(() -> isAlways(gateway, a, isOver));
            Thread.ofPlatform().start(others);
            List<String> ends;
            try (Flood flood = new Flood(
                    gateway.uri(), ANSWERS, body, RunningGateway.headers("tools/call", "Mcp-Name", "far__big"))) {
                ends = flood.outcomes(LIMIT);
            }
            isOver.set(true);
            assertThat(others.get()).isTrue();
            System.out.printf("figures: %d answers of four megabytes: %s%n", ANSWERS, counted(ends));
            assertThat(counted(ends).keySet())
                    .as(gateway::errorText)
                    .isSubsetOf("done", "overloaded local unknown later");
            assertThat(counted(ends).get("done")).isGreaterThan(10);
            assertThat(gateway.errorText()).doesNotContain("OutOfMemory", "ERROR", "-> open");
            assertThat(gateway.call("far", "echo")).isEmpty();
        }
    }

    private static Map<String, Long> counted(List<String> ends) {
        return ends.stream().collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
    }

    /// Somebody who wants little, all the time.
    private static boolean isAlways(RunningGateway gateway, String wanted, AtomicBoolean isOver) {
        boolean is = true;
        while (is && !isOver.get()) {
            is = gateway.call("a", "who").equals(wanted);
        }
        return is;
    }

    @Test
    void calls_that_there_is_no_memory_for_are_refused_and_all_others_are_made() throws Exception {
        String arguments = "{\"ms\":50,\"more\":\"" + "x".repeat(1 << 20) + "\"}";
        String body = RunningGateway.body("tools/call", RunningGateway.toolCall("far__slow", arguments));
        AtomicBoolean isOver = new AtomicBoolean();
        try (FixtureServer far = FixtureServer.start(Script.faultless().withEra(Era.MODERN));
                RunningGateway gateway = RunningGateway.by(SMALL, folder, "a")) {
            gateway.remote("far", far.uri()).save();
            assertThat(gateway.isSaid("added far")).isTrue();
            String a = gateway.call("a", "who");
            assertThat(gateway.tools()).contains("far__slow");
            FutureTask<Boolean> others = new FutureTask<>(() -> isAlways(gateway, a, isOver));
            Thread.ofPlatform().start(others);
            Map<String, Long> ends;
            try (Flood flood = new Flood(
                    gateway.uri(), CALLS, body, RunningGateway.headers("tools/call", "Mcp-Name", "far__slow"))) {
                ends = counted(flood.outcomes(LIMIT));
            }
            isOver.set(true);
            assertThat(others.get()).isTrue();
            System.out.printf("figures: %d calls of a megabyte: %s%n", CALLS, ends);
            assertThat(ends.keySet()).as(gateway::errorText).isSubsetOf("done", "overloaded local not_sent later");
            assertThat(ends.get("done")).isGreaterThan(10);
            assertThat(gateway.errorText()).doesNotContain("OutOfMemory", "ERROR", "-> open");
            assertThat(gateway.call("far", "echo")).isEmpty();
        }
    }
}
