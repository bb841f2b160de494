package dev.fusebox.client.redaction;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Takes known secrets out of texts that we write, in whatever disguise they stand there ([SecretEncodings]).
/// Results of tools are not for it. Immutable, thread-safe; nothing blocks.
///
/// Time grows with the text and not with the number of secrets; without secrets a text is given back as it is.
public final class Redactor {
    /// Knows no secrets.
    public static final Redactor NONE = new Redactor(Set.of());

    /// Shorter values are words that stand in any text.
    public static final int SHORTEST = 6;

    /// A line of a secret of several lines, such as a key, that is no common word.
    private static final int SHORTEST_LINE = 8;

    private final Set<String> secrets;
    /// Made when it is first needed: most gateways never write a text that comes from somebody else.
    private volatile @Nullable MultiPatternMatcher multiPatternMatcher;

    private Redactor(Set<String> secrets) {
        this.secrets = secrets;
    }

    /// Hides these, but for those that are too short to be told from common words.
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

    /// The text with three stars in the place of each secret; the same text if there is none in it.
    public String hide(String text) {
        return secrets.isEmpty() ? text : multiPatternMatcher().hide(text, false);
    }

    /// The same for a text that somebody has cut off: what may be the beginning of a secret at its end goes as
    /// well.
    public String hideInPart(String text) {
        return secrets.isEmpty() ? text : multiPatternMatcher().hide(text, true);
    }

    /// For lines that come one after the other, such as those of a program's errors.
    public Lines lines() {
        return new Lines();
    }

    /// Hides secrets in lines of one writer in their order, also those that stand on two of them. For one thread.
    public final class Lines {
        private MultiPatternMatcher.@Nullable Hidden before;

        private Lines() {}

        /// What looks like the beginning of a secret at the end of a line goes, as nobody knows the next one yet.
        public String hide(String line) {
            if (secrets.isEmpty()) {
                return line;
            }
            MultiPatternMatcher known = multiPatternMatcher();
            before = known.hide(line, before == null ? known.beginning() : before.end(), SHORTEST);
            return before.text();
        }
    }

    /// So many characters at the beginning of a text, line breaks not counted, may be the rest of a secret that
    /// begins before it.
    public int longest() {
        return secrets.isEmpty() ? 0 : multiPatternMatcher().longest();
    }

    private MultiPatternMatcher multiPatternMatcher() {
        MultiPatternMatcher known = multiPatternMatcher;
        if (known == null) {
            // Two threads may make the same, and it does not matter whose stays.
            known = new MultiPatternMatcher(disguised());
            multiPatternMatcher = known;
        }
        return known;
    }

    private List<String> disguised() {
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

    /// Their number only.
    @Override
    public String toString() {
        return "Redactor[" + secrets.size() + " secrets]";
    }
}
