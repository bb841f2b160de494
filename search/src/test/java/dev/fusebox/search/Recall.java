package dev.fusebox.search;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/// The rank of the right document over many questions: recall and reciprocal rank. An equivalent counts where it
/// is shown. Immutable.
record Recall(double atOne, double atFive, double atTen, double reciprocalRank) {
    static Recall of(
            RealTools realTools, List<RealTools.Question> questions, Function<String, List<SearchHit>> search) {
        double[] sums = new double[4];
        for (RealTools.Question question : questions) {
            int rank = rank(realTools, question, search.apply(question.text()));
            sums[0] += rank == 1 ? 1 : 0;
            sums[1] += rank <= 5 ? 1 : 0;
            sums[2] += rank <= 10 ? 1 : 0;
            sums[3] += rank <= 10 ? 1.0 / rank : 0;
        }
        int all = questions.size();
        return new Recall(sums[0] / all, sums[1] / all, sums[2] / all, sums[3] / all);
    }

    private static int rank(RealTools realTools, RealTools.Question question, List<SearchHit> hits) {
        for (int i = 0; i < hits.size(); i++) {
            SearchHit hit = hits.get(i);
            Stream<SearchHit> shown = Stream.concat(Stream.of(hit), hit.equivalents().stream());
            if (shown.anyMatch(
                    each -> question.answers().contains(realTools.ids().get(each.index())))) {
                return i + 1;
            }
        }
        return Integer.MAX_VALUE;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "recall@1 %.2f @5 %.2f @10 %.2f, MRR %.2f", atOne, atFive, atTen, reciprocalRank);
    }
}
