package dev.fusebox.search.training;

import dev.fusebox.search.model.WordTable;
import dev.fusebox.search.training.QuestionSet.Question;
import java.util.List;
import java.util.Locale;

/// Measures how often the tools of a data set are found, with a word table alone. For one thread.
final class TableEvaluation {
    private final WordTable table;
    private final List<float[]> vectors;

    /// The share of questions whose tool is first, and is among the first five.
    record Rates(double first, double firstFive) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%.3f / %.3f", first, firstFive);
        }
    }

    TableEvaluation(WordTable table, List<ToolExample> tools) {
        this.table = table;
        this.vectors = tools.stream().map(tool -> table.embed(tool.text())).toList();
    }

    Rates ofTable(List<Question> questions) {
        return rates(
                questions,
                questions.stream()
                        .map(question -> similarities(question.text()))
                        .toList());
    }

    private double[] similarities(String question) {
        float[] vector = table.embed(question);
        return vectors.stream().mapToDouble(it -> Matrices.dot(it, vector)).toArray();
    }

    private static Rates rates(List<Question> questions, List<double[]> scores) {
        int first = 0;
        int firstFive = 0;
        for (int i = 0; i < questions.size(); i++) {
            int rank = rank(questions.get(i), scores.get(i));
            first += rank == 0 ? 1 : 0;
            firstFive += rank < 5 ? 1 : 0;
        }
        double all = Math.max(1, questions.size());
        return new Rates(first / all, firstFive / all);
    }

    /// The number of tools before the best right one.
    private static int rank(Question question, double[] scores) {
        int best = question.answers().stream()
                .reduce((one, other) -> scores[other] > scores[one] ? other : one)
                .orElseThrow();
        int before = 0;
        for (int tool = 0; tool < scores.length; tool++) {
            boolean isBefore = scores[tool] > scores[best] || (scores[tool] == scores[best] && tool < best);
            before += isBefore ? 1 : 0;
        }
        return before;
    }
}
