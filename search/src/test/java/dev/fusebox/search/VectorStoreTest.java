package dev.fusebox.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.search.model.Embedder;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/// Tests of saving and loading vectors: completely, or not at all.
class VectorStoreTest {
    private static final int LETTER_COUNT = 26;

    private static final Embedder LETTERS = text -> {
        float[] vector = new float[LETTER_COUNT];
        text.toLowerCase(Locale.ROOT)
                .chars()
                .filter(letter -> letter >= 'a' && letter <= 'z')
                .forEach(letter -> vector[letter - 'a']++);
        double square = IntStream.range(0, vector.length)
                .mapToDouble(i -> vector[i] * vector[i])
                .sum();
        for (int i = 0; i < vector.length; i++) {
            vector[i] /= (float) Math.sqrt(square);
        }
        return vector;
    };

    private static final List<ToolText> CARDS = List.of(
            toolText("rain", "says when it will rain"),
            toolText("mail", "sends a letter"),
            toolText("add", "adds numbers"));

    private static ToolText toolText(String name, String description) {
        return ToolText.of(() -> new Document(name, "server", description, ""));
    }

    private static VectorStore learned(List<ToolText> toolTexts) {
        VectorStore vectors = new VectorStore(LETTER_COUNT);
        vectors.learn(toolTexts, LETTERS);
        return vectors;
    }

    private static VectorStore read(byte[] written) {
        VectorStore vectors = new VectorStore(LETTER_COUNT);
        vectors.read(written);
        return vectors;
    }

    private static List<SearchHit> found(VectorStore vectors) {
        SearchIndex searchIndex = new SearchIndex(CARDS, new SearchModels(Optional::empty, vectors));
        searchIndex.refreshEmbeddings();
        assertThat(searchIndex.isWhole()).isTrue();
        return searchIndex
                .find(new SearchQuery("send the mail", LETTERS, index -> true, 3))
                .hits();
    }

    @Test
    void loaded_vectors_give_the_same_results() {
        VectorStore first = learned(CARDS);
        VectorStore second = read(first.written());
        assertThat(second.size()).isEqualTo(3);
        assertThat(new SearchIndex(CARDS, new SearchModels(Optional::empty, second)).missing())
                .isEmpty();
        assertThat(found(second)).isEqualTo(found(first));
    }

    @Test
    void empty_store_is_saved_and_loaded() {
        assertThat(read(new VectorStore(LETTER_COUNT).written()).size()).isZero();
    }

    @Test
    void truncated_or_changed_file_is_rejected_completely() {
        byte[] written = learned(CARDS).written();
        for (int length = 0; length < written.length; length++) {
            assertThat(read(Arrays.copyOf(written, length)).size()).isZero();
        }
        for (int at = 0; at < written.length; at++) {
            byte[] changed = written.clone();
            changed[at] ^= 4;
            assertThat(read(changed).size()).as("byte " + at).isZero();
        }
        assertThat(read(new byte[10_000]).size()).isZero();
        assertThat(new VectorStore(LETTER_COUNT).read(new byte[0])).isFalse();
    }

    @Test
    void vectors_of_another_model_are_rejected() {
        byte[] written = learned(CARDS).written();
        assertThat(new VectorStore(LETTER_COUNT).read(summed(written)))
                .as("summed again")
                .isTrue();
        byte[] other = written.clone();
        other["fusebox vectors 3: ".length()]++;
        assertThat(new VectorStore(LETTER_COUNT).read(summed(other))).isFalse();
    }

    /// With a valid checksum.
    private static byte[] summed(byte[] bytes) {
        CRC32 sum = new CRC32();
        sum.update(bytes, 0, bytes.length - Long.BYTES);
        return ByteBuffer.wrap(bytes.clone())
                .putLong(bytes.length - Long.BYTES, sum.getValue())
                .array();
    }

    @Test
    void vectors_of_another_length_are_rejected() {
        VectorStore vectors = new VectorStore(LETTER_COUNT);
        VectorStore others = new VectorStore(1);
        others.learn(List.of(toolText("new", "is new")), text -> new float[] {1});
        assertThat(vectors.read(others.written())).isFalse();
        assertThat(vectors.size()).isZero();
    }

    @Test
    void vector_without_a_finite_scale_is_ignored() {
        VectorStore vectors = new VectorStore(LETTER_COUNT);
        assertThat(vectors.learn(List.of(toolText("odd", "has no length")), text -> infinite()))
                .isZero();
        assertThat(vectors.size()).isZero();
    }

    private static float[] infinite() {
        float[] vector = new float[LETTER_COUNT];
        Arrays.fill(vector, Float.POSITIVE_INFINITY);
        return vector;
    }

    @Test
    void same_vectors_give_same_bytes_in_any_order() {
        assertThat(learned(CARDS.reversed()).written()).isEqualTo(learned(CARDS).written());
    }

    @Test
    void known_vector_is_not_computed_again_and_not_replaced() {
        VectorStore vectors = learned(CARDS);
        assertThat(vectors.learn(CARDS, LETTERS)).isZero();
        vectors.read(learned(List.of(toolText("rain", "says when it will rain"), toolText("new", "is new")))
                .written());
        assertThat(vectors.size()).isEqualTo(4);
    }

    @Test
    void only_as_many_unused_vectors_as_necessary_are_removed() {
        VectorStore vectors = new VectorStore(LETTER_COUNT);
        List<ToolText> old = IntStream.range(0, 20_000)
                .mapToObj(i -> toolText("old" + i, "is old"))
                .toList();
        assertThat(vectors.learn(old, LETTERS)).isEqualTo(20_000);
        ToolText fresh = toolText("new", "is new");
        assertThat(vectors.learn(List.of(fresh), LETTERS)).isZero();
        vectors.makeRoomFor(List.of(fresh, old.get(7)));
        assertThat(vectors.size()).isEqualTo(19_999);
        assertThat(vectors.of(old.get(7))).isNotNull();
        assertThat(vectors.learn(List.of(fresh), LETTERS)).isEqualTo(1);
        vectors.makeRoomFor(List.of(fresh, old.get(7)));
        assertThat(vectors.size()).isEqualTo(20_000);
    }
}
