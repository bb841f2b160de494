package dev.fusebox.client.redaction;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Matcher that finds many patterns in one pass over a text (Aho and Corasick, 1975), and replaces them with
/// stars. Line breaks are ignored: a pattern also matches across one. Immutable and thread-safe; nothing blocks.
///
/// A long token is found by its beginning, and the token characters that follow are hidden up to its length: its memory
/// does not grow with its length, and tokens that begin alike, as those of one issuer do, share it.
final class MultiPatternMatcher {
    private static final String STARS = "***";

    /// A shorter partial match at the end of a text is not significant.
    private static final int SHORTEST_PART = 3;

    /// Characters of a long token that identify it.
    private static final int BEGINNING = 64;

    /// Most texts are ASCII, and most characters begin no pattern.
    private static final int ASCII = 128;

    private final Node root = new Node('\0', 0);
    private final @Nullable Node[] first = new @Nullable Node[ASCII];
    private int longest;

    /// State of the automaton: a prefix of patterns.
    static final class Node {
        private final char symbol;
        private final int depth;
        private @Nullable Node child;
        private @Nullable Node sibling;
        /// Where to continue if no child matches: the longest proper suffix that is also a prefix.
        private @Nullable Node other;
        /// The length of the longest pattern that ends here.
        private int covers;
        /// The number of characters that may follow in the longest token that begins with the pattern.
        private int rest;

        Node(char symbol, int depth) {
            this.symbol = symbol;
            this.depth = depth;
        }

        @Nullable
        Node child(char wanted) {
            Node found = child;
            while (found != null && found.symbol != wanted) {
                found = found.sibling;
            }
            return found;
        }

        Node grown(char wanted) {
            Node known = child(wanted);
            if (known != null) {
                return known;
            }
            Node grown = new Node(wanted, depth + 1);
            grown.sibling = child;
            child = grown;
            return grown;
        }
    }

    MultiPatternMatcher(Collection<String> words) {
        words.forEach(this::plant);
        for (char c = 0; c < ASCII; c++) {
            first[c] = root.child(c);
        }
        link();
    }

    private void plant(String word) {
        int end = word.length() > BEGINNING && isToken(word) ? BEGINNING : word.length();
        Node at = root;
        for (int i = 0; i < end; i++) {
            at = isBreak(word.charAt(i)) ? at : at.grown(word.charAt(i));
        }
        at.covers = at.depth;
        at.rest = Math.max(at.rest, word.length() - end);
        longest = Math.max(longest, word.length());
    }

    private static boolean isToken(String word) {
        return word.chars().allMatch(MultiPatternMatcher::isOfToken);
    }

    /// Characters of tokens (RFC 6750, 2.1), of their base64 and percent-encoding, and of slashes that JSON escapes.
    private static boolean isOfToken(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || "-._~+/=%\\".indexOf(c) >= 0;
    }

    /// In the order of depth, since each node depends on shallower ones.
    private void link() {
        Deque<Node> waiting = new ArrayDeque<>();
        waiting.add(root);
        for (Node node = waiting.poll(); node != null; node = waiting.poll()) {
            for (Node child = node.child; child != null; child = child.sibling) {
                Node other = node.equals(root) ? root : step(other(node), child.symbol);
                child.other = other;
                child.covers = Math.max(child.covers, other.covers);
                child.rest = Math.max(child.rest, other.rest);
                waiting.add(child);
            }
        }
    }

    private Node other(Node node) {
        return node.other == null ? root : node.other;
    }

    private Node step(Node from, char symbol) {
        Node at = from;
        Node next = next(at, symbol);
        while (next == null && at.depth > 0) {
            at = other(at);
            next = next(at, symbol);
        }
        return next == null ? root : next;
    }

    private @Nullable Node next(Node at, char symbol) {
        return at.depth == 0 && symbol < ASCII ? first[symbol] : at.child(symbol);
    }

    int longest() {
        return longest;
    }

    private static boolean isBreak(char symbol) {
        return symbol == '\n' || symbol == '\r';
    }

    /// What precedes any text.
    RedactedText beginning() {
        return new RedactedText("", root, 0);
    }

    /// A text with hidden patterns, and the state for the text that follows.
    ///
    /// @param rest the number of characters that may follow in a token at its end
    record RedactedText(String text, Node end, int rest) {}

    /// @param isCut whether the text may continue
    String hide(String text, boolean isCut) {
        return hide(text, beginning(), isCut ? SHORTEST_PART : Integer.MAX_VALUE)
                .text();
    }

    /// @param before the text before
    /// @param least minimal length of a partial match at the end of the text that is hidden as well
    RedactedText hide(String text, RedactedText before, int least) {
        BitSet hidden = new BitSet();
        Places places = new Places(text);
        Node at = before.end();
        int rest = before.rest();
        for (int i = 0; i < places.count(); i++) {
            char symbol = text.charAt(places.of(i));
            rest = isOfToken(symbol) ? rest : 0;
            if (rest > 0) {
                hidden.set(places.of(i));
                rest--;
            }
            at = step(at, symbol);
            if (at.covers > 0) {
                hidden.set(places.of(Math.max(0, i + 1 - at.covers)), places.of(i) + 1);
                rest = Math.max(rest, at.rest);
            }
        }
        if (at.depth >= least && places.count() > 0) {
            hidden.set(places.of(Math.max(0, places.count() - at.depth)), text.length());
        }
        return new RedactedText(hidden.isEmpty() ? text : starred(text, unbroken(text, hidden)), at, rest);
    }

    /// Indexes of the characters that are not line breaks.
    private static final class Places {
        /// Null if there are no line breaks.
        private final int @Nullable [] known;
        private final int count;

        Places(String text) {
            boolean isBroken = text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0;
            this.known = isBroken
                    ? IntStream.range(0, text.length())
                            .filter(i -> !isBreak(text.charAt(i)))
                            .toArray()
                    : null;
            this.count = known == null ? text.length() : known.length;
        }

        int count() {
            return count;
        }

        int of(int number) {
            return known == null ? number : known[number];
        }
    }

    /// Line breaks are kept.
    private static BitSet unbroken(String text, BitSet hidden) {
        for (int i = hidden.nextSetBit(0); i >= 0; i = hidden.nextSetBit(i + 1)) {
            if (isBreak(text.charAt(i))) {
                hidden.clear(i);
            }
        }
        return hidden;
    }

    private static String starred(String text, BitSet hidden) {
        StringBuilder starred = new StringBuilder(text.length());
        int from = 0;
        while (from < text.length()) {
            int to = hidden.nextSetBit(from);
            starred.append(text, from, to < 0 ? text.length() : to);
            if (to < 0) {
                break;
            }
            starred.append(STARS);
            from = hidden.nextClearBit(to);
        }
        return starred.toString();
    }
}
