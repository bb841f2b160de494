package dev.fusebox.search;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.LongStream;

/// Words that people use for the same thing, as far as it is about tools: whoever looks for an issue may find a
/// ticket. Immutable.
///
/// They stand in a file of their own, a line for each thing, so that one more is one word there.
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

    /// @param text lines of words that mean about the same
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

    /// Those that may stand in the place of a word, as [Tokenizer] has them; none for most.
    long[] like(long word) {
        return words.getOrDefault(word, NONE);
    }
}
