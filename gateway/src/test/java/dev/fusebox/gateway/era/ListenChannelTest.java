package dev.fusebox.gateway.era;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.client.Deadline;
import dev.fusebox.protocol.RequestId;
import dev.fusebox.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ListenChannelTest {
    private static final Duration BEAT = Duration.ofSeconds(15);

    private final ManualTime time = new ManualTime();
    private final List<String> lines = new ArrayList<>();
    private final Deadline deadline = Deadline.endless(time.platform().ticker());
    private final ListenChannel listenChannel =
            new ListenChannel(time.platform().timers(), RequestId.of("mine"), deadline, new Lines());

    /// A way back that keeps what goes there.
    private final class Lines implements ResponseChannel {
        @Override
        public void send(byte[] frame) {
            lines.add(new String(frame, UTF_8));
        }

        @Override
        public void finish(byte[] frame, Kind kind) {
            lines.add(new String(frame, UTF_8));
        }

        @Override
        public void abandon() {
            lines.add("abandoned");
        }

        @Override
        public void keepAlive() {
            lines.add("alive");
        }
    }

    @Test
    void a_silent_line_is_kept_alive_until_it_ends() {
        listenChannel.begin();
        time.advance(BEAT.multipliedBy(3));
        assertThat(lines).containsExactly("alive", "alive", "alive");
        listenChannel.abandon();
        time.advance(BEAT.multipliedBy(3));
        assertThat(lines).containsExactly("alive", "alive", "alive", "abandoned");
        assertThat(time.pending()).isZero();
    }

    @Test
    void it_ends_once_with_a_result_that_names_it() {
        listenChannel.begin();
        listenChannel.end();
        listenChannel.end();
        listenChannel.abandon();
        listenChannel.send("late".getBytes(UTF_8));
        assertThat(lines)
                .containsExactly("{\"jsonrpc\":\"2.0\",\"id\":\"mine\",\"result\":{\"resultType\":\"complete\","
                        + "\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":\"mine\"}}}");
        assertThat(deadline.isGivenUp()).isTrue();
        assertThat(time.pending()).isZero();
    }
}
