package dev.fusebox.schema;

import dev.fusebox.schema.PatternNode.Assertion;
import dev.fusebox.schema.PatternNode.AssertionKind;
import dev.fusebox.schema.PatternNode.Choice;
import dev.fusebox.schema.PatternNode.Repeat;
import dev.fusebox.schema.PatternNode.Sequence;
import dev.fusebox.schema.PatternNode.SingleCharacter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Parser of ECMA 262 regular expressions as JSON Schema uses them, without lookaround and backreferences. For one
/// thread and one pattern.
final class PatternParser {
    /// No hand-written pattern is deeper.
    private static final int MAX_DEPTH = 50;

    private static final int MAX_COUNT = 100_000;

    /// Any other text that begins with a brace is literal.
    private static final Pattern COUNTS = Pattern.compile("\\{(\\d{1,9})(,(\\d{0,9}))?}");

    private final String text;
    private int at;
    private int depth;

    private PatternParser(String text) {
        this.text = text;
    }

    static PatternNode read(String pattern) {
        var reader = new PatternParser(pattern);
        PatternNode node = reader.choice();
        if (reader.at < pattern.length()) {
            throw new CheckAbandoned("a pattern has an unmatched )");
        }
        return node;
    }

    private PatternNode choice() {
        List<PatternNode> options = new ArrayList<>();
        options.add(sequence());
        while (skip("|")) {
            options.add(sequence());
        }
        return options.size() == 1 ? options.getFirst() : new Choice(List.copyOf(options));
    }

    private PatternNode sequence() {
        List<PatternNode> parts = new ArrayList<>();
        while (at < text.length() && text.charAt(at) != '|' && text.charAt(at) != ')') {
            parts.add(repeated(atom()));
        }
        return new Sequence(List.copyOf(parts));
    }

    private PatternNode atom() {
        int next = text.codePointAt(at);
        return switch (next) {
            case '(' -> group();
            case '[' -> new SingleCharacter(CharacterClasses.compile(bracketed()));
            case '.' -> new SingleCharacter(CharacterClasses.compile(taken(1)));
            case '\\' -> escaped();
            case '^' -> place(AssertionKind.BEGIN, 1);
            case '$' -> place(AssertionKind.END, 1);
            case '*', '+', '?' -> throw new CheckAbandoned("a pattern has a quantifier without operand");
            default -> literal(next);
        };
    }

    private PatternNode group() {
        at++;
        if (skip("?") && !skip(":")) {
            skipName();
        }
        if (++depth > MAX_DEPTH) {
            throw new CheckAbandoned("a pattern is nested deeper than " + MAX_DEPTH);
        }
        PatternNode inside = choice();
        depth--;
        if (!skip(")")) {
            throw new CheckAbandoned("a pattern has an unmatched (");
        }
        return inside;
    }

    private void skipName() {
        int end = text.indexOf('>', at);
        boolean looks = text.startsWith("<=", at) || text.startsWith("<!", at);
        if (!text.startsWith("<", at) || looks || end < 0) {
            throw new CheckAbandoned("a pattern uses lookaround, which is not supported");
        }
        at = end + 1;
    }

    /// From the opening to the closing bracket.
    private String bracketed() {
        int end = at + 1;
        while (end < text.length() && text.charAt(end) != ']') {
            end += text.charAt(end) == '\\' ? 2 : 1;
        }
        if (end >= text.length()) {
            throw new CheckAbandoned("a pattern has an unmatched [");
        }
        return taken(end + 1 - at);
    }

    private PatternNode escaped() {
        if (at + 1 >= text.length()) {
            throw new CheckAbandoned("a pattern ends with \\");
        }
        return switch (text.charAt(at + 1)) {
            case 'b' -> place(AssertionKind.EDGE_OF_WORD, 2);
            case 'B' -> place(AssertionKind.NO_EDGE_OF_WORD, 2);
            default -> new SingleCharacter(CharacterClasses.compile(taken(PatternEscapes.length(text, at))));
        };
    }

    private PatternNode place(AssertionKind assertionKind, int length) {
        at += length;
        return new Assertion(assertionKind);
    }

    private PatternNode literal(int character) {
        at += Character.charCount(character);
        return new SingleCharacter(it -> it == character);
    }

    private PatternNode repeated(PatternNode atom) {
        Repeat repeat = repeat(atom);
        if (repeat == null) {
            return atom;
        }
        // Greedy or lazy makes no difference to whether there is a match.
        skip("?");
        if (repeat(atom) != null) {
            throw new CheckAbandoned("a pattern has two quantifiers in a row");
        }
        return repeat;
    }

    private @Nullable Repeat repeat(PatternNode atom) {
        if (skip("*")) {
            return new Repeat(atom, 0, Repeat.ENDLESS);
        }
        if (skip("+")) {
            return new Repeat(atom, 1, Repeat.ENDLESS);
        }
        if (skip("?")) {
            return new Repeat(atom, 0, 1);
        }
        Matcher counts = COUNTS.matcher(text).region(at, text.length());
        if (!counts.lookingAt()) {
            return null;
        }
        at = counts.end();
        int least = count(counts.group(1));
        String most = counts.group(3);
        int last = counts.group(2) == null ? least : most.isEmpty() ? Repeat.ENDLESS : count(most);
        if (last != Repeat.ENDLESS && last < least) {
            throw new CheckAbandoned("a pattern has a quantifier with its bounds reversed");
        }
        return new Repeat(atom, least, last);
    }

    private static int count(String digits) {
        int count = digits.length() > 6 ? MAX_COUNT + 1 : Integer.parseInt(digits);
        if (count > MAX_COUNT) {
            throw new CheckAbandoned("a pattern has a repeat count above " + MAX_COUNT);
        }
        return count;
    }

    private boolean skip(String expected) {
        boolean there = text.startsWith(expected, at);
        at += there ? expected.length() : 0;
        return there;
    }

    private String taken(int length) {
        at += length;
        return text.substring(at - length, at);
    }
}
