package dev.fusebox.gateway.meta;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.search.Card;
import dev.fusebox.search.Document;
import dev.fusebox.search.Library;
import dev.fusebox.search.Vectors;
import java.util.IdentityHashMap;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The tools of one edition, made ready to be searched. Immutable but for how far the model has come with them;
/// thread-safe.
final class Edition {
    /// More of a schema says nothing new of what a tool is for.
    private static final int MOST_DETAILS = 2_000;

    private final Offered offered;
    private final Library library;

    /// By what each tool says of itself, the very same object.
    private final IdentityHashMap<JsonView, Named> cards = new IdentityHashMap<>();

    private volatile boolean isRead;

    /// A tool that is called so.
    private record Named(Offered.Tool tool, Card card) {
        boolean isOf(Offered.Tool other) {
            return tool.name().equals(other.name()) && tool.server().equals(other.server());
        }
    }

    /// @param before what of it is still there need not be read again; null if there is nothing
    Edition(Offered offered, Vectors vectors, @Nullable Edition before) {
        this.offered = offered;
        this.library = new Library(
                offered.tools().stream().map(tool -> card(tool, before)).toList(), vectors);
    }

    private Card card(Offered.Tool tool, @Nullable Edition before) {
        Named known = before == null ? null : before.cards.get(tool.definition());
        Card card = known != null && known.isOf(tool) ? known.card() : Card.of(() -> document(tool));
        cards.put(tool.definition(), new Named(tool, card));
        return card;
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
