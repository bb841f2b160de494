package dev.fusebox.search;

import dev.fusebox.search.model.Embedder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A document prepared for search, computed on first use and shared by every [SearchIndex] that contains it:
/// adding a server must not process the tools of all others again. Thread-safe; two threads may compute the same
/// at once; never blocks.
public final class ToolText {
    /// Later text of a description is about details and blurs the vector.
    private static final int BEGINNING = 150;

    /// The names of the inputs show the purpose; all details would outweigh the description.
    private static final int DETAILS_READ = 100;

    private static final float NAME = 3;
    private static final float GROUP = 1.5f;
    private static final float DESCRIPTION = 1;
    private static final float DETAILS = 0.4f;

    private final Supplier<Document> source;
    private volatile @Nullable Features features;
    private volatile @Nullable Text text;
    private volatile @Nullable Embedding tableEmbedding;

    /// What is known without a model.
    ///
    /// @param contentHash of name and description, the same for copies in several groups; a collision only leaves
    ///     one document out of a mean
    /// @param changes whether using the document changes something
    record Features(TermCounts words, String name, String group, int contentHash, boolean changes) {}

    /// The text that the models read.
    ///
    /// @param key its SHA-256
    record Text(String line, String key) {}

    private ToolText(Supplier<Document> source) {
        this.source = source;
    }

    /// A text that is computed from the source, which must return the same each time.
    public static ToolText of(Supplier<Document> source) {
        return new ToolText(source);
    }

    /// The same texts, those that models read fastest first.
    public static List<ToolText> sortedByLength(List<ToolText> toolTexts) {
        return toolTexts.stream()
                .sorted(Comparator.comparingInt(
                        toolText -> toolText.text().line().length()))
                .toList();
    }

    Features features() {
        Features known = features;
        return known == null ? read(source.get()) : known;
    }

    private Features read(Document document) {
        TermCounts words = new TermCounts(
                new TermCounts.Field(document.name(), NAME),
                new TermCounts.Field(document.group(), GROUP),
                new TermCounts.Field(document.description(), DESCRIPTION),
                new TermCounts.Field(document.details(), DETAILS));
        Features read = new Features(
                words,
                document.name(),
                document.group(),
                Objects.hash(document.name(), document.description()),
                Intent.changes(document));
        features = read;
        return read;
    }

    /// Computes what is known without the sentence model, and is not known yet, from a single document.
    void prepare(@Nullable Embedder table) {
        boolean isRead = features != null;
        boolean isEmbedded = table == null || tableEmbedding != null;
        if (!isRead || !isEmbedded) {
            Document document = source.get();
            if (!isRead) {
                read(document);
            }
            if (table != null && !isEmbedded) {
                tableEmbedding = Embedding.of(table.embed(line(document)));
            }
        }
    }

    Text text() {
        Text known = text;
        if (known == null) {
            String line = line(source.get());
            known = new Text(line, key(line));
            text = known;
        }
        return known;
    }

    /// Its vector by the table of word pieces, of which a program has only one.
    Embedding tableEmbedding(Embedder table) {
        Embedding known = tableEmbedding;
        if (known == null) {
            known = Embedding.of(table.embed(line(source.get())));
            tableEmbedding = known;
        }
        return known;
    }

    /// The part of a document that the models read.
    private static String line(Document document) {
        String group = Tokenizer.spaced(document.group());
        return Tokenizer.spaced(document.name()) + (group.isEmpty() ? "" : " (" + group + ")") + ": "
                + beginning(document.description(), BEGINNING) + " " + beginning(document.details(), DETAILS_READ);
    }

    /// The first characters of a text, with a single space for each white space. Reads no more of a long text than it
    /// needs.
    private static String beginning(String text, int most) {
        char[] letters = text.substring(0, Math.min(text.length(), 10 * most)).toCharArray();
        int count = 0;
        boolean isGap = false;
        for (int i = 0; i < letters.length && count < most; i++) {
            char letter = letters[i];
            if (letter == ' ' || (letter >= '\t' && letter <= '\r')) {
                isGap = count > 0;
                continue;
            }
            if (isGap) {
                letters[count++] = ' ';
                isGap = false;
            }
            if (count < most) {
                letters[count++] = letter;
            }
        }
        return new String(letters, 0, count);
    }

    private static String key(String line) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(line.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
