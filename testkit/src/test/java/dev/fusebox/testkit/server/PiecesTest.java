package dev.fusebox.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PiecesTest {
    private final List<String> writes = new ArrayList<>();
    private final PipeOutbox outbox = new PipeOutbox(
            new OutputStream() {
                @Override
                public void write(byte[] bytes, int from, int length) {
                    writes.add(new String(bytes, from, length, StandardCharsets.UTF_8));
                }

                @Override
                public void write(int one) {
                    writes.add(Character.toString(one));
                }
            },
            Platform.system());

    @Test
    void bytes_come_in_the_chunks_asked_for() {
        Pieces pieces = Pieces.of("ab").and(Pieces.repeated("xyz", 3)).and("!");
        assertThat(pieces.length()).isEqualTo(12);
        outbox.write(pieces, Duration.ZERO);
        assertThat(writes).containsExactly("abxyzxyzxyz!");
        writes.clear();
        outbox.write(pieces.inChunksOf(5), Duration.ZERO);
        assertThat(writes).containsExactly("abxyz", "xyzxy", "z!");
        writes.clear();
        outbox.write(pieces.inChunksOf(1), Duration.ofNanos(1));
        assertThat(writes).hasSize(12).containsSubsequence("a", "b", "x", "!");
    }

    @Test
    void nothing_is_no_piece() {
        assertThat(Pieces.of("").iterator().hasNext()).isFalse();
        assertThat(Pieces.repeated("x", 0).length()).isZero();
    }

    @Test
    void what_is_written_last_is_the_last() {
        outbox.writeLast(Pieces.of("half"));
        outbox.send("{}".getBytes(StandardCharsets.UTF_8));
        assertThat(writes).containsExactly("half");
    }

    @Test
    void a_frame_and_what_is_glued_to_it_go_out_in_one_write() {
        Pieces two = outbox.encode(Pieces.of("{\"a\":1}")).and(outbox.encode(Pieces.of("{\"b\":2}")));
        outbox.write(two, Duration.ZERO);
        assertThat(writes).containsExactly("{\"a\":1}\n{\"b\":2}\n");
    }
}
