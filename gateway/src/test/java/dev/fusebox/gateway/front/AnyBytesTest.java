package dev.fusebox.gateway.front;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.config.SessionBounds;
import dev.fusebox.gateway.session.SessionSettings;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Valid frames with mutated bytes, from both sides: no crash, no hang, no growth, and valid calls in between are
/// answered. `-Dlong` for ten times as many; `-Dseed=N` replays.
@Tag("process")
@Timeout(600)
class AnyBytesTest {
    private static final int TIMES = System.getProperty("long") == null ? 1 : 10;
    private static final int ON_PIPES = 80_000 * TIMES;
    private static final int IN_REQUESTS = 20_000 * TIMES;
    private static final int FROM_SERVERS = 100_000 * TIMES;
    private static final int BETWEEN_PROBES = 500;
    private static final int CONNECTIONS = 8;
    private static final long MAX_GROWTH = 64L << 20;
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final SessionSettings SETTINGS = SessionSettings.of("server").withTimeout(Duration.ofSeconds(20));

    /// Ids are strings, so that no mutation yields a number in use.
    private static final List<String> FROM_CLIENT = List.of(
            Frame.call(
                    "\"word\"",
                    "tool",
                    "{\"text\":\"gr\u00fc\u00dfe \ud83d\ude00 \\u20ac\",\"list\":[1,-2.5e3,true,null,{}]}"),
            "{\"jsonrpc\":\"2.0\",\"id\":\"word\",\"method\":\"tools/call\","
                    + "\"params\":{\"name\":\"x\",\"arguments\":{},"
                    + "\"_meta\":{\"progressToken\":\"token\",\"traceparent\":\"00-ab-cd-01\"}}}",
            "{\"jsonrpc\":\"2.0\",\"id\":\"word\",\"method\":\"tools/list\",\"params\":{\"cursor\":\"next\"}}",
            "{\"jsonrpc\":\"2.0\",\"id\":\"word\",\"method\":\"ping\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":\"word\",\"result\":{\"roots\":[{\"uri\":\"file:///a\"}]}}",
            "{\"jsonrpc\":\"2.0\",\"id\":\"word\",\"error\":{\"code\":-32601,\"message\":\"no\"}}",
            "[{\"jsonrpc\":\"2.0\",\"id\":\"word\",\"method\":\"ping\"},{\"jsonrpc\":\"2.0\",\"method\":\"x\"}]",
            Frame.cancel("\"word\""),
            Frame.INITIALIZED);

