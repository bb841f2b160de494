package dev.fusebox.testkit.server;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The faults of calls, as a raw reader of a real process sees them.
@Tag("process")
@Timeout(60)
class RunningCallFaultsTest {
    @TempDir
    private Path folder;

    @Test
    void hang_is_silence_at_the_calls_it_is_for() throws Exception {
        try (ServerProcess process =
                ServerProcess.connected(ScriptedFault.of(FaultKind.HANG).at(2))) {
            process.assertWorks(1);
            process.callWith(2);
            process.assertSilentBefore(3);
            process.assertWorks(4);
            process.cancel(2);
            process.assertSilentBefore(5);
        }
    }

    @ParameterizedTest
    @CsvSource({"crash-before=7, 7", "crash-before=KILL, 137"})
    void crash_before_is_death_without_an_answer(String fault, int code) throws Exception {
        Path journal = folder.resolve("journal");
        try (ServerProcess process = ServerProcess.start(
                ServerScript.faultless().withJournal(journal).with(ScriptedFault.parse(fault + "@2")))) {
            process.initialize();
            process.assertWorks(1);
            process.callWith(2);
            assertThat(process.exitCode()).isEqualTo(code);
            process.out().assertEnd();
            assertThat(journal(journal)).containsExactly("1 echo", "2 echo");
        }
    }

    @Test
    void crash_after_is_death_with_an_answer() throws Exception {
        try (ServerProcess process = ServerProcess.connected(ScriptedFault.of(FaultKind.CRASH_AFTER, 9))) {
            process.callWith(1);
            assertThat(process.textOf(1)).isEqualTo("hello");
            assertThat(process.exitCode()).isEqualTo(9);
        }
    }

    @Test
    void the_tool_crash_kills_it() throws Exception {
        try (ServerProcess process = ServerProcess.connected()) {
            process.call(1, "crash", "{\"how\":\"5\"}");
            assertThat(process.exitCode()).isEqualTo(5);
            process.out().assertEnd();
        }
    }

    @Test
    void ids_come_back_spoilt() throws Exception {
        try (ServerProcess process = ServerProcess.connected()) {
            assertThat(idAfter(process, 1, "unknown-id")).isEqualTo("987654321");
            assertThat(idAfter(process, 2, "id-as-string")).isEqualTo("\"2\"");
            assertThat(idAfter(process, 3, "id-as-decimal")).isEqualTo("3.0");
            assertThat(idAfter(process, 4, "id-null")).isEqualTo("null");
            assertThat(idAfter(process, 5, "id-missing")).isEqualTo("none");
            process.assertWorks(6);
        }
    }

    private static String idAfter(ServerProcess process, int id, String fault)
            throws IOException, InterruptedException {
        process.callWith(id, fault);
        JsonView answer = JsonView.of(process.out().next());
        assertThat(ServerProcess.text(answer)).isEqualTo("hello");
        JsonView told = answer.member("id");
        return told == null ? "none" : told.json();
    }

    @Test
    void a_duplicate_comes_twice_and_a_slow_one_after_a_faster_one() throws Exception {
        try (ServerProcess process = ServerProcess.connected()) {
            process.callWith(1, "duplicate");
            assertThat(process.textOf(1)).isEqualTo("hello");
            assertThat(process.textOf(1)).isEqualTo("hello");
            // Longer than a busy machine may pause between the two.
            process.callWith(2, "slow=4000");
            process.assertSilentBefore(3);
            assertThat(process.textOf(2)).isEqualTo("hello");
        }
    }

    @Test
    void late_after_cancel_answers_when_nobody_waits_any_more() throws Exception {
        try (ServerProcess process = ServerProcess.connected()) {
            process.callWith(1, "late-after-cancel");
            process.assertSilentBefore(2);
            process.cancel(1);
            assertThat(process.textOf(1)).isEqualTo("hello");
        }
    }

    @Test
    void progress_forever_goes_on_until_it_is_cancelled() throws Exception {
        Path journal = folder.resolve("journal");
        try (ServerProcess process =
                ServerProcess.start(ServerScript.faultless().withJournal(journal))) {
            process.initialize();
            process.request(
                    1,
                    "tools/call",
                    "{\"name\":\"echo\",\"arguments\":{\"fault\":\"progress-forever=1\"},"
                            + "\"_meta\":{\"progressToken\":\"t\"}}");
            for (int i = 1; i <= 50; i++) {
                JsonView message = process.out().nextMessage();
                assertThat(message.string("method")).isEqualTo("notifications/progress");
                assertThat(message.path("params", "progress")).hasToString("" + i);
            }
            process.cancel(1);
            // What it was about to write may come after the cancellation.
            eventually("the call has ended", () -> assertThat(journal).content().contains(" 1 echo:cancelled\n"));
            process.request(2, "ping", "{}");
            assertThat(process.out().answerTo(2).member("result")).isNotNull();
            process.assertSilentBefore(3);
        }
    }

