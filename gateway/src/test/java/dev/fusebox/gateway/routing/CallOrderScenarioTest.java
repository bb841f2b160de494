package dev.fusebox.gateway.routing;

import static dev.fusebox.testkit.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.resilience.PipelineRules;
import dev.fusebox.gateway.era.CountingServer;
import dev.fusebox.gateway.era.HttpWire;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.PipedClient;
import dev.fusebox.gateway.front.WebClient;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A client over stdio, or over one HTTP connection, sends groups of calls without waiting for answers, to a
/// server that counts those that come after a later one. Beside it tools time out and servers crash and are
/// started again.
///
/// `-Dpairs=100000` makes so many pairs, and a tenth as many groups of five. Over five seconds: so many calls.
@Tag("process")
@Timeout(900)
class CallOrderScenarioTest {
    private static final int PAIRS = Integer.getInteger("pairs", 2_000);

    /// Of groups that are on their way at once.
    private static final int WINDOW = 50;

    private static final Comparator<JsonView> BY_ID = Comparator.comparingLong(
            answer -> Long.parseLong(Messages.at(answer, "id").json()));

    private final AtomicInteger last = new AtomicInteger(1);

    private static GatewayHarness.Plan plan() {
        return GatewayHarness.plan()
                .process("counting", CountingServer.spec())
                .server(TestServer.of("hanging", CountingServer.spec())
                        .pipeline(pipeline -> PipelineRules.of("hanging", true))
                        .within(Duration.ofMillis(200)))
                .server(TestServer.of("crashing", CountingServer.spec()).crashing());
    }

    @ParameterizedTest
    @CsvSource({"2,1,false", "2,1,true", "5,10,false", "5,10,true"})
    void a_server_is_called_in_the_order_in_which_its_client_called(int size, int fewer, boolean isStateless) {
        int groups = PAIRS / fewer;
        try (GatewayHarness gateway = plan().open();
                PipedClient client = gateway.onlyClient()) {
            if (!isStateless) {
                client.wire().hello(Messages.PLAIN);
            }

            for (int group = 0; group < groups; group++) {
                if (group % WINDOW == 0) {
                    client.wire().say(call(isStateless, "hanging__hang", "{}"));
                    client.wire().say(call(isStateless, "crashing__die", "{}"));
                    client.wire().answer(call(isStateless, "counting__stats", "{}"));
                }
                for (int i = 0; i < size; i++) {
                    client.wire().say(call(isStateless, "counting__note", "{\"n\":" + (group * size + i) + "}"));
                }
            }

            assertThat(Messages.said(client.wire().answer(call(isStateless, "counting__stats", "{}"))))
                    .isEqualTo(CountingServer.inOrder(groups * size));
        }
    }

    @ParameterizedTest
    @CsvSource({"2,1,false", "2,1,true", "5,10,false", "5,10,true"})
    void a_server_is_called_in_the_order_in_which_its_client_called_over_one_http_connection(
            int size, int fewer, boolean isStateless) throws IOException, InterruptedException {
        int groups = PAIRS / fewer;
        AtomicInteger beside = new AtomicInteger();
        try (GatewayHarness gateway = plan().open();
                HttpWire other = gateway.client();
                WebClient first = new WebClient(gateway.port());
                WebClient client = isStateless ? first.stateless("counting__note") : first.hello()) {
            AtomicBoolean over = new AtomicBoolean();
            Thread faults = Thread.startVirtualThread(() -> {
                while (!over.get()) {
                    other.answer(call(true, "hanging__hang", "{}"));
                    other.answer(call(true, "crashing__die", "{}"));
                    beside.incrementAndGet();
                }
            });
            String said = "";
            for (int group = 0; group < groups; group++) {
                for (int i = 0; i < size; i++) {
                    String note = call(isStateless, "counting__note", "{\"n\":" + (group * size + i) + "}");
                    client.send(note.getBytes(UTF_8));
                }
                for (int i = 0; i < size; i++) {
                    said = client.answer().body();
                }
            }
            over.set(true);
            faults.join();

            assertThat(said).contains(CountingServer.inOrder(groups * size));
            assertThat(beside).hasPositiveValue();
        }
    }

    /// The network decides in which order requests on several connections arrive.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void requests_to_an_http_server_are_written_in_the_order_in_which_the_client_called(boolean isStateless) {
        int groups = PAIRS / 5;
        try (OrderedRemote remote = OrderedRemote.open();
                GatewayHarness gateway = GatewayHarness.plan()
                        .server(TestServer.at("remote", remote.uri()))
                        .open();
                PipedClient client = gateway.onlyClient()) {
            if (!isStateless) {
                client.wire().hello(Messages.PLAIN);
            }
            for (int group = 0; group < groups; group++) {
                for (int i = 0; i < 4; i++) {
                    client.wire().say(call(isStateless, "remote__note", "{\"n\":" + (5 * group + i) + "}"));
                }
                String fifth = call(isStateless, "remote__note", "{\"n\":" + (5 * group + 4) + "}");
                assertThat(Messages.said(client.wire().answer(fifth))).isEqualTo("noted");
            }
            eventually("all requests have come", () -> assertThat(remote.came()).isEqualTo(5 * groups));
            assertThat(remote.late()).isZero();
        }
    }

    @Test
    void the_first_calls_of_a_server_that_has_to_be_started_keep_their_order() {
        for (int run = 0; run < 10; run++) {
            try (GatewayHarness gateway = plan().open();
                    PipedClient client = gateway.onlyClient()) {
                client.wire().hello(Messages.PLAIN);
                for (int i = 0; i < WINDOW; i++) {
                    client.wire().say(call(false, "counting__note", "{\"n\":" + i + "}"));
                }
                List<JsonView> messages = new ArrayList<>(client.wire().ask(call(false, "counting__stats", "{}")));
                while (answers(messages).size() <= WINDOW) {
                    messages.add(client.wire().unrelated().next());
                }

                assertThat(answers(messages)).isEqualTo(expected());
            }
        }
    }

    /// Each call counts one more, and the last reads the count.
    private static List<String> expected() {
        return IntStream.rangeClosed(1, WINDOW + 1)
                .mapToObj(call -> CountingServer.inOrder(Math.min(call, WINDOW)))
                .toList();
    }

    /// What the answers among these messages say, in the order of their calls.
    private static List<String> answers(List<JsonView> messages) {
        return messages.stream()
                .filter(message -> Messages.method(message) == null)
                .sorted(BY_ID)
                .map(CallOrderScenarioTest::said)
                .toList();
    }

    /// The text of an answer; the whole answer if the call failed.
    private static String said(JsonView answer) {
        return answer.path("result", "isError") == null && answer.member("result") != null
                ? Messages.said(answer)
                : answer.json();
    }

    private String call(boolean isStateless, String tool, String arguments) {
        int id = last.incrementAndGet();
        return isStateless
                ? Messages.call(id, Messages.PLAIN, tool, arguments)
                : Messages.sessionCall(id, tool, arguments);
    }
}
