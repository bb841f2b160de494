package dev.fusebox.search.model;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tests of the word table: its file format, and what it does with unusual texts.
class WordTableTest {
    private static final WordPieceTokenizer TOKENIZER = WordPieceTokenizer.of(
            "{\"model\":{\"vocab\":{\"send\":0,\"mail\":1,\"##s\":2,\"rain\":3,\"later\":4,\"[UNK]\":100}}}"
                    .getBytes(UTF_8));
    private static final float[][] ROWS = {{3, 0}, {0, 4}, {0, 0}, {-1, 0}};

    private static byte[] file() {
        return WordTableFile.of(ROWS);
    }

    private static WordTable table() throws IOException {
        return read(file());
    }

    private static WordTable read(byte[] file) throws IOException {
        return WordTable.read(new ByteArrayInputStream(file), TOKENIZER);
    }

    private static byte[] with(int at, int value) {
        byte[] file = file();
        ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putInt(at, value);
        return file;
    }

    @Test
    void vector_is_the_sum_of_distinct_pieces_and_has_length_one() throws IOException {
        assertThat(table().width()).isEqualTo(2);
        assertThat(table().embed("send")).containsExactly(1, 0);
        assertThat(table().embed("Send mail, send MAILS")).containsExactly(new float[] {0.6f, 0.8f}, within(0.001f));
        assertThat(table().embed("rain rain")).containsExactly(-1, 0);
    }

    @Test
    void text_without_known_pieces_has_the_zero_vector() throws IOException {
        assertThat(List.of("", "  \n", "qqq", "天气 🙂", "later"))
                .allSatisfy(text -> assertThat(table().embed(text)).containsExactly(0, 0));
    }

    @Test
    void text_of_any_length_is_embedded() throws IOException {
        assertThat(table().embed("send ".repeat(200_000))).containsExactly(1, 0);
        assertThat(table().embed("x".repeat(3_000) + " mail")).containsExactly(0, 1);
        assertThat(table().embed("x".repeat(1_000_000) + " mail")).containsExactly(0, 0);
    }

    /// Sorting a run of combining marks takes a time that grows with the square of its length.
    @Test
    @Timeout(5)
    void text_of_combining_marks_is_embedded_at_once() throws IOException {
        assertThat(table().embed("send a" + "\u0301\u0316".repeat(1_000_000))).containsExactly(1, 0);
    }

    @Test
    void file_that_is_no_word_table_is_rejected() {
        assertThatIOException().isThrownBy(() -> read(new byte[0])).withMessageContaining("not a word table");
        assertThatIOException().isThrownBy(() -> read(with(0, 7))).withMessageContaining("not a word table");
    }

    @Test
    void file_of_another_version_is_rejected() {
        assertThatIOException()
                .isThrownBy(() -> read(with(4, 2)))
                .withMessage("the word table has version 2; supported is 1");
    }

    @Test
    void damaged_file_is_rejected() {
        assertThat(IntStream.range(1, file().length))
                .allSatisfy(length -> assertThatIOException().isThrownBy(() -> read(Arrays.copyOf(file(), length))));
        List<byte[]> damaged = List.of(
                Arrays.copyOf(file(), file().length + 1),
                with(8, 0),
                with(8, -1),
                with(8, Integer.MAX_VALUE),
                with(12, 0),
                with(12, Integer.MAX_VALUE),
                with(WordTable.HEADER, Float.floatToIntBits(Float.NaN)));
        assertThat(damaged)
                .allSatisfy(file ->
                        assertThatIOException().isThrownBy(() -> read(file)).withMessageContaining("damaged"));
    }

    @Test
    void bundled_table_knows_texts_with_the_same_meaning() throws IOException {
        WordTable table = WordTable.load().orElseThrow();
        float[] question = table.embed("how do I write to somebody by e-mail");
        assertThat(product(question, question)).isCloseTo(1, within(0.001f));
        assertThat(product(question, table.embed("send message (gmail): Sends a message to a recipient.")))
                .isGreaterThan(
                        product(question, table.embed("forecast (weather): The weather of the next days.")) + 0.2f);
    }

    private static float product(float[] one, float[] other) {
        float sum = 0;
        for (int i = 0; i < one.length; i++) {
            sum += one[i] * other[i];
        }
        return sum;
    }
}
