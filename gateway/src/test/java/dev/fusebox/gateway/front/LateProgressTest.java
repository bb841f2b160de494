package dev.fusebox.gateway.front;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A server sends a response with progress on both sides of it, in one write.
@Tag("process")
@Timeout(120)
class LateProgressTest {
    private static final int CALLS = 10_000;
    private static final int AT_ONCE = 50;

    private static final String SERVER = """
            def step(id): return (b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":'
                                  + id + b',"progress":1}}\\n')
            while True:
                out = b''
                for line in read():
                    id = ident(line)
                    if id: out += (step(id) if b'progressToken' in line else b'') + answer(id, b'done')
                    if id and b'progressToken' in line: out += step(id) * 3
                say(out)
            """;

    private final Set<String> answered = ConcurrentHashMap.newKeySet();
    private final List<String> late = new ArrayList<>();
    private final Semaphore free = new Semaphore(AT_ONCE);

    @BeforeAll
    static void needs() {
        Machine.needsPython();
    }

    /// Called by the thread that reads the gateway's output.
    private void hear(String line) {
        JsonView frame = Frame.read(line);
        JsonView token = frame.path("params", "progressToken");
        if (token != null && answered.contains(token.json())) {
            late.add(line);
        }
        String id = Frame.answered(frame);
        if (id != null && answered.add(id)) {
            free.release();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void progress_never_follows_the_response_on_stdio(boolean isStateless) throws InterruptedException {
        SessionSettings settings = SessionSettings.of("server");
        try (StdioClient client = isStateless
                ? StdioClient.silent(settings, Servers.python(SERVER))
                : StdioClient.of(Servers.python(SERVER))) {
            client.onLine(this::hear);
            for (int i = 1; i <= CALLS; i++) {
                assertThat(free.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
                client.say(call(i, isStateless));
            }
            assertThat(free.tryAcquire(AT_ONCE, 30, TimeUnit.SECONDS)).isTrue();
        }

        assertThat(answered).hasSize(CALLS);
        assertThat(late).isEmpty();
    }

    private static String call(int number, boolean isStateless) {
        String id = Integer.toString(number);
        String token = "\"progressToken\":" + id;
        return isStateless ? Frame.statelessCall(id, token, "any", "{}") : Frame.call(id, token, "any", "{}");
    }

    @Test
    void progress_never_follows_the_response_on_the_older_transport() throws IOException {
        try (WebGateway gateway = WebGateway.of(Servers.python(SERVER));
                SseClient client = SseClient.of(gateway).hello()) {
            for (int i = 1; i <= CALLS / 10; i++) {
                client.tell(call(i, false));
                hearAnswer(client, Integer.toString(i));
            }
        }

        assertThat(late).isEmpty();
    }

    private void hearAnswer(SseClient client, String id) throws IOException {
        while (!answered.contains(id)) {
            hear(client.message().json());
        }
    }
}
