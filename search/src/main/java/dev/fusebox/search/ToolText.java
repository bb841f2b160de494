package dev.fusebox.search;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A document as it is searched, worked out when that is first wanted, and kept for every [SearchIndex] that it
/// stands in: one server more must not have the tools of all others read again. Thread-safe; two who want the same
/// at once may both work it out.
public final class ToolText {
    /// What comes later in a description is about details, and blurs the rest.
    private static final int BEGINNING = 150;

    /// What a tool takes says what it is for; all of it would say more than the description.
    private static final int DETAILS_READ = 100;

    private static final float NAME = 3;
    private static final float GROUP = 1.5f;
    private static final float DESCRIPTION = 1;
    private static final float DETAILS = 0.4f;

    private final Supplier<Document> source;
    private volatile @Nullable TermCounts words;
    private volatile @Nullable Text text;

    /// What the model reads of it.
    ///
    /// @param key its SHA-256
    record Text(String lines, String key) {}

    private ToolText(Supplier<Document> source) {
        this.source = source;
    }

    /// One that is worked out of what its source says, which is the same each time.
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

    /// What of a document the model reads, in three lines: see [VectorStore].
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
