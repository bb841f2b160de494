package dev.fusebox.search.training;

import dev.fusebox.search.SearchHit;
import dev.fusebox.search.SearchIndex;
import dev.fusebox.search.SearchModels;
import dev.fusebox.search.SearchQuery;
import dev.fusebox.search.ToolText;
import dev.fusebox.search.VectorStore;
import dev.fusebox.search.model.Embedder;
import dev.fusebox.search.model.SentenceModel;
import dev.fusebox.search.model.UntunedModel;
import dev.fusebox.search.model.WordTable;
import dev.fusebox.search.training.QuestionSet.Question;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Measures how often the tool search finds the tools of held-out questions: by words, with the table, with the
/// sentence
/// model, and with the model as it was before tuning. Run by `search/training/evaluate`, in the folder of the module.
/// Stateless.
final class SearchEvaluation {
    /// Of larger sets, so many questions are drawn.
    private static final int MOST_QUESTIONS = 1_000;

    private static final int SEED = 1;
    private static final int FIRST = 5;

    private SearchEvaluation() {}

    /// Prints a line for each set and way to search.
    ///
    /// @param arguments the folder of the other sources, or nothing
    public static void main(String[] arguments) throws IOException {
        List<QuestionSet> sets = new ArrayList<>(List.of(Sources.realTools()));
        sets.addAll(arguments.length > 0 ? Sources.in(Path.of(arguments[0])) : List.of());
        WordTable table = WordTable.load().orElseThrow();
        SentenceModel tuned = SentenceModel.load().orElseThrow();
        SentenceModel untuned = UntunedModel.load();
        System.out.println("held-out questions: the right tool is first / among the first five");
        for (QuestionSet set : sets) {
            List<Question> some = new ArrayList<>(set.heldOut());
            Collections.shuffle(some, new Random(SEED));
            List<Question> questions = some.subList(0, Math.min(MOST_QUESTIONS, some.size()));
            System.out.println(set.name() + ", " + questions.size() + " questions, "
                    + set.tools().size() + " tools");
            System.out.println("  words                    " + rates(index(set, null, null), null, questions));
            System.out.println("  words and table          " + rates(index(set, table, null), null, questions));
            System.out.println("  words and untuned model  " + rates(index(set, null, untuned), untuned, questions));
            System.out.println("  words and tuned model    " + rates(index(set, null, tuned), tuned, questions));
            System.out.println("  words, table and model   " + rates(index(set, table, tuned), tuned, questions));
        }
    }

    private static SearchIndex index(QuestionSet set, @Nullable Embedder table, @Nullable Embedder model) {
        List<ToolText> toolTexts =
                set.tools().stream().map(tool -> ToolText.of(tool::document)).toList();
        VectorStore vectors = new VectorStore();
        if (model != null) {
            vectors.learn(toolTexts, model);
        }
        return new SearchIndex(toolTexts, new SearchModels(() -> Optional.ofNullable(table), vectors));
    }

    private static String rates(SearchIndex index, @Nullable Embedder model, List<Question> questions) {
        int first = 0;
        int firstFive = 0;
        for (Question question : questions) {
            List<SearchHit> hits = index.find(new SearchQuery(question.text(), model, tool -> true, FIRST))
                    .hits();
            int rank = rank(hits, question);
            first += rank == 0 ? 1 : 0;
            firstFive += rank < FIRST ? 1 : 0;
        }
        double all = Math.max(1, questions.size());
        return String.format(Locale.ROOT, "%.3f / %.3f", first / all, firstFive / all);
    }

    private static int rank(List<SearchHit> hits, Question question) {
        for (int rank = 0; rank < hits.size(); rank++) {
            SearchHit hit = hits.get(rank);
            Stream<SearchHit> shown = Stream.concat(Stream.of(hit), hit.equivalents().stream());
            if (shown.anyMatch(each -> question.answers().contains(each.index()))) {
                return rank;
            }
        }
        return FIRST;
    }
}
