package dev.fusebox.client.redaction;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Redactor of known secrets in texts of the gateway, in all encodings of [SecretEncodings]. It is not for results
/// of tools. Immutable, thread-safe; nothing blocks.
///
/// Time grows with the length of the text and not with the number of secrets; without secrets a text is returned
/// unchanged.
public final class Redactor {
    /// Without secrets.
    public static final Redactor NONE = new Redactor(Set.of());

    /// Shorter values are common words.
    public static final int SHORTEST = 6;

    /// Minimal length of a line of a multi-line secret, such as a key, that is a secret by itself.
    private static final int SHORTEST_LINE = 8;

    private final Set<String> secrets;
    /// Created on first use: most gateways never print a foreign text.
    private volatile @Nullable MultiPatternMatcher multiPatternMatcher;

    private Redactor(Set<String> secrets) {
        this.secrets = secrets;
    }

    /// Hides these secrets, except those that are too short to differ from common words.
    public static Redactor of(Collection<String> secrets) {
        Set<String> kept = new TreeSet<>();
        secrets.stream().filter(secret -> secret.strip().length() >= SHORTEST).forEach(kept::add);
        return kept.isEmpty() ? NONE : new Redactor(kept);
    }

    /// Hides what either of the two hides.
    public Redactor and(Redactor other) {
        if (other.secrets.isEmpty() || equals(other)) {
            return this;
        }
        Set<String> both = new TreeSet<>(secrets);
        both.addAll(other.secrets);
        return of(both);
    }

    /// The text with three stars in place of each secret; the same text if it contains none.
    public String hide(String text) {
        return secrets.isEmpty() ? text : multiPatternMatcher().hide(text, false);
    }

    /// The same for a truncated text: a possible beginning of a secret at its end is hidden as well.
    public String hideInPart(String text) {
        return secrets.isEmpty() ? text : multiPatternMatcher().hide(text, true);
    }

    /// For consecutive lines, such as stderr.
    public Lines lines() {
        return new Lines();
    }

    /// Redactor of consecutive lines, which also hides secrets that span two lines. Not thread-safe.
    public final class Lines {
        private MultiPatternMatcher.@Nullable RedactedText before;

        private Lines() {}

        /// Also hides a possible beginning of a secret at the end of the line, as the next line is not known yet.
        public String hide(String line) {
            if (secrets.isEmpty()) {
                return line;
            }
            MultiPatternMatcher known = multiPatternMatcher();
            before = known.hide(line, before == null ? known.beginning() : before, SHORTEST);
            return before.text();
        }
    }

    /// The number of characters at the beginning of a text, without line breaks, that may be the rest of a secret
    /// before it.
    public int longest() {
        return secrets.isEmpty() ? 0 : multiPatternMatcher().longest();
    }

    private MultiPatternMatcher multiPatternMatcher() {
        MultiPatternMatcher known = multiPatternMatcher;
        if (known == null) {
            // Two threads may create the same; either may stay.
            known = new MultiPatternMatcher(encodings());
            multiPatternMatcher = known;
        }
        return known;
    }

    private List<String> encodings() {
        List<String> all = new ArrayList<>();
        for (String secret : secrets) {
            all.addAll(SecretEncodings.of(secret));
            secret.lines()
                    .map(String::strip)
                    .filter(line -> line.length() >= SHORTEST_LINE)
                    .forEach(line -> all.addAll(SecretEncodings.of(line)));
        }
        return all;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Redactor redactor && secrets.equals(redactor.secrets);
    }

    @Override
    public int hashCode() {
        return secrets.hashCode();
    }

    /// Only their number.
    @Override
    public String toString() {
        return "Redactor[" + secrets.size() + " secrets]";
    }
}
