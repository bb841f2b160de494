package dev.fusebox.gateway.tools;

import dev.fusebox.search.ToolText;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// Texts to embed, in batches of texts of similar length, which the model embeds together. Thread-safe.
final class TextBatches {
    private static final int SIZE = 8;

    private final Queue<List<ToolText>> batches = new ConcurrentLinkedQueue<>();

    TextBatches(List<ToolText> toolTexts) {
        List<ToolText> byLength = ToolText.sortedByLength(toolTexts);
        for (int from = 0; from < byLength.size(); from += SIZE) {
            batches.add(byLength.subList(from, Math.min(byLength.size(), from + SIZE)));
        }
    }

    boolean isEmpty() {
        return batches.isEmpty();
    }

    /// Leaves nothing to embed.
    void clear() {
        batches.clear();
    }

    /// The next batch; null if there is none left.
    @Nullable
    List<ToolText> next() {
        return batches.poll();
    }
}
