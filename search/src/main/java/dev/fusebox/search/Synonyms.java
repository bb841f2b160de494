package dev.fusebox.search;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.LongStream;

/// Groups of words that people use for the same thing in tool descriptions: a search for an issue may find a
/// ticket. Immutable.
///
/// The groups are in a resource file, one per line.
final class Synonyms {
    private static final String FILE = "kin.txt";

    private static final long[] NONE = {};

    private final Map<Long, long[]> words;

    private Synonyms(Map<Long, long[]> words) {
        this.words = Map.copyOf(words);
    }

    static Synonyms read() {
        try (InputStream in = Synonyms.class.getResourceAsStream(FILE)) {
            return of(in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /// @param text lines of words with about the same meaning
    static Synonyms of(String text) {
        Map<Long, long[]> words = new HashMap<>();
        text.lines().map(Tokenizer::of).forEach(line -> join(line, words));
        return new Synonyms(words);
    }

    private static void join(long[] line, Map<Long, long[]> words) {
        for (long word : line) {
            long[] others = Arrays.stream(line).filter(other -> other != word).toArray();
            words.merge(
                    word,
                    others,
                    (some, more) -> LongStream.concat(Arrays.stream(some), Arrays.stream(more))
                            .distinct()
                            .toArray());
        }
    }

    /// The synonyms of a word in the form of [Tokenizer]; empty for most words.
    long[] synonymsOf(long word) {
        return words.getOrDefault(word, NONE);
    }
}
