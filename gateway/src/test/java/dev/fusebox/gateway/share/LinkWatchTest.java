package dev.fusebox.gateway.share;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.testkit.ManualTime;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// When a connector gives up a gateway that does not respond.
@Timeout(30)
class LinkWatchTest {
    private static final Duration INTERVAL = Duration.ofSeconds(5);

    @TempDir
    Path folder;

    private final ManualTime time = new ManualTime();
    private final List<String> notes = new CopyOnWriteArrayList<>();
    private volatile boolean isAwaited = true;
    private volatile boolean hasEnded;
    private final LinkWatch watch = new LinkWatch(time.platform(), link -> isAwaited, notes::add);
    private ServerSocketChannel listening;
    private SocketChannel gateway;
    private GatewayLink link;
    private Thread watching;

    @BeforeEach
    void connect() throws IOException {
        Path socket = folder.resolve("s");
        listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket));
        link = Objects.requireNonNull(GatewayLink.connect(socket));
        gateway = listening.accept();
        watch.add(link);
        watching = Thread.ofPlatform().start(() -> watch.run(() -> hasEnded));
    }

    @AfterEach
    void end() throws Exception {
        hasEnded = true;
        watching.interrupt();
        watching.join();
        link.close();
        gateway.close();
        listening.close();
    }

    /// Lets the watch look once more.
    private void look() {
        try {
            time.awaitPending(1);
            time.advance(INTERVAL);
            time.awaitPending(1);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    private void lookFourTimes() {
        for (int i = 0; i < 4; i++) {
            look();
        }
    }

    /// The same, and takes the question that follows, which a thread of its own writes; at the end of the
    /// connection nothing follows. A write that is in progress at the next look would be a sign of life.
    private void lookAndTakeQuestion() throws IOException {
        look();
        ByteBuffer asked = ByteBuffer.allocate(2);
        if (gateway.read(asked) > 0) {
            assertThat(asked.get(0)).isEqualTo(LineMark.CHECK);
        }
        eventually("the question is written", () -> !link.isWriting());
    }

    private boolean isClosed() {
        try {
            link.write(new byte[] {'\n'});
            return false;
        } catch (IOException closed) {
            return true;
        }
    }

    @Test
    void silent_gateway_whose_answer_is_awaited_is_given_up() throws Exception {
        for (int i = 0; i < 2; i++) {
            lookAndTakeQuestion();
            assertThat(isClosed()).isFalse();
            gateway.read(ByteBuffer.allocate(1));
        }
        lookAndTakeQuestion();
        assertThat(isClosed()).isTrue();
        assertThat(notes).singleElement().asString().contains("has not responded for 15 s");
    }

    @Test
    void gateway_that_takes_nothing_is_given_up_although_a_write_to_it_blocks() throws Exception {
        isAwaited = false;
        List<String> failed = new CopyOnWriteArrayList<>();
        Thread writer = Thread.ofPlatform().start(() -> {
            try {
                link.write(new byte[8 << 20]);
            } catch (IOException closed) {
                failed.add("closed");
            }
        });
        eventually("it writes", link::isWriting);
        // Until the buffers of the socket are full, each look finds that the gateway has taken more.
        eventually("it is given up", () -> {
            look();
            return !writer.isAlive();
        });
        assertThat(failed).containsExactly("closed");
    }

    @Test
    void gateway_that_takes_a_large_message_slowly_is_kept() throws Exception {
        byte[] message = new byte[8 << 20];
        Thread writer = Thread.ofPlatform().start(() -> {
            try {
                link.write(message);
            } catch (IOException closed) {
                notes.add("closed");
            }
        });
        eventually("it writes", link::isWriting);
        ByteBuffer taken = ByteBuffer.allocate(message.length);
        for (int i = 1; i <= 6; i++) {
            take(taken, i << 20);
            look();
        }
        take(taken, message.length);
        writer.join();
        assertThat(notes).isEmpty();
    }

    private void take(ByteBuffer taken, int until) throws IOException {
        taken.limit(until);
        while (taken.hasRemaining() && gateway.read(taken) >= 0) {
            // It reads on.
        }
    }

    @Test
    void gateway_is_not_given_up_because_the_client_reads_nothing() throws Exception {
        watch.writingToClient(true);
        lookFourTimes();
        watch.writingToClient(false);
        look();
        look();
        assertThat(isClosed()).isFalse();
        assertThat(notes).isEmpty();
    }

    @Test
    void gateway_without_open_requests_may_be_silent() throws Exception {
        isAwaited = false;
        lookFourTimes();
        assertThat(isClosed()).isFalse();
    }

    @Test
    void gateway_that_shows_signs_of_life_is_kept() throws Exception {
        for (int i = 0; i < 4; i++) {
            look();
            watch.heard(link);
        }
        assertThat(isClosed()).isFalse();
    }
}
