package dev.fusebox.gateway.front;

import static dev.fusebox.gateway.front.Machine.PLATFORM;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.client.http.OutboundHttpClient;
import dev.fusebox.client.http.OutboundSettings;
import dev.fusebox.client.http.StreamableHttpConnector;
import dev.fusebox.client.process.ChildSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// No caller ever gets what belongs to another, whatever the server sends. Two clients use the same ids and the
/// same progress tokens, and cancel some of their calls. `-Dlong` for a million calls in all; `-Dcalls=N` for
/// another number; `-Dseed=N` replays a server's choices.
@Tag("load")
@Timeout(3_600)
class MixUpTest {
    private static final int CALLERS = 64;
    /// For all variants together.
    private static final int CALLS =
            Integer.getInteger("calls", System.getProperty("long") == null ? 10_000 : 1_000_000);
    private static final int EACH = CALLS / Way.values().length / CALLERS;
    private static final long SEED = Long.getLong("seed", System.nanoTime());

    /// Answers in any order, each call once correctly, and also sends responses with ids that are completed, not
    /// assigned yet, spelled differently or not ids at all, always with a text that was not requested. Sends the
    /// progress that a call requested, and progress of completed or nonexistent calls. Most calls that will be
    /// cancelled get no response, and some get one too late.
    private static final String LIAR = """
            import sys
            state = int(sys.argv[1]) & 0xFFFFFFFF
            def chance(n):
                global state
                state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
                return (state >> 8) % n
            over = [(b'0', b'WRONG')]
            held = {}
            def token(line): return between(line, b'"progressToken":', b',}')
            def false_id(id):
                wrong = [over[chance(len(over))][0], b'%d' % (int(id) + 100000), b'"' + id + b'"', b'null', b'-' + id,
                         b'[' + id + b']', b'{}', id + b'.5', b'true', b'0' + id, id + b'e0', b'99999999999999999999']
                return wrong[chance(len(wrong))]
            def step(token, text, number):
                params = b'{"progressToken":' + token + b',"progress":%d,"message":"' % number + text + b'"}'
                return b'{"jsonrpc":"2.0","method":"notifications/progress","params":' + params + b'}\\n'
            def lies(id):
                if chance(2): yield answer(false_id(id), b'WRONG')
                if chance(4) == 0:
                    late, asked = over[chance(len(over))]
                    yield step(late, asked, 99)
                    yield step(b'%d' % (int(id) + 100000), b'WRONG', 99)
                    yield step(b'"' + id + b'"', b'WRONG', 99)
            def told(line):
                id, asked = ident(line), text(line)
                for n in range(int(between(line, b'"steps":', b',}') or 0)):
                    yield from lies(id)
                    yield step(token(line), asked, n + 1)
                if b'"held"' in line and chance(3):
                    held[id] = asked
                    return
                yield from lies(id)
                yield answer(id, asked)
                if chance(2): yield answer(id, b'WRONG')
                yield from lies(id)
                over.append((id, asked))
            def cancelled(line):
                id = between(line, b'"requestId":', b',}')
                asked = held.pop(id, None)
                if asked and chance(2):
                    yield answer(id, b'WRONG')
                    yield step(id, asked, 99)
            while True:
                out, calls = [], []
                for line in read():
                    if ident(line): calls.append(line)
                    elif b'notifications/cancelled' in line: out += cancelled(line)
                while calls: out += told(calls.pop(chance(len(calls))))
                if len(over) > 1000: over = over[500:]
                say(b''.join(out))
            """;

    /// The transport to the server, and the era of the server and its clients.
    enum Way {
        STDIO,
        STDIO_STATELESS,
        HTTP,
        HTTP_STATELESS;

        boolean isStateless() {
            return this == STDIO_STATELESS || this == HTTP_STATELESS;
        }
    }

    private static ChildSpec liar() {
        return Servers.python(LIAR, Long.toString(SEED));
    }

    @ParameterizedTest
    @EnumSource
    void concurrent_callers_get_only_their_own_responses_and_progress(Way way) throws Exception {
        if (way == Way.STDIO || way == Way.STDIO_STATELESS) {
            Machine.needsPython();
            try (WebGateway gateway = WebGateway.of(liar())) {
                mix(way, gateway);
            }
            return;
        }
        try (LyingServer server = way.isStateless() ? LyingServer.stateless(SEED) : LyingServer.ofSessions(SEED);
                OutboundHttpClient outboundHttpClient = OutboundHttpClient.open(PLATFORM, OutboundSettings.defaults());
                WebGateway gateway = WebGateway.before(
                        new StreamableHttpConnector(PLATFORM, outboundHttpClient, HttpTarget.of(server.uri())))) {
            mix(way, gateway);
        }
    }

    private static void mix(Way way, WebGateway gateway) throws Exception {
        long start = PLATFORM.ticker().nanos();
        var wrong = new AtomicReference<@Nullable String>();
        List<MixCaller> callers = new ArrayList<>();
        try (WebClient one = greeted(gateway.connect(), way);
                WebClient other = greeted(gateway.connect(), way)) {
            for (int i = 0; i < CALLERS; i++) {
                callers.add(new MixCaller("caller " + i, i / 2, i % 2 == 0 ? one : other, SEED));
            }
            List<Thread> threads = callers.stream()
                    .map(caller -> Thread.ofVirtual().start(() -> wrong.compareAndSet(null, caller.callAll(EACH))))
                    .toList();
            for (Thread thread : threads) {
                thread.join();
            }
            for (MixCaller caller : callers) {
                caller.close();
            }
        }
        int answered = callers.stream().mapToInt(MixCaller::answered).sum();
        int cancelled = callers.stream().mapToInt(MixCaller::cancelled).sum();
        double seconds = (PLATFORM.ticker().nanos() - start) / 1e9;
        System.out.printf(
                "%s: %,d calls answered, %,d cancelled, in %.0f s; seed %d%n", way, answered, cancelled, seconds, SEED);
        assertThat(wrong.get()).as("seed %d", SEED).isNull();
        assertThat(answered + cancelled).isEqualTo(EACH * CALLERS);
        assertThat(cancelled).isGreaterThan(EACH * CALLERS / 20);
    }

    private static WebClient greeted(WebClient client, Way way) throws IOException {
        return way.isStateless() ? client.stateless(MixCaller.TOOL) : client.hello();
    }

    @Test
    void thousands_of_concurrent_stdio_calls_get_their_own_responses() {
        Machine.needsPython();
        try (StdioClient client = StdioClient.of(liar())) {
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
