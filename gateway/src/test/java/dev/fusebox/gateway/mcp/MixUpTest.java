package dev.fusebox.gateway.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// No caller ever gets what belongs to another, whatever the server answers with. `-Dcalls=1000000` for the long form;
/// `-Dseed=N` replays a server's choices.
@Timeout(600)
class MixUpTest {
    private static final int CALLERS = 64;
    private static final int CALLS = Integer.getInteger("calls", 20_000);
    private static final long SEED = Long.getLong("seed", System.nanoTime());

    /// Answers in any order, each once with what was asked, and around that with ids that are over, not given out yet,
    /// spelled otherwise or not ids at all, always with a text that nobody asked for.
    private static final String LIAR = """
            import sys
            state = int(sys.argv[1]) & 0xFFFFFFFF
            def chance(n):
                global state
                state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
                return (state >> 8) % n
            over = [b'0']
            def lie(id):
                wrong = [over[chance(len(over))], b'%d' % (int(id) + 100000), b'"' + id + b'"', b'null', b'-' + id,
                         b'[' + id + b']', b'{}', id + b'.5', b'true', b'0' + id, id + b'e0', b'99999999999999999999']
                return answer(wrong[chance(len(wrong))], b'WRONG')
            while True:
                calls = [(ident(l), text(l)) for l in read() if ident(l)]
                out = []
                while calls:
                    id, asked = calls.pop(chance(len(calls)))
                    if chance(2): out.append(lie(id))
                    out.append(answer(id, asked))
                    if chance(2): out.append(answer(id, b'WRONG'))
                    if chance(2): out.append(lie(id))
                    over.append(id)
                    if len(over) > 1000: over = over[500:]
                say(b''.join(out))
            """;

    @Test
    void sixty_four_callers_of_two_sessions_get_their_own_answers() throws Exception {
        Machine.needsPython();
        var wrong = new AtomicReference<@Nullable String>();
        var done = new AtomicInteger();
        try (WebGateway gateway = WebGateway.of(Servers.python(LIAR, Long.toString(SEED)));
                WebClient one = gateway.connect().hello();
                WebClient other = gateway.connect().hello()) {
            List<Thread> callers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                WebClient caller = (i % 2 == 0 ? one : other).again();
                // The same ids in both sessions.
                int first = i / 2 * 10_000_000;
                String name = "caller " + i;
                callers.add(
                        Thread.ofVirtual().start(() -> wrong.compareAndSet(null, callAll(caller, first, name, done))));
            }
            for (Thread caller : callers) {
                caller.join();
            }
        }
        assertThat(wrong.get()).as("seed %d", SEED).isNull();
        assertThat(done.get()).isEqualTo(CALLS / CALLERS * CALLERS);
    }

    /// What went wrong; null if nothing did.
    private static @Nullable String callAll(WebClient caller, int first, String name, AtomicInteger done) {
        try (caller) {
            for (int i = 0; i < CALLS / CALLERS; i++) {
                String text = name + " call " + i;
                var answer = caller.call("" + (first + i), "any", "{\"text\":\"" + text + "\"}");
                boolean isOwn = ("" + (first + i)).equals(Frame.answered(answer)) && text.equals(Frame.text(answer));
                if (!isOwn) {
                    return name + " asked " + text + ", got " + answer;
                }
                done.incrementAndGet();
            }
            return null;
        } catch (IOException | AssertionError e) {
            return name + ": " + e;
        }
    }

    @Test
    void thousands_of_calls_at_once_over_one_pipe_get_their_own_answers() {
        Machine.needsPython();
        try (StdioClient client = StdioClient.of(Servers.python(LIAR, Long.toString(SEED)))) {
            for (int i = 0; i < 5_000; i++) {
                client.say(Frame.echo(i % 2 == 0 ? "" + i : "\"" + i + "\"", "text " + i));
            }
            for (int i = 0; i < 5_000; i++) {
                assertThat(Frame.text(client.answer(i % 2 == 0 ? "" + i : "\"" + i + "\"")))
                        .as("seed %d", SEED)
                        .isEqualTo("text " + i);
            }
            assertThat(client.others()).isEmpty();
        }
    }
}
