package dev.fusebox.gateway.front;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.StdioConnector;
import dev.fusebox.client.process.ChildProcesses;
import dev.fusebox.config.SessionBounds;
import dev.fusebox.gateway.era.SingleServer;
import dev.fusebox.gateway.session.ClientChannel;
import dev.fusebox.gateway.session.FrontTarget;
import dev.fusebox.gateway.session.SessionSettings;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.SecretIds;
import dev.fusebox.protocol.Message;
import java.time.Duration;
import java.util.Collections;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Admission of sessions, to the moment.
@Tag("process")
@Timeout(60)
class HttpSessionsTest {
    private static final int CLIENTS = 8;

    private final Platform platform = Platform.system();
    private final ChildProcesses children = ChildProcesses.open(platform);
    private final SessionSettings settings = SessionSettings.of("light");
    private final StdioConnector server = new StdioConnector(platform, "light", children, Servers.light());

    @AfterEach
    void end() {
        children.close();
    }

    private final McpPath path = McpPath.all(new SingleServer(FrontTarget.of(settings, server)));

    private HttpSessions upTo(int most) {
        FrontTarget frontTarget =
                FrontTarget.of(settings, server).withBounds(new SessionBounds(most, Duration.ofHours(1)));
        return new HttpSessions(platform, new SingleServer(frontTarget), SecretIds.system());
    }

    /// Runs this when a response is sent, and ignores other messages.
    private static ClientChannel onAnswer(Consumer<String> answered) {
        return new ClientChannel() {
            @Override
            public void send(byte[] frame) {
                throw new AssertionError("nothing comes before the answer");
            }

            @Override
            public void finish(byte[] answer) {
                answered.accept(new String(answer, UTF_8));
            }

            @Override
            public void abandon() {
                throw new AssertionError("nobody has left");
            }
        };
    }

    private static Message.Request request(String frame) {
        return (Message.Request) Message.read(frame.getBytes(UTF_8));
    }

    private HttpSession opened(HttpSessions sessions) {
        return Objects.requireNonNull(sessions.open(path));
    }

    /// A client may open the next session before the gateway knows that the response in the previous one was
    /// received.
    @Test
    void session_is_evictable_as_soon_as_its_response_is_sent() {
        HttpSessions sessions = upTo(1);
        HttpSession first = opened(sessions);
        assertThat(sessions.open(path)).as("before its handshake").isNull();
        Runnable handshake = first.begin(request(Frame.hello("0")), onAnswer(answer -> {
            HttpSession second = opened(sessions);
            assertThat(sessions.find(second.id(), McpPath.ALL)).isSameAs(second);
            assertThat(sessions.find(first.id(), McpPath.ALL)).isNull();
            assertThat(children.live())
                    .as("it is not closed before its answer is out")
                    .hasSize(1);
        }));
        assertThat(sessions.open(path)).as("in its handshake").isNull();
        handshake.run();
        assertThat(sessions.count()).isEqualTo(1);
        eventually(
                "no child process is running", () -> assertThat(children.live()).isEmpty());
        sessions.closeAll();
    }

    @Test
    void released_permit_is_acquired_once() {
        HttpSessions sessions = upTo(1);
        for (int round = 0; round < 3; round++) {
            HttpSession session = opened(sessions);
            assertThat(sessions.close(session.id())).isTrue();
            assertThat(sessions.close(session.id())).isFalse();
        }
        opened(sessions);
        assertThat(sessions.open(path)).isNull();
        sessions.closeAll();
    }

    @Test
    void concurrent_opens_never_exceed_the_limit() throws Exception {
        try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            for (int round = 0; round < 200; round++) {
                HttpSessions sessions = upTo(3);
                assertThat(comeIn(sessions, clients)).isEqualTo(3);
                assertThat(sessions.count()).isEqualTo(3);
                sessions.closeAll();
            }
        }
    }

    /// The number of successful concurrent opens.
    private int comeIn(HttpSessions sessions, ExecutorService clients) throws Exception {
        CyclicBarrier together = new CyclicBarrier(CLIENTS);
        Callable<Boolean> opening = () -> {
            together.await(30, SECONDS);
            return sessions.open(path) != null;
        };
        int come = 0;
        for (Future<Boolean> each : clients.invokeAll(Collections.nCopies(CLIENTS, opening))) {
            come += each.get() ? 1 : 0;
        }
        return come;
    }
}
