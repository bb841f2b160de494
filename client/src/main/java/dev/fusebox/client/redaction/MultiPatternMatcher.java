package dev.fusebox.client.redaction;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Matcher that finds many patterns in one pass over a text (Aho and Corasick, 1975), and replaces them with
/// stars. Line breaks are ignored: a pattern also matches across one. Immutable and thread-safe; nothing blocks.
final class MultiPatternMatcher {
    private static final String STARS = "***";

    /// A shorter partial match at the end of a text is not significant.
    private static final int SHORTEST_PART = 3;

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
        Node at = root;
        for (int i = 0; i < word.length(); i++) {
            at = isBreak(word.charAt(i)) ? at : at.grown(word.charAt(i));
        }
        at.covers = at.depth;
        longest = Math.max(longest, word.length());
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

    /// The state before any text.
    Node beginning() {
        return root;
    }

    /// A text with hidden patterns.
    ///
    /// @param end state for the text that follows
    record RedactedText(String text, Node end) {}

    /// @param isCut whether the text may continue
    String hide(String text, boolean isCut) {
        return hide(text, root, isCut ? SHORTEST_PART : Integer.MAX_VALUE).text();
    }

    /// @param begun state after the text before
    /// @param least minimal length of a partial match at the end of the text that is hidden as well
    RedactedText hide(String text, Node begun, int least) {
        BitSet hidden = new BitSet();
        Places places = new Places(text);
        Node at = begun;
        for (int i = 0; i < places.count(); i++) {
            at = step(at, text.charAt(places.of(i)));
            if (at.covers > 0) {
                hidden.set(places.of(Math.max(0, i + 1 - at.covers)), places.of(i) + 1);
            }
        }
        if (at.depth >= least && places.count() > 0) {
            hidden.set(places.of(Math.max(0, places.count() - at.depth)), text.length());
        }
        return new RedactedText(hidden.isEmpty() ? text : starred(text, unbroken(text, hidden)), at);
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
