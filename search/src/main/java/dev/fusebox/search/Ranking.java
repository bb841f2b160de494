package dev.fusebox.search;

import dev.fusebox.search.SearchResult.Method;
import dev.fusebox.search.model.Embedder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How documents are ranked for a query: the weighted sum of the standard scores of words, table and sentence model, as
/// far as there are any. Weights are measured in docs/search.md. Immutable.
final class Ranking {
    /// The score of a document that does not match at all.
    static final double NONE = Double.NEGATIVE_INFINITY;

    private static final double TABLE_WITH_MODEL = 0.1;
    private static final double WORDS_WITH_MODEL = 0.05;
    private static final double WORDS_WITH_TABLE = 0.5;

    /// With the model, a rare word that only one tool has must not outweigh everything else.
    private static final double MOST_OF_WORDS = 5;

    /// A document without an embedding must not seem certain because of the table alone.
    private static final double MOST_WITHOUT_EMBEDDING = 5;

    /// A match of one clause counts less than one of the whole query.
    private static final double CLAUSE_HANDICAP = 0.5;

    /// For a question, a tool that changes something ranks lower by this.
    private static final double CHANGE_HANDICAP = 0.3;

    /// A query without a known word matches nothing if no document has a higher score. The best answers to real
    /// questions have one.
    private static final double MIN_OF_UNKNOWN_WORDS = 2.5;

    /// Lexical scores alone are shares; this gives them the size of standard scores, to which the handicaps apply.
    private static final double LEXICAL_SCALE = 10;

    private static final StandardScores.Prior WORDS = new StandardScores.Prior(0.5, 1.4);
    private static final StandardScores.Prior TABLE = new StandardScores.Prior(0.02, 0.1);
    private static final StandardScores.Prior MODEL = new StandardScores.Prior(0.05, 0.106);

    private final WordScores words;
    private final @Nullable EmbeddingIndex index;
    private final @Nullable Embedder model;
    private final Method method;

    private Ranking(WordScores words, @Nullable EmbeddingIndex index, @Nullable Embedder model) {
        this.words = words;
        this.index = index;
        this.model = model;
        this.method = model != null ? Method.HYBRID : words.hasTable() ? Method.TABLE : Method.LEXICAL;
    }

    static Ranking ofWords(WordScores words) {
        return new Ranking(words, null, null);
    }

    static Ranking ofMeaning(WordScores words, EmbeddingIndex index, Embedder model) {
        return new Ranking(words, index, model);
    }

    Method method() {
        return method;
    }

    // ---- Scores

    /// The score of each document, as high as that for the query or its best clause; [#NONE] if it does not match.
    double[] scores(String query, List<String> clauses) {
        List<String> texts = new ArrayList<>();
        texts.add(query);
        texts.addAll(clauses);
        List<float[]> embeddings = model == null ? List.of() : model.embedAll(texts);
        double[] scores = scores(query, embeddings.isEmpty() ? null : embeddings.getFirst());
        for (int clause = 1; clause < texts.size(); clause++) {
            double[] part = scores(texts.get(clause), embeddings.isEmpty() ? null : embeddings.get(clause));
            for (int i = 0; i < scores.length; i++) {
                scores[i] = Math.max(scores[i], part[i] - CLAUSE_HANDICAP);
            }
        }
        return scores;
    }

    /// @param embedding that of the text by the sentence model, if there is one
    private double[] scores(String text, float @Nullable [] embedding) {
        double[] scores = withoutIntent(text, embedding);
        if (Intent.isQuestion(text)) {
            for (int i = 0; i < scores.length; i++) {
                scores[i] -= words.changes(i) ? CHANGE_HANDICAP : 0;
            }
        }
        return scores;
    }

    private double[] withoutIntent(String text, float @Nullable [] embedding) {
        double[] lexical = words.lexical(text);
        if (method == Method.LEXICAL) {
            return lexicalOnly(text, lexical);
        }
        boolean isHybrid = method == Method.HYBRID;
        double most = isHybrid ? MOST_OF_WORDS : Double.POSITIVE_INFINITY;
        double[] sum = new double[lexical.length];
        double[] byTable = StandardScores.of(words.table(text), words.distinct(), TABLE);
        add(byTable, isHybrid ? TABLE_WITH_MODEL : 1, sum);
        StandardScores.add(
                StandardScores.of(lexical, words.distinct(), WORDS),
                most,
                isHybrid ? WORDS_WITH_MODEL : WORDS_WITH_TABLE,
                sum);
        if (index != null && embedding != null) {
            add(byModel(index, embedding, byTable), 1, sum);
        }
        if (!words.hasKnownWord(text, lexical) && Arrays.stream(sum).max().orElse(0) < MIN_OF_UNKNOWN_WORDS) {
            Arrays.fill(sum, NONE);
        }
        return sum;
    }

    /// For a document without an embedding, the table's score is the best guess.
    private double[] byModel(EmbeddingIndex all, float[] embedding, double[] byTable) {
        BitSet counted = (BitSet) words.distinct().clone();
        counted.and(all.known());
        double[] scores = StandardScores.of(all.similarity(embedding), counted, MODEL);
        for (int i = all.known().nextClearBit(0);
                i < scores.length;
                i = all.known().nextClearBit(i + 1)) {
            scores[i] = Math.min(MOST_WITHOUT_EMBEDDING, byTable[i]);
        }
        return scores;
    }

    private static void add(double[] scores, double weight, double[] sum) {
        StandardScores.add(scores, Double.POSITIVE_INFINITY, weight, sum);
    }

    /// The share of the best possible score.
    private double[] lexicalOnly(String query, double[] lexical) {
        double best = words.best(query);
        double[] scores = new double[lexical.length];
        for (int i = 0; i < scores.length; i++) {
            scores[i] = lexical[i] > 0 ? LEXICAL_SCALE * lexical[i] / best : NONE;
        }
        return scores;
    }

    // ---- Hits

    /// How likely a document with this score is what was looked for; fitted to the tuning questions of docs/search.md.
    double confidence(double score) {
        return switch (method) {
            // A text that contains all words once gets just under half of the best possible score.
            case LEXICAL -> 1 - Math.pow(1 - Math.clamp(score / LEXICAL_SCALE, 0.0, 1.0), 2);
            case TABLE -> odds(0.6, score - 8.3);
            case HYBRID -> odds(1.4, score - 5.5);
        };
    }

    private static double odds(double slope, double distance) {
        return 1 / (1 + Math.exp(-slope * distance));
    }

    boolean canFold() {
        return method != Method.LEXICAL;
    }

    /// Folds hits that do the same; see [EquivalentTools]. Words alone cannot tell.
    List<SearchHit> folded(List<SearchHit> hits, int most) {
        return canFold() ? new EquivalentTools(words.toolTexts(), this::embeddings).folded(hits, most) : hits;
    }

    private EquivalentTools.Embeddings embeddings(int document) {
        return new EquivalentTools.Embeddings(
                index == null ? null : index.embedding(document),
                words.hasTable() ? words.tableEmbedding(document) : null);
    }
}
