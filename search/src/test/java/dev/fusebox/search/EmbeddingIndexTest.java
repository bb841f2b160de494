package dev.fusebox.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EmbeddingIndexTest {
    /// More vectors than one matrix has columns, and lengths that are no multiple of a step.
    @Test
    void similarity_is_the_product_of_the_vectors() {
        Random random = new Random(7);
        for (int length : new int[] {1, 26, 384}) {
            List<Embedding> all = new ArrayList<>();
            List<float[]> vectors = new ArrayList<>();
            for (int i = 0; i < 1500; i++) {
                vectors.add(vector(length, random));
                all.add(Embedding.of(vectors.getLast()));
            }
            float[] query = vector(length, random);
            float[] similarity = new EmbeddingIndex(all).similarity(query);
            assertThat(similarity).hasSize(1500);
            for (int i = 0; i < similarity.length; i++) {
                assertThat(similarity[i]).isCloseTo(product(query, vectors.get(i)), within(0.005f));
            }
        }
        assertThat(new EmbeddingIndex(List.of()).similarity(new float[] {1})).isEmpty();
    }

    private static float[] vector(int length, Random random) {
        float[] vector = new float[length];
        for (int i = 0; i < length; i++) {
            vector[i] = (random.nextFloat() - 0.5f) / (float) Math.sqrt(length);
        }
        return vector;
    }

    private static float product(float[] one, float[] other) {
        float sum = 0;
        for (int i = 0; i < one.length; i++) {
            sum += one[i] * other[i];
        }
        return sum;
    }
}
