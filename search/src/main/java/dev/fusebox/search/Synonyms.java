package dev.fusebox.search;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// Groups of words that people use for the same thing in tool descriptions: a search for an issue may find a
/// ticket. Immutable.
///
/// The groups are in a resource file, one per line.
final class Synonyms {
    private static final String FILE = "synonyms.txt";

    private static final long[] NONE = {};

    private final Map<Long, long[]> words;

    private Synonyms(Map<Long, long[]> words) {
        this.words = words;
    }

    static Synonyms read() {
        try (InputStream in = Synonyms.class.getResourceAsStream(FILE)) {
            return of(in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /// Without streams, which would take a third of the first search.
    ///
    /// @param text lines of words with about the same meaning
    static Synonyms of(String text) {
        Map<Long, long[]> words = new HashMap<>();
        for (int from = 0; from < text.length(); ) {
            int end = text.indexOf('\n', from);
            int to = end < 0 ? text.length() : end;
            join(Tokenizer.of(text.substring(from, to)), words);
            from = to + 1;
        }
        return new Synonyms(words);
    }

    private static void join(long[] line, Map<Long, long[]> words) {
        for (long word : line) {
            long[] synonyms = words.getOrDefault(word, NONE);
            int count = synonyms.length;
            synonyms = Arrays.copyOf(synonyms, count + line.length);
            for (long other : line) {
                if (other != word && !contains(synonyms, count, other)) {
                    synonyms[count++] = other;
                }
            }
            words.put(word, Arrays.copyOf(synonyms, count));
        }
    }

    private static boolean contains(long[] words, int count, long word) {
        for (int i = 0; i < count; i++) {
            if (words[i] == word) {
                return true;
            }
        }
        return false;
    }

    /// The synonyms of a word in the form of [Tokenizer]; empty for most words.
    long[] synonymsOf(long word) {
        return words.getOrDefault(word, NONE);
    }
}
