package dev.fusebox.search.model;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class VocabularyTest {
    private static byte[] resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(Vocabulary.class.getResourceAsStream(name), name)) {
            return in.readAllBytes();
        }
    }

    /// `search/training/train-table` writes it.
    @Test
    void bundled_file_has_the_vocabulary_of_the_model() throws IOException {
        assertThat(Vocabulary.parse(resource(SentenceModel.TOKENIZER)).written())
                .isEqualTo(resource("vocabulary.bin"));
    }

    @Test
    void file_is_read_as_it_was_written() throws IOException {
        Vocabulary first = Vocabulary.parse("{\"vocab\":{\"a\":0,\"##b\":7,\"\\u00e9\\\"\":2}}".getBytes(UTF_8));
        Vocabulary second = Vocabulary.read(first.written());
        for (String piece : new String[] {"a", "##b", "é\"", "b", "", "a "}) {
            assertThat(second.id(piece.toCharArray(), 0, piece.length()))
                    .isEqualTo(first.id(piece.toCharArray(), 0, piece.length()));
        }
        assertThat(second.id("##b".toCharArray(), 0, 3)).isEqualTo(7);
    }

    @Test
    void damaged_file_is_refused() {
        byte[] file = Vocabulary.parse("{\"vocab\":{\"a\":0}}".getBytes(UTF_8)).written();
        byte[] other = file.clone();
        other[0]++;
        byte[] slots = file.clone();
        slots[12] = 0;
        for (byte[] damaged : new byte[][] {other, slots, Arrays.copyOf(file, file.length - 1), new byte[0]}) {
            assertThatThrownBy(() -> Vocabulary.read(damaged))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("vocabulary");
        }
    }
}