    private static final List<String> FROM_SERVER = List.of(
            "{\"jsonrpc\":\"2.0\",\"id\":\"word\","
                    + "\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"\u00e4 \\ud83d\"}],"
                    + "\"_meta\":{\"fusebox/x\":1}}}",
            "{\"jsonrpc\":\"2.0\",\"id\":\"word\",\"error\":{\"code\":-32000,\"message\":\"no\",\"data\":[[[]]]}}",
            "{\"jsonrpc\":\"2.0\",\"id\":\"word\",\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[]}}",
            "{\"jsonrpc\":\"2.0\",\"id\":\"word\",\"method\":\"ping\"}",
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\","
                    + "\"params\":{\"progressToken\":\"token\",\"progress\":1}}",
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\","
                    + "\"params\":{\"level\":\"info\",\"data\":\"\u20ac\"}}",
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}",
            Frame.cancel("\"word\""),
            "[{\"jsonrpc\":\"2.0\",\"id\":\"word\",\"result\":{}},"
                    + "{\"jsonrpc\":\"2.0\",\"id\":\"word\",\"method\":\"ping\"}]");

    /// A server that reads with an independent parser, and exits if it is sent invalid JSON.
    private static final String STRICT = """
            import json, sys
            while True:
                out = []
                for line in read():
                    frame = json.loads(line.decode('utf-8'))
                    if 'method' in frame and 'id' in frame:
                        out.append(answer(json.dumps(frame['id']).encode(), text(line)))
                say(b''.join(out))
            """;

    /// A server that sends some lines of a file before each response.
    private static final String REPLAYING = """
            import sys
            spoilt = open(sys.argv[1], 'rb')
            while True:
                for line in read():
                    id = ident(line)
                    if id and b'"tools/call"' in line: say(spoilt.read(1 << 15) + b'\\n')
                    if id: say(answer(id, text(line)))
            """;

    @TempDir
    private Path folder;

    private static ChildSpec strict() {
        Machine.needsPython();
        return Servers.python(STRICT);
    }

    /// The front end's output is always JSON in valid UTF-8; answers to valid calls are recorded here.
    private static final class Probes {
        private final Set<String> answered = ConcurrentHashMap.newKeySet();
        private final AtomicReference<@Nullable String> bad = new AtomicReference<>();

        void heard(String line) {
            try {
                String id = Frame.answered(Frame.read(line));
                if (line.contains("\ufffd")) {
                    bad.compareAndSet(null, line);
                } else if (id != null && id.startsWith("\"probe ") && line.contains("\"text\":" + id)) {
                    answered.add(id);
                }
            } catch (AssertionError noJson) {
                bad.compareAndSet(null, line);
            }
        }

        void ask(StdioClient client, int number) {
            client.say(Frame.echo("\"probe " + number + "\"", "probe " + number));
            eventually(
                    "seed %d: probe %d is answered".formatted(SEED, number),
                    () -> assertThat(answered).contains("\"probe " + number + "\""));
            assertThat(bad.get()).as("seed %d", SEED).isNull();
        }
    }

    @Test
    void mutated_client_frames_on_stdio_do_no_harm() {
        var probes = new Probes();
        var mutator = new Mutator(SEED, FROM_CLIENT);
        try (StdioClient client = StdioClient.of(SETTINGS, strict())) {
            client.onLine(probes::heard);
            long server = client.pid();
            probes.ask(client, -1);
            long before = Machine.heldBytes();
            for (int i = 0; i < ON_PIPES; i++) {
                client.write(mutator.next());
                client.write(new byte[] {'\n'});
                if (i % BETWEEN_PROBES == 0) {
                    probes.ask(client, i);
                }
            }
            probes.ask(client, ON_PIPES);
            assertThat(client.pid()).as("seed %d: the same server", SEED).isEqualTo(server);
            eventually(
                    "the memory is given back",
                    () -> assertThat(Machine.heldBytes() - before)
                            .as("seed %d", SEED)
                            .isLessThan(MAX_GROWTH));
        }
    }

    @Test
    void mutated_client_frames_over_http_are_answered() throws Exception {
        var failure = new AtomicReference<@Nullable Throwable>();
        try (WebGateway gateway = WebGateway.of(SETTINGS, SessionBounds.USUAL, strict());
                WebClient client = gateway.connect().hello()) {
            long before = Machine.heldBytes();
            Thread[] posters = new Thread[CONNECTIONS];
            for (int i = 0; i < CONNECTIONS; i++) {
                long seed = SEED + i;
                WebClient poster = client.again();
                posters[i] = Thread.ofVirtual().start(() -> postAll(poster, seed, failure));
            }
            for (Thread poster : posters) {
                poster.join();
            }
            assertThat(failure.get()).as("seed %d", SEED).isNull();
            assertThat(client.echo("1", "after all")).isEqualTo("after all");
            eventually(
                    "the memory is given back",
                    () -> assertThat(Machine.heldBytes() - before)
                            .as("seed %d", SEED)
                            .isLessThan(MAX_GROWTH));
        }
    }

    private static void postAll(WebClient poster, long seed, AtomicReference<@Nullable Throwable> failure) {
        try (poster) {
            postAll(poster, new Mutator(seed, FROM_CLIENT), "" + seed);
        } catch (IOException | AssertionError e) {
            failure.compareAndSet(null, e);
        }
    }

    private static void postAll(WebClient poster, Mutator mutator, String name) throws IOException {
        for (int i = 0; i < IN_REQUESTS / CONNECTIONS; i++) {
            assertThat(poster.post(mutator.next()).status()).isIn(200, 202, 400, 503);
            if (i % BETWEEN_PROBES == 0) {
                assertThat(poster.echo("\"of " + name + "\"", "probe " + i)).isEqualTo("probe " + i);
            }
        }
    }

    @Test
    void mutated_server_frames_do_no_harm() throws IOException {
        Machine.needsPython();
        Path spoilt = folder.resolve("spoilt");
        var mutator = new Mutator(SEED, FROM_SERVER);
        try (var out = new BufferedOutputStream(Files.newOutputStream(spoilt))) {
            for (int i = 0; i < FROM_SERVERS; i++) {
                out.write(mutator.next());
                out.write('\n');
            }
        }
        var probes = new Probes();
        try (StdioClient client = StdioClient.of(SETTINGS, Servers.python(REPLAYING, spoilt.toString()))) {
            client.onLine(probes::heard);
            long server = client.pid();
            probes.ask(client, -1);
            long before = Machine.heldBytes();
            long calls = Files.size(spoilt) / (1 << 15) + 1;
            for (int i = 0; i < calls; i++) {
                probes.ask(client, i);
            }
            assertThat(client.pid()).as("seed %d: the same server", SEED).isEqualTo(server);
            eventually(
                    "the memory is given back",
                    () -> assertThat(Machine.heldBytes() - before)
                            .as("seed %d", SEED)
                            .isLessThan(MAX_GROWTH));
        }
    }
}
