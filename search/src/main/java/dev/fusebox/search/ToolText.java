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

    /// The key of a document that is not stored.
    private static final long NO_KEY = 0;

    private final long key;
    private final Supplier<Document> source;
    private volatile @Nullable Features features;
    private volatile @Nullable Names names;
    private volatile @Nullable Text text;
    private volatile @Nullable Embedding tableEmbedding;

    /// What is known without a model.
    ///
    /// @param contentHash of name and description, the same for copies in several groups; a collision only leaves
    ///     one document out of a mean
    /// @param changes whether using the document changes something
    record Features(TermCounts words, int contentHash, boolean changes) {}

    /// The document's name and its group.
    record Names(String name, String group) {}

    /// The text that the models read.
    ///
    /// @param key its SHA-256
    record Text(String line, String key) {}

    private ToolText(long key, Supplier<Document> source) {
        this.key = key;
        this.source = source;
    }

    /// A text that is computed from the source, which must return the same each time.
    public static ToolText of(Supplier<Document> source) {
        return of(NO_KEY, source);
    }

    /// The same for a document whose features are stored between runs.
    ///
    /// @param key different for documents with different contents; 0 if nothing is stored
    public static ToolText of(long key, Supplier<Document> source) {
        return new ToolText(key, source);
    }

    long key() {
        return key;
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
        Features read =
                new Features(words, Objects.hash(document.name(), document.description()), Intent.changes(document));
        names = new Names(document.name(), document.group());
        features = read;
        return read;
    }

    Names names() {
        Names known = names;
        if (known == null) {
            Document document = source.get();
            known = new Names(document.name(), document.group());
            names = known;
        }
        return known;
    }

    /// Takes over what is stored of the document, unless it is known.
    void restore(FeatureFile stored) {
        FeatureFile.Stored found = features == null && key != NO_KEY ? stored.of(key) : null;
        if (found != null) {
            tableEmbedding = found.tableEmbedding();
            features = found.features();
        }
    }

    /// What is to be stored of the document; null if it is not known yet, or must not be stored.
    FeatureFile.@Nullable Stored stored() {
        Features known = features;
        Embedding embedded = tableEmbedding;
        return known == null || embedded == null || key == NO_KEY ? null : new FeatureFile.Stored(known, embedded);
    }

    /// Computes what is known without the sentence model, and is not known yet, from a single document.
    ///
    /// @return whether anything was computed
    boolean prepare(@Nullable Embedder table) {
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
        return !isRead || !isEmbedded;
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