    @Test
    void noise_is_lines_that_are_no_messages_before_an_answer() throws Exception {
        try (ServerProcess process = ServerProcess.connected()) {
            process.callWith(1, "noise");
            for (int i = 0; i < 9; i++) {
                byte[] line = process.out().nextBytes();
                assertThat(Message.read(line, 0, line.length))
                        .isInstanceOfAny(Message.Malformed.class, Message.Batch.class);
            }
            assertThat(process.textOf(1)).isEqualTo("hello");
        }
    }

    @Test
    void standard_error_is_flooded_and_the_answer_waits_for_whoever_reads_it() throws Exception {
        try (ServerProcess process = ServerProcess.connected()) {
            process.callWith(1, "stderr-flood=1000000");
            assertThat(process.textOf(1)).isEqualTo("hello");
            for (int line = 0; line < 12_500; line++) {
                assertThat(process.err().nextBytes()).hasSize(80);
            }
            process.callWith(2, "stderr-endless-line=300000");
            assertThat(process.textOf(2)).isEqualTo("hello");
            process.in().close();
            assertThat(process.err().nextBytes()).hasSize(300_000).containsOnly('!');
        }
    }

    @Test
    void standard_error_can_be_closed() throws Exception {
        try (ServerProcess process = ServerProcess.connected()) {
            process.callWith(1, "close-stderr");
            assertThat(process.textOf(1)).isEqualTo("hello");
            process.err().assertEnd();
            process.assertWorks(2);
        }
    }

    @Test
    void standard_output_can_be_closed_and_it_lives_on() throws Exception {
        Path journal = folder.resolve("journal");
        try (ServerProcess process =
                ServerProcess.start(ServerScript.faultless().withJournal(journal))) {
            process.initialize();
            process.callWith(1, "close-stdout");
            process.out().assertEnd();
            assertThat(process.handle().isAlive()).isTrue();
            process.call(2, "crash", "{\"how\":\"6\"}");
            assertThat(process.exitCode()).isEqualTo(6);
            assertThat(journal(journal)).containsExactly("1 echo", "2 crash");
        }
    }

    @Test
    void a_partial_frame_is_followed_by_silence() throws Exception {
        try (ServerProcess process = ServerProcess.connected()) {
            process.out().awaitBytes(1);
            process.callWith(1, "partial");
            process.out().awaitBytes(20);
            process.request(2, "ping", "{}");
            process.call(3, "crash", "{\"how\":\"6\"}");
            assertThat(process.exitCode()).isEqualTo(6);
            assertThat(process.out().next())
                    .startsWith("{\"jsonrpc\":\"2.0\",\"id\":1")
                    .doesNotContain("}");
            process.out().assertEnd();
        }
    }

    @Test
    void an_endless_line_is_long_and_has_no_end() throws Exception {
        try (ServerProcess process = ServerProcess.connected()) {
            process.out().awaitBytes(1);
            process.callWith(1, "endless-line=3000000");
            process.out().awaitBytes(3_000_000);
            process.call(2, "crash", "{}");
            process.exitCode();
            assertThat(process.out().nextBytes()).hasSize(3_000_000).containsOnly('x');
            process.out().assertEnd();
        }
    }

    @Test
    void a_drip_comes_in_single_bytes() throws Exception {
        try (ServerProcess process = ServerProcess.connected()) {
            int before = process.out().reads();
            process.callWith(1, "drip=2");
            byte[] line = process.out().nextBytes();
            assertThat(ServerProcess.text(JsonView.of(new String(line, StandardCharsets.UTF_8))))
                    .isEqualTo("hello");
            // Alone it comes in one read; a busy machine may put some of the bytes together.
            assertThat(process.out().reads() - before).isGreaterThan(10);
        }
    }

    @Test
    void split_glued_and_crlf_answers_are_right_all_the_same() throws Exception {
        try (ServerProcess process = ServerProcess.connected()) {
            process.callWith(1, "split=1000");
            assertThat(process.textOf(1)).isEqualTo("hello");
            process.callWith(2, "glue");
            assertThat(process.out().nextMessage().string("method")).isEqualTo("notifications/message");
            assertThat(process.textOf(2)).isEqualTo("hello");
            process.callWith(3, "crlf");
            assertThat(new String(process.out().nextBytes(), StandardCharsets.UTF_8))
                    .endsWith("}\r\n");
        }
    }

