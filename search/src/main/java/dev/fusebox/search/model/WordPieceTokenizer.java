package dev.fusebox.search.model;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The tokenizer of the model (WordPiece, without capitals and accents). Immutable, thread-safe.
public final class WordPieceTokenizer {
    /// The length with which the model was trained; it would not understand more.
    static final int MOST = 128;

    /// Enough for a page of text; the rest of a longer text hardly changes its words.
    private static final int MOST_DISTINCT = 512;

    private static final int LONGEST_WORD = 100;
    private static final int UNKNOWN = 100;
    private static final int BEGIN = 101;
    private static final int END = 102;

    /// Before pieces that do not begin a word.
    private static final String CONTINUES = "##";

    private final Vocabulary vocabulary;

    private WordPieceTokenizer(Vocabulary vocabulary) {
        this.vocabulary = vocabulary;
    }

    /// Reads a `tokenizer.json`, as far as it is needed: the pairs in `"vocab"`.
    public static WordPieceTokenizer of(String json) {
        return new WordPieceTokenizer(new Vocabulary(json));
    }

    /// The ids of its known pieces, each once, without those of beginning and end.
    public int[] distinct(CharSequence text) {
        Set<Integer> distinct = new LinkedHashSet<>();
        for (String word : words(text)) {
            List<Integer> pieces = new ArrayList<>();
            add(word, pieces);
            distinct.addAll(pieces);
            if (distinct.size() >= MOST_DISTINCT) {
                break;
            }
        }
        distinct.remove(UNKNOWN);
        return distinct.stream().mapToInt(Integer::intValue).toArray();
    }

    /// The ids of its pieces between those of beginning and end, as many as the model takes.
    public int[] numbers(CharSequence text) {
        List<Integer> pieces = new ArrayList<>();
        pieces.add(BEGIN);
        for (String word : words(text)) {
            add(word, pieces);
            if (pieces.size() >= MOST) {
                break;
            }
        }
        List<Integer> taken = new ArrayList<>(pieces.subList(0, Math.min(MOST - 1, pieces.size())));
        taken.add(END);
        return taken.stream().mapToInt(Integer::intValue).toArray();
    }

    private static List<String> words(CharSequence text) {
        String plain = Normalizer.normalize(text, Normalizer.Form.NFD).toLowerCase(Locale.ROOT);
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        plain.codePoints().forEach(point -> {
            if (Character.getType(point) == Character.NON_SPACING_MARK) {
                return;
            }
            boolean isAlone = isAlone(point);
            if (isAlone || Character.isWhitespace(point) || Character.isISOControl(point)) {
                end(word, words);
            }
            if (isAlone) {
                words.add(Character.toString(point));
            } else if (!Character.isWhitespace(point) && !Character.isISOControl(point)) {
                word.appendCodePoint(point);
            }
        });
        end(word, words);
        return words;
    }

    private static void end(StringBuilder word, List<String> words) {
        if (!word.isEmpty()) {
            words.add(word.toString());
            word.setLength(0);
        }
    }

    /// Punctuation is a word of its own, and so is a Chinese character.
    private static boolean isAlone(int point) {
        boolean isSymbol = point < 128 && point > ' ' && !Character.isLetterOrDigit(point);
        return isSymbol
                || Character.isIdeographic(point)
                || switch (Character.getType(point)) {
                    case Character.CONNECTOR_PUNCTUATION,
                            Character.DASH_PUNCTUATION,
                            Character.START_PUNCTUATION,
                            Character.END_PUNCTUATION,
                            Character.INITIAL_QUOTE_PUNCTUATION,
                            Character.FINAL_QUOTE_PUNCTUATION,
                            Character.OTHER_PUNCTUATION -> true;
                    default -> false;
                };
    }

    /// The longest prefix in the vocabulary, then the longest of the rest; the unknown token if no prefix of a
    /// rest is in it.
    private void add(String word, List<Integer> pieces) {
        int before = pieces.size();
        char[] letters = (CONTINUES + word).toCharArray();
        int from = CONTINUES.length();
        while (from < letters.length && word.length() <= LONGEST_WORD) {
            // What continues a word begins with the mark, which takes the place of letters already read.
            int begin = from == CONTINUES.length() ? from : from - CONTINUES.length();
            if (begin < from) {
                CONTINUES.getChars(0, CONTINUES.length(), letters, begin);
            }
            int to = letters.length;
            int piece = vocabulary.id(letters, begin, to - begin);
            while (piece == Vocabulary.NONE && --to > from) {
                piece = vocabulary.id(letters, begin, to - begin);
            }
            if (piece == Vocabulary.NONE) {
                break;
            }
            pieces.add(piece);
            from = to;
        }
        if (from < letters.length) {
            pieces.subList(before, pieces.size()).clear();
            pieces.add(UNKNOWN);
        }
    }
}
