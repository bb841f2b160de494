package dev.fusebox.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

/// Scores of different kinds become comparable, in large catalogs and in small ones.
class StandardScoresTest {
    private static final StandardScores.Prior USUAL = new StandardScores.Prior(0, 1);

    private static double[] standard(double[] values, StandardScores.Prior prior) {
        BitSet all = new BitSet();
        all.set(0, values.length);
        return StandardScores.of(values, all, prior);
    }

    @Test
    void many_documents_get_mean_zero_and_deviation_one() {
        double[] values = new double[200_000];
        for (int i = 0; i < values.length; i++) {
            values[i] = 100 + (i % 2 == 0 ? 3 : -3);
        }
        double[] standard = standard(values, new StandardScores.Prior(100, 3));
        assertThat(standard[0]).isCloseTo(1, within(0.001));
        assertThat(standard[1]).isCloseTo(-1, within(0.001));
    }

    @Test
    void scale_of_the_values_does_not_matter_if_there_are_many() {
        double[] values = new double[200_000];
        Arrays.setAll(values, i -> Math.sin(i));
        double[] larger = Arrays.stream(values).map(value -> 40 * value).toArray();
        double[] some = standard(values, USUAL);
        double[] others = standard(larger, USUAL);
        for (int i = 0; i < values.length; i++) {
            assertThat(others[i]).isCloseTo(some[i], within(0.01));
        }
    }

    @Test
    void outlier_is_cut_in_a_sum() {
        double[] sum = {1, 2, 3};
        StandardScores.add(new double[] {1_000, 1, -1_000}, 5, 0.5, sum);
        assertThat(sum).containsExactly(3.5, 2.5, -497);
    }

    @Test
    void documents_that_do_not_count_have_no_influence() {
        BitSet first = new BitSet();
        first.set(0);
        double[] copies = StandardScores.of(new double[] {8, 8, 8, 8}, first, USUAL);
        assertThat(copies).containsOnly(standard(new double[] {8}, USUAL)[0]);
    }

    @Test
    void few_documents_are_compared_with_the_usual_ones() {
        assertThat(standard(new double[] {3}, USUAL)[0]).isCloseTo(3, within(0.1));
        double[] equal = standard(new double[] {0.5, 0.5}, USUAL);
        assertThat(equal[0]).isEqualTo(equal[1]).isBetween(0.0, 1.0);
        assertThat(standard(new double[0], USUAL)).isEmpty();
    }
}
