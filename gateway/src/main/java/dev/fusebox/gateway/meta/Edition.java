package dev.fusebox.gateway.meta;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.search.Document;
import dev.fusebox.search.Library;
import dev.fusebox.search.Vectors;
import java.util.List;
import java.util.Objects;

/// The tools of one edition, made ready to be searched. Immutable but for how far the model has come with them;
/// thread-safe.
final class Edition {
    /// More of a schema says nothing new of what a tool is for.
    private static final int MOST_DETAILS = 2_000;

    private final Offered offered;
    private final Library library;
    private volatile boolean isRead;

    Edition(Offered offered, Vectors vectors) {
        List<Document> documents =
                offered.tools().stream().map(Edition::document).toList();
        this.offered = offered;
        this.library = new Library(documents, vectors);
    }

    boolean isOf(Offered other) {
        return offered.edition().equals(other.edition());
    }

    Library library() {
        return library;
    }

    /// The model has seen all of it, and took in what there was room for.
    void read() {
        isRead = true;
    }

    /// Whether no more of it will be read.
    boolean isDone() {
        return isRead || library.isWhole();
    }

    private static Document document(Offered.Tool tool) {
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
