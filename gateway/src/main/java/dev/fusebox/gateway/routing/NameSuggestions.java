package dev.fusebox.gateway.routing;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/// Suggestions for an unknown name. Models omit parts of a name or swap them, so pairs of letters are compared
/// regardless of their order. Pure functions, thread-safe.
final class NameSuggestions {
    /// The least similarity of a suggestion.
    private static final double LEAST = 0.2;

    private static final int LONGEST = 200;

    private NameSuggestions() {}

    /// The most similar names, best first.
    static List<String> nearest(String name, Collection<String> names, int most) {
        Set<String> pairs = pairs(name);
        ToDoubleFunction<String> share = other -> share(pairs, pairs(other));
        return names.stream()
                .collect(Collectors.toMap(Function.identity(), share::applyAsDouble, Math::max))
                .entrySet()
                .stream()
                .filter(entry -> entry.getValue() >= LEAST)
                .sorted(Comparator.<Map.Entry<String, Double>>comparingDouble(entry -> -entry.getValue())
                        .thenComparing(Map.Entry::getKey))
                .limit(most)
                .map(Map.Entry::getKey)
                .toList();
    }

    private static double share(Set<String> some, Set<String> others) {
        long common = some.stream().filter(others::contains).count();
        return 2.0 * common / Math.max(1, some.size() + others.size());
    }

    private static Set<String> pairs(String name) {
        String folded = name.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}]", "");
        String text = " " + folded.substring(0, Math.min(LONGEST, folded.length())) + " ";
        Set<String> pairs = new HashSet<>();
        for (int i = 0; i + 2 <= text.length(); i++) {
            pairs.add(text.substring(i, i + 2));
        }
        return pairs;
    }
}
