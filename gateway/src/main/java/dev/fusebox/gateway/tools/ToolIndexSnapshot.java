package dev.fusebox.gateway.tools;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.search.Document;
import dev.fusebox.search.SearchIndex;
import dev.fusebox.search.SearchModels;
import dev.fusebox.search.ToolText;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The search index of one edition of the tools. Immutable except for the progress of its embeddings; thread-safe.
final class ToolIndexSnapshot {
    /// Characters. Further parts of a schema add nothing about a tool's purpose.
    private static final int MAX_DETAILS = 2_048;

    /// The parameters of all tools together get about so many characters, and the descriptions twice as many.
    private static final int MAX_DETAILS_OF_ALL = 12_000_000;

    private static final int MIN_DETAILS = 256;

    /// A description states the purpose in more of its text than the parameters do.
    private static final int DESCRIPTION_FACTOR = 2;

    private final Object edition;
    private final SearchIndex searchIndex;

    /// Keyed by the identity of a tool's definition.
    private final IdentityHashMap<JsonView, Named> indexed = new IdentityHashMap<>();

    /// The number of characters of a tool's parameters that are indexed.
    private final int mostDetails;

    private volatile boolean isFinished;

    /// A tool with its index text.
    private record Named(AvailableTools.Tool tool, int mostDetails, ToolText toolText) {
        boolean isOf(AvailableTools.Tool other, int details) {
            return mostDetails == details
                    && tool.name().equals(other.name())
                    && tool.server().equals(other.server());
        }
    }

    /// @param before the previous snapshot, whose unchanged tools are reused; null if there is none
    ToolIndexSnapshot(AvailableTools availableTools, SearchModels models, @Nullable ToolIndexSnapshot before) {
        this.edition = availableTools.edition();
        this.mostDetails = mostDetails(availableTools.tools().size());
        this.searchIndex = new SearchIndex(
                availableTools.tools().stream()
                        .map(tool -> toolText(tool, before))
                        .toList(),
                models);
    }

    private ToolText toolText(AvailableTools.Tool tool, @Nullable ToolIndexSnapshot before) {
        Named known = before == null ? null : before.indexed.get(tool.definition());
        ToolText toolText =
                known != null && known.isOf(tool, mostDetails) ? known.toolText() : newText(tool, mostDetails);
        indexed.put(tool.definition(), new Named(tool, mostDetails, toolText));
        return toolText;
    }

    /// A power of two, so that a few more tools do not cause all to be indexed again.
    private static int mostDetails(int tools) {
        return Math.clamp(Integer.highestOneBit(MAX_DETAILS_OF_ALL / Math.max(1, tools)), MIN_DETAILS, MAX_DETAILS);
    }

    /// Static, so that a text which a later snapshot reuses does not keep this one in memory.
    private static ToolText newText(AvailableTools.Tool tool, int mostDetails) {
        return ToolText.of(key(tool, mostDetails), () -> document(tool, mostDetails));
    }

    /// Two checksums of all that the text depends on: fast before anything is compiled. Texts that meet by accident, or
    /// on purpose, only get each other's words.
    private static long key(AvailableTools.Tool tool, int mostDetails) {
        CRC32 high = new CRC32();
        CRC32C low = new CRC32C();
        String names = mostDetails + "\n" + tool.server() + "\n" + tool.name() + "\n";
        for (byte[] part : List.of(names.getBytes(UTF_8), tool.definition().bytes())) {
            high.update(part);
            low.update(part);
        }
        return high.getValue() << Integer.SIZE | low.getValue();
    }

    boolean isOf(AvailableTools other) {
        return edition.equals(other.edition());
    }

    SearchIndex searchIndex() {
        return searchIndex;
    }

    /// Marks that all tools have been embedded as far as memory allowed.
    void markFinished() {
        isFinished = true;
    }

    /// Whether no more embeddings will be added.
    boolean isDone() {
        return isFinished || !searchIndex.fitsVectorStore() || searchIndex.isWhole();
    }

    /// What the server says of its tool; servers that say nothing are common.
    private static Document.Effect effect(AvailableTools.Tool tool) {
        JsonView reads = tool.definition().path("annotations", "readOnlyHint");
        if (reads == null || !(reads.isTrue() || reads.json().equals("false"))) {
            return Document.Effect.UNKNOWN;
        }
        return reads.isTrue() ? Document.Effect.READS : Document.Effect.CHANGES;
    }

    private static Document document(AvailableTools.Tool tool, int mostDetails) {
        String description = Objects.requireNonNullElse(tool.definition().string("description"), "");
        String title = Objects.requireNonNullElse(tool.definition().string("title"), "");
        StringBuilder details = new StringBuilder(title);
        JsonView properties = tool.definition().path("inputSchema", "properties");
        if (properties != null) {
            properties.forEachMember((name, schema) -> {
                String said = schema.string("description");
                if (details.length() < mostDetails) {
                    details.append(' ').append(name).append(' ').append(said == null ? "" : said);
                }
            });
        }
        return new Document(
                tool.name(),
                tool.server(),
                start(description, DESCRIPTION_FACTOR * mostDetails),
                start(details.toString(), mostDetails),
                effect(tool));
    }

    private static String start(String text, int most) {
        return text.substring(0, Math.min(text.length(), most));
    }
}
