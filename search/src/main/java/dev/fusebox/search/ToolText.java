package dev.fusebox.search;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
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
    private volatile @Nullable TermCounts words;
    private volatile @Nullable Text text;

    /// The text that the model reads.
    ///
    /// @param key its SHA-256
    record Text(String lines, String key) {}

    private ToolText(Supplier<Document> source) {
        this.source = source;
    }

    /// A text that is computed from the source, which must return the same each time.
    public static ToolText of(Supplier<Document> source) {
        return new ToolText(source);
    }

    /// Its words.
    TermCounts words() {
        TermCounts known = words;
        if (known == null) {
            Document document = source.get();
            known = new TermCounts(
                    new TermCounts.Field(document.name(), NAME),
                    new TermCounts.Field(document.group(), GROUP),
                    new TermCounts.Field(document.description(), DESCRIPTION),
                    new TermCounts.Field(document.details(), DETAILS));
            words = known;
        }
        return known;
    }

    Text text() {
        Text known = text;
        if (known == null) {
            String lines = lines(source.get());
            known = new Text(lines, key(lines));
            text = known;
        }
        return known;
    }

    /// The part of a document that the model reads, in three lines: see [VectorStore].
    private static String lines(Document document) {
        String name = Tokenizer.spaced(document.name());
        String description = document.description().replaceAll("\\s+", " ").strip();
        int end = description.indexOf(". ");
        String beginning = description.substring(0, Math.min(BEGINNING, description.length()));
        String sentence = end < 20 || end > BEGINNING ? beginning : description.substring(0, end);
        String details = document.details().replaceAll("\\s+", " ").strip();
        String inputs = details.substring(0, Math.min(DETAILS_READ, details.length()));
        return name + ": " + beginning + "\n" + sentence + " " + inputs + "\n" + name + " "
                + Tokenizer.spaced(document.group());
    }

    private static String key(String lines) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(lines.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
