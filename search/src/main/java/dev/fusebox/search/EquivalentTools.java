package dev.fusebox.search;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Folds hits that do the same in different groups, such as the web searches of three servers, into the best of them.
/// Immutable.
final class EquivalentTools {
    /// From this similarity on two tools do the same.
    private static final float MIN_BY_MODEL = 0.8f;

    private static final float MIN_BY_TABLE = 0.85f;

    private final List<ToolText> toolTexts;
    private final IntFunction<Embeddings> embeddings;

    /// The embeddings of a document, as far as they are known.
    record Embeddings(@Nullable Embedding byModel, @Nullable Embedding byTable) {
        boolean areSimilarTo(Embeddings other) {
            if (byModel != null && other.byModel != null) {
                return byModel.similarity(other.byModel) >= MIN_BY_MODEL;
            }
            return byTable != null && other.byTable != null && byTable.similarity(other.byTable) >= MIN_BY_TABLE;
        }
    }

    /// @param embeddings those of each document
    EquivalentTools(List<ToolText> toolTexts, IntFunction<Embeddings> embeddings) {
        this.toolTexts = toolTexts;
        this.embeddings = embeddings;
    }

    /// @param hits best first
    /// @param most the greatest number of hits that are not equivalents of a better one
    List<SearchHit> folded(List<SearchHit> hits, int most) {
        List<Equivalents> folded = new ArrayList<>();
        for (SearchHit hit : hits) {
            ToolText toolText = toolTexts.get(hit.index());
            Equivalents alone = new Equivalents(hit, toolText, embeddings.apply(hit.index()));
            Equivalents better = folded.stream()
                    .filter(equivalents -> equivalents.isEquivalentTo(alone))
                    .findFirst()
                    .orElse(null);
            if (better != null) {
                better.add(hit, toolText);
            } else if (folded.size() < most) {
                folded.add(alone);
            }
        }
        return folded.stream().map(Equivalents::folded).toList();
    }

    /// A hit with its equivalents. For one thread.
    private static final class Equivalents {
        private final SearchHit best;
        private final ToolText toolText;
        private final Embeddings embeddings;
        private final List<SearchHit> others = new ArrayList<>();

        /// Of all of them.
        private final List<ToolText> toolTexts = new ArrayList<>();

        Equivalents(SearchHit best, ToolText toolText, Embeddings embeddings) {
            this.best = best;
            this.toolText = toolText;
            this.embeddings = embeddings;
            toolTexts.add(toolText);
        }

        void add(SearchHit hit, ToolText of) {
            others.add(hit);
            toolTexts.add(of);
        }

        SearchHit folded() {
            return new SearchHit(best.index(), best.score(), others);
        }

        /// Texts of tools that do the opposite may be similar, so both must read or both change something, and no two
        /// names may contain antonyms.
        boolean isEquivalentTo(Equivalents other) {
            return toolText.features().changes() == other.toolText.features().changes()
                    && embeddings.areSimilarTo(other.embeddings)
                    && !toolText.names().group().equals(other.toolText.names().group())
                    && toolTexts.stream()
                            .noneMatch(each -> Antonyms.areIn(each.names().name(), other.name()));
        }

        private String name() {
            return toolText.names().name();
        }
    }
}
