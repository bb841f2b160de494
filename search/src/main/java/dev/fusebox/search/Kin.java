package dev.fusebox.search;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Words that people use for the same thing, as far as it is about tools: whoever looks for an issue may find a ticket.
/// Immutable.
///
/// They stand in a file of their own, a line for each thing, so that one more is one word there.
final class Kin {
    private static final String FILE = "kin.txt";

    private final Map<String, Set<String>> words;

    private Kin(Map<String, Set<String>> words) {
        this.words = Map.copyOf(words);
    }

    static Kin read() {
        try (InputStream in = Kin.class.getResourceAsStream(FILE)) {
            return of(in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /// @param text lines of words that mean about the same
    static Kin of(String text) {
        Map<String, Set<String>> words = new HashMap<>();
        text.lines().map(Words::of).forEach(line -> join(line, words));
        return new Kin(words);
    }

    private static void join(List<String> line, Map<String, Set<String>> words) {
        for (String word : line) {
            Set<String> others = words.computeIfAbsent(word, none -> new HashSet<>());
            line.stream().filter(other -> !other.equals(word)).forEach(others::add);
        }
    }

    /// Those that may stand in the place of a word, as [Words] has them; none for most.
    Set<String> like(String word) {
        return words.getOrDefault(word, Set.of());
    }
}
