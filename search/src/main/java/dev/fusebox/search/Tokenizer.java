package dev.fusebox.search;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// A tokenizer for the word index: splits names where their parts meet, converts to lower case, removes endings
/// and stop words. A word is represented by a 64-bit hash of its letters. Not thread-safe.
///
/// The first search after a start waits until thousands of tools have been tokenized, before anything is compiled:
/// hence letters are changed in place, and there are no patterns and no strings. See docs/benchmarks.md, P21.
final class Tokenizer {
    private static final int LONGEST = 20_000;

    /// Words that occur in every question and in every description.
    private static final long[] STOP_WORDS = stopWords("""
            a an and any are as at be been but by can could did do does for from had has have how i if in into is it
            its just let like me my need of on or our please shall should so some tell that the their them then there
            these they this to us want was we were what when where which who will with would you your given specified
            using use used via tool provides allows optional required""");

    private static final String[] HISSED = {"sses", "shes", "ches", "xes", "zes"};
    private static final String[] NO_PLURALS = {"ss", "us", "is"};

    /// Longest first.
    private static final String[] ENDINGS = {"ization", "ation", "ition", "ing", "ment", "ion", "ed", "er", "or", "ly"};

    /// Letters that are doubled before an ending: `planning` comes from `plan`.
    private static final String DOUBLED = "bdgmnprt";

    /// The current word, up to `length`.
    private char[] letters = new char[32];
    private int length;

    private long[] words = new long[32];
    private int count;

    private Tokenizer() {}

    /// The words of a text, including repetitions.
    static long[] of(String text) {
        Tokenizer tokenizer = new Tokenizer();
        tokenizer.read(text.length() > LONGEST ? text.substring(0, LONGEST) : text);
        return Arrays.copyOf(tokenizer.words, tokenizer.count);
    }

    private static long[] stopWords(String text) {
        Tokenizer tokenizer = new Tokenizer();
        return Arrays.stream(text.split("\\s+"))
                .mapToLong(word -> {
                    tokenizer.take(word, 0, word.length());
                    return tokenizer.number();
                })
                .sorted()
                .toArray();
    }

    /// The parts of a name as separate words: `createIssue_v2` becomes `create Issue v 2`.
    static String spaced(String name) {
        StringBuilder parts = new StringBuilder();
        for (int from = WordBoundaries.next(name, 0); from < name.length(); ) {
            int to = WordBoundaries.end(name, from);
            parts.append(parts.isEmpty() ? "" : " ").append(name, from, to);
            from = WordBoundaries.next(name, to);
        }
        return parts.toString();
    }

    /// The parts of a name in lower case.
    static List<String> parts(String name) {
        return List.of(spaced(name).toLowerCase(Locale.ROOT).split(" ", -1));
    }

    private void read(String text) {
        for (int from = WordBoundaries.next(text, 0); from < text.length(); ) {
            int to = WordBoundaries.end(text, from);
            take(text, from, to);
            if (Arrays.binarySearch(STOP_WORDS, number()) < 0) {
                stem();
                add(number());
            }
            from = WordBoundaries.next(text, to);
        }
    }

    private void take(String text, int from, int to) {
        length = to - from;
        if (length > letters.length) {
            letters = new char[length];
        }
        for (int i = 0; i < length; i++) {
            letters[i] = Character.toLowerCase(text.charAt(from + i));
        }
    }

    private void add(long word) {
        if (count == words.length) {
            words = Arrays.copyOf(words, 2 * count);
        }
        words[count++] = word;
    }

    /// FNV-1a: a collision among a hundred thousand words is practically impossible.
    private long number() {
        long number = 0xcbf29ce484222325L;
        for (int i = 0; i < length; i++) {
            number = (number ^ letters[i]) * 0x100000001b3L;
        }
        return number;
    }

    // ---- Endings

    /// Removes endings by rule; the stem need not be a word, only the same for all forms.
    private void stem() {
        if (letters[length - 1] == 's') {
            singular();
        }
        for (String ending : ENDINGS) {
            if (length - ending.length() >= 3 && endsIn(ending)) {
                length -= ending.length();
                break;
            }
        }
        if (length > 3 && letters[length - 1] == 'e') {
            length--;
        }
        int last = length - 1;
        if (last > 2 && letters[last] == letters[last - 1] && DOUBLED.indexOf(letters[last]) >= 0) {
            length--;
        }
    }

    private void singular() {
        if (length > 4 && endsIn("ies")) {
            length -= 2;
            letters[length - 1] = 'y';
        } else if (length > 4 && endsInOneOf(HISSED)) {
            length -= 2;
        } else if (length > 3 && !endsInOneOf(NO_PLURALS)) {
            length--;
        }
    }

    private boolean endsInOneOf(String[] endings) {
        for (String ending : endings) {
            if (endsIn(ending)) {
                return true;
            }
        }
        return false;
    }

    private boolean endsIn(String ending) {
        int from = length - ending.length();
        for (int i = ending.length() - 1; i >= 0; i--) {
            if (from < 0 || letters[from + i] != ending.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