    @Test
    void giant_deep_and_long_answers_are_as_large_as_they_should_be() throws Exception {
        try (ServerProcess process = ServerProcess.connected()) {
            process.callWith(1, "giant=5000000");
            assertThat(process.textOf(1)).hasSize(5_000_000);
            process.callWith(2, "deep=100000");
            assertThat(process.out().next()).contains("[".repeat(100_000)).contains("]".repeat(100_000));
            process.callWith(3, "long-number=500000");
            assertThat(process.out().next()).contains("7".repeat(500_000));
            process.assertWorks(4);
        }
    }

    @Test
    void invalid_bytes_and_odd_characters_are_on_the_wire() throws Exception {
        try (ServerProcess process = ServerProcess.connected()) {
            process.callWith(1, "invalid-utf8");
            byte[] line = process.out().nextBytes();
            assertThat(line).containsSubsequence((byte) 0xC3, (byte) 0x28);
            assertThat(Message.read(line, 0, line.length)).isInstanceOf(Message.Malformed.class);
            process.callWith(2, "odd-characters");
            assertThat(process.out().next()).contains("\\ud800 \\u0000 \u2028");
        }
    }

    @Test
    void the_client_is_asked_whatever_the_script_says() throws Exception {
        Path journal = folder.resolve("journal");
        try (ServerProcess process =
                ServerProcess.start(ServerScript.faultless().withJournal(journal))) {
            process.initialize();
            process.callWith(1, "client-request=unknown/thing");
            JsonView request = process.out().nextMessage();
            assertThat(request.string("method")).isEqualTo("unknown/thing");
            process.assertSilentBefore(2);
            JsonView id = request.member("id");
            process.send("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":{\"code\":-32601,\"message\":\"no\"}}");
            assertThat(process.textOf(1)).isEqualTo("hello");
            process.callWith(3, "client-request=ping");
            JsonView ping = process.out().nextMessage().member("id");
            process.send("{\"jsonrpc\":\"2.0\",\"id\":" + ping + ",\"result\":{}}");
            assertThat(process.textOf(3)).isEqualTo("hello");
            assertThat(journal(journal))
                    .containsExactly("1 echo", "1 client-request:refused", "3 echo", "3 client-request:answered");
        }
    }

    @Test
    void a_storm_of_changes_comes_before_the_answer() throws Exception {
        try (ServerProcess process = ServerProcess.connected()) {
            process.callWith(1, "list-changed-storm=500");
            for (int i = 0; i < 500; i++) {
                assertThat(process.out().nextMessage().string("method")).isEqualTo("notifications/tools/list_changed");
            }
            assertThat(process.textOf(1)).isEqualTo("hello");
        }
    }

    @Test
    void reading_stops_so_that_the_pipe_fills_up() throws Exception {
        try (ServerProcess process = ServerProcess.connected()) {
            process.callWith(1, "stop-reading");
            assertThat(process.textOf(1)).isEqualTo("hello");
            // More than the pipe and its buffers hold.
            var writing = CompletableFuture.runAsync(() -> write(process, "x".repeat(1 << 20)));
            assertThatThrownBy(() -> writing.get(500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            process.handle().destroyForcibly();
            process.exitCode();
            writing.exceptionally(broken -> null).get(10, TimeUnit.SECONDS);
            assertThat(writing).isCompletedExceptionally();
        }
    }

    private static void write(ServerProcess process, String text) {
        try {
            process.send(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @CsvSource({"fork, false", "fork-detached, true"})
    void a_fork_outlives_it_and_holds_the_pipes(String fault, boolean isDetached) throws Exception {
        Path journal = folder.resolve("journal");
        try (ServerProcess process =
                ServerProcess.start(ServerScript.faultless().withJournal(journal))) {
            process.initialize();
            process.callWith(1, fault + "=60");
            assertThat(process.textOf(1)).isEqualTo("hello");
            long pid = Long.parseLong(journal(journal).getLast().replaceFirst("1 " + fault + ":", ""));
            ProcessHandle fork = ProcessHandle.of(pid).orElseThrow();
            try {
                assertThat(process.handle().descendants().anyMatch(fork::equals))
                        .isEqualTo(!isDetached);
                process.handle().destroyForcibly();
                process.exitCode();
                assertThat(fork.isAlive()).isTrue();
                assertThat(process.out().isEmpty())
                        .as("no end of standard output")
                        .isTrue();
            } finally {
                fork.destroyForcibly();
            }
            process.out().assertEnd();
        }
    }

    private static List<String> journal(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .map(line -> line.replaceFirst("^\\d+ \\d+ ", ""))
                .toList();
    }
}
