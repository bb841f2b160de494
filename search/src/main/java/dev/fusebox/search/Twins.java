package dev.fusebox.search;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Folds hits that do the same in different groups, such as the web searches of three servers, into the best of them.
/// Immutable.
final class Twins {
    private final List<ToolText> toolTexts;
    private final IntFunction<? extends @Nullable Embedding> embeddings;
    private final float least;

    /// @param embeddings the vector of each document; null if it is unknown
    /// @param least the similarity from which on two documents do the same
    Twins(List<ToolText> toolTexts, IntFunction<? extends @Nullable Embedding> embeddings, float least) {
        this.toolTexts = toolTexts;
        this.embeddings = embeddings;
        this.least = least;
    }

    /// @param hits best first
    /// @param most the greatest number of hits that are not twins of a better one
    List<SearchHit> folded(List<SearchHit> hits, int most) {
        List<Equivalents> folded = new ArrayList<>();
        for (SearchHit hit : hits) {
            ToolText.Features features = toolTexts.get(hit.index()).features();
            Equivalents alone = new Equivalents(hit, features, embeddings.apply(hit.index()), new ArrayList<>());
            Equivalents better = folded.stream()
                    .filter(equivalents -> areTwins(equivalents, alone))
                    .findFirst()
                    .orElse(null);
            if (better != null) {
                better.twins().add(hit);
            } else if (folded.size() < most) {
                folded.add(alone);
            }
        }
        return folded.stream()
                .map(equivalents -> new SearchHit(
                        equivalents.best().index(), equivalents.best().score(), equivalents.twins()))
                .toList();
    }

    /// A hit with its twins.
    private record Equivalents(
            SearchHit best,
            ToolText.Features features,
            @Nullable Embedding embedding,
            List<SearchHit> twins) {}

    /// Texts of tools that do the opposite may be similar, so both must read or both change something, and their names
    /// must not have words for opposites.
    private boolean areTwins(Equivalents one, Equivalents other) {
        return !one.features().group().equals(other.features().group())
                && one.features().changes() == other.features().changes()
                && areSimilar(one.embedding(), other.embedding())
                && !Opposites.areIn(one.features().name(), other.features().name());
    }

    private boolean areSimilar(@Nullable Embedding one, @Nullable Embedding other) {
        return one != null && other != null && one.similarity(other) >= least;
    }
}
