package dev.fusebox.schema;

import java.util.BitSet;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// Character classes of patterns: `.`, escapes and bracket expressions. They are evaluated by `java.util.regex`,
/// which is safe for a single character without repetition. Pure functions.
final class CharacterClasses {
    /// Results for these are precomputed; arguments consist of little else.
    private static final int ASCII = 128;

    private CharacterClasses() {}

    static IntPredicate compile(String piece) {
        Predicate<String> all = inJava(piece);
        var known = new BitSet(ASCII);
        for (int character = 0; character < ASCII; character++) {
            known.set(character, all.test(Character.toString(character)));
        }
        return character -> character < ASCII ? known.get(character) : all.test(Character.toString(character));
    }

    private static Predicate<String> inJava(String piece) {
        try {
            return Pattern.compile(translated(piece)).asMatchPredicate();
        } catch (PatternSyntaxException unknown) {
            throw new CheckAbandoned("a pattern has the unsupported part " + piece);
        }
    }

    private static String translated(String piece) {
        return switch (piece) {
            case "." -> "[^\\n\\r\\u2028\\u2029]";
            case "[]" -> "[^\\x{0}-\\x{10ffff}]";
            case "[^]" -> "[\\x{0}-\\x{10ffff}]";
            default -> piece.startsWith("[") ? brackets(piece) : PatternEscapes.inJava(piece);
        };
    }

    /// In Java's brackets, `[` and `&` have a meaning that they do not have in ECMAScript.
    private static String brackets(String piece) {
        var text = new StringBuilder(piece.startsWith("[^") ? "[^" : "[");
        int at = text.length();
        while (at < piece.length() - 1) {
            int length = piece.charAt(at) == '\\' ? PatternEscapes.length(piece, at) : 1;
            String next = piece.substring(at, at + length);
            text.append(length > 1 ? PatternEscapes.inJava(next) : quoted(next));
            at += length;
        }
        return text.append(']').toString();
    }

    private static String quoted(String character) {
        return "[&^".contains(character) ? "\\" + character : character;
    }
}
