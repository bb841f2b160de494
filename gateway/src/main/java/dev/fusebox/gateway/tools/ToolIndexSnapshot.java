package dev.fusebox.gateway.tools;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.search.Document;
import dev.fusebox.search.SearchIndex;
import dev.fusebox.search.ToolText;
import dev.fusebox.search.VectorStore;
import java.util.IdentityHashMap;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The tools of one edition, made ready to be searched. Immutable but for how far the model has come with them;
/// thread-safe.
final class ToolIndexSnapshot {
    /// More of a schema says nothing new of what a tool is for.
    private static final int MOST_DETAILS = 2_000;

    private final AvailableTools availableTools;
    private final SearchIndex searchIndex;

    /// By what each tool says of itself, the very same object.
    private final IdentityHashMap<JsonView, Named> cards = new IdentityHashMap<>();

    private volatile boolean isRead;

    /// A tool that is called so.
    private record Named(AvailableTools.Tool tool, ToolText toolText) {
        boolean isOf(AvailableTools.Tool other) {
            return tool.name().equals(other.name()) && tool.server().equals(other.server());
        }
    }

    /// @param before what of it is still there need not be read again; null if there is nothing
    ToolIndexSnapshot(AvailableTools availableTools, VectorStore vectors, @Nullable ToolIndexSnapshot before) {
        this.availableTools = availableTools;
        this.searchIndex = new SearchIndex(
                availableTools.tools().stream()
                        .map(tool -> toolText(tool, before))
                        .toList(),
                vectors);
    }

    private ToolText toolText(AvailableTools.Tool tool, @Nullable ToolIndexSnapshot before) {
        Named known = before == null ? null : before.cards.get(tool.definition());
        ToolText toolText = known != null && known.isOf(tool) ? known.toolText() : ToolText.of(() -> document(tool));
        cards.put(tool.definition(), new Named(tool, toolText));
        return toolText;
    }

    boolean isOf(AvailableTools other) {
        return availableTools.edition().equals(other.edition());
    }

    SearchIndex searchIndex() {
        return searchIndex;
    }

    /// The model has seen all of it, and took in what there was room for.
    void read() {
        isRead = true;
    }

    /// Whether no more of it will be read.
    boolean isDone() {
        return isRead || searchIndex.isWhole();
    }

    private static Document document(AvailableTools.Tool tool) {
        String description = Objects.requireNonNullElse(tool.definition().string("description"), "");
        String title = Objects.requireNonNullElse(tool.definition().string("title"), "");
        StringBuilder details = new StringBuilder(title);
        JsonView properties = tool.definition().path("inputSchema", "properties");
        if (properties != null) {
            properties.forEachMember((name, schema) -> {
                String said = schema.string("description");
                if (details.length() < MOST_DETAILS) {
                    details.append(' ').append(name).append(' ').append(said == null ? "" : said);
                }
            });
        }
        return new Document(tool.name(), tool.server(), description, details.toString());
    }
}
