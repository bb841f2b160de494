package dev.fusebox.search;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/// Folds hits that do the same in different groups, such as the web searches of three servers, into the best of them.
/// Immutable.
final class Twins {
    private final List<ToolText> toolTexts;
    private final IntFunction<Embedding> embeddings;
    private final float least;

    /// @param embeddings the vector of each document
    /// @param least the similarity from which on two documents do the same
    Twins(List<ToolText> toolTexts, IntFunction<Embedding> embeddings, float least) {
        this.toolTexts = toolTexts;
        this.embeddings = embeddings;
        this.least = least;
    }

    /// @param hits best first
    /// @param most the greatest number of hits that are not twins of a better one
    List<SearchHit> folded(List<SearchHit> hits, int most) {
        List<List<SearchHit>> folded = new ArrayList<>();
        for (SearchHit hit : hits) {
            List<SearchHit> better = folded.stream()
                    .filter(some -> areTwins(some.getFirst().index(), hit.index()))
                    .findFirst()
                    .orElse(null);
            if (better != null) {
                better.add(hit);
            } else if (folded.size() < most) {
                folded.add(new ArrayList<>(List.of(hit)));
            }
        }
        return folded.stream()
                .map(some ->
                        new SearchHit(some.getFirst().index(), some.getFirst().score(), some.subList(1, some.size())))
                .toList();
    }

    private boolean areTwins(int one, int other) {
        return !group(one).equals(group(other)) && embeddings.apply(one).similarity(embeddings.apply(other)) >= least;
    }

    private String group(int index) {
        return toolTexts.get(index).features().group();
    }
}
