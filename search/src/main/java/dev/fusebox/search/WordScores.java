package dev.fusebox.search;

import dev.fusebox.search.model.Embedder;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What an index knows of its documents without the sentence model. Immutable.
final class WordScores {
    private final List<ToolText> toolTexts;
    private final LexicalIndex lexicalIndex;
    private final @Nullable Embedder table;
    private final @Nullable EmbeddingIndex tableIndex;
    private final int computed;
    private final BitSet changing = new BitSet();

    /// One document of each group of copies, so that a tool does not count as common because ten servers have it.
    private final BitSet distinct = new BitSet();

    /// @param stored what an earlier run knew of documents; null if there is none
    WordScores(List<ToolText> toolTexts, @Nullable Embedder table, @Nullable FeatureFile stored) {
        this.toolTexts = toolTexts;
        if (stored != null) {
            toolTexts.forEach(toolText -> toolText.restore(stored));
        }
        this.computed = (int)
                toolTexts.stream().filter(toolText -> toolText.prepare(table)).count();
        this.lexicalIndex = new LexicalIndex(toolTexts);
        this.table = table;
        this.tableIndex = table == null
                ? null
                : new EmbeddingIndex(toolTexts.stream()
                        .map(toolText -> toolText.tableEmbedding(table))
                        .toList());
        Set<Integer> contents = new HashSet<>();
        for (int index = 0; index < toolTexts.size(); index++) {
            ToolText.Features features = toolTexts.get(index).features();
            changing.set(index, features.changes());
            distinct.set(index, contents.add(features.contentHash()));
        }
    }

    List<ToolText> toolTexts() {
        return toolTexts;
    }

    /// The number of documents that were neither known before nor stored.
    int computed() {
        return computed;
    }

    double[] lexical(String query) {
        return lexicalIndex.scores(query);
    }

    /// The highest lexical score that a document could have.
    double best(String query) {
        return lexicalIndex.best(query);
    }

    /// Whether a word of the text is in a tool or in the vocabulary of the table.
    boolean hasKnownWord(String text, double[] lexical) {
        for (double score : lexical) {
            if (score > 0) {
                return true;
            }
        }
        return table != null && table.hasKnownWord(text);
    }

    boolean hasTable() {
        return table != null;
    }

    /// The documents that scores are standardized over.
    BitSet distinct() {
        return distinct;
    }

    /// The similarity of each document by the table, if there is one.
    float[] table(String query) {
        return table == null || tableIndex == null
                ? new float[toolTexts.size()]
                : tableIndex.similarity(table.embed(query));
    }

    /// Only if there is a table.
    Embedding tableEmbedding(int index) {
        return toolTexts.get(index).tableEmbedding(Objects.requireNonNull(table));
    }

    /// Whether using this document changes something.
    boolean changes(int index) {
        return changing.get(index);
    }
}
