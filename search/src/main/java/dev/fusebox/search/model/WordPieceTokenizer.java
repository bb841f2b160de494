package dev.fusebox.search.model;

import java.io.IOException;
import java.io.InputStream;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// The tokenizer of the model (WordPiece, without capitals and accents). Immutable, thread-safe.
public final class WordPieceTokenizer {
    private static final String VOCABULARY = "vocabulary.bin";

    /// The length with which the model was trained; it would not understand more.
    static final int MOST = 128;

    /// Enough for a page of text; the rest of a longer text hardly changes its words.
    private static final int MOST_DISTINCT = 512;

    /// Characters. The time to normalize accents grows with the square of their number.
    private static final int LONGEST_TEXT = 4_000;

    private static final int LONGEST_WORD = 100;
    private static final int SHORTEST_WORD = 3;
    private static final int UNKNOWN = 100;
    private static final int BEGIN = 101;
    private static final int END = 102;

    private final Vocabulary vocabulary;

    private WordPieceTokenizer(Vocabulary vocabulary) {
        this.vocabulary = vocabulary;
    }

    /// Reads a `tokenizer.json`, as far as it is needed: the pairs in `"vocab"`.
    ///
    /// @throws IllegalArgumentException if they are damaged
    public static WordPieceTokenizer of(byte[] json) {
        return new WordPieceTokenizer(Vocabulary.parse(json));
    }

    /// The tokenizer of the bundled models; empty if the application was built without them.
    ///
    /// @throws IOException if the file is damaged
    static Optional<WordPieceTokenizer> load() throws IOException {
        try (InputStream file = WordPieceTokenizer.class.getResourceAsStream(VOCABULARY)) {
            return file == null
                    ? Optional.empty()
                    : Optional.of(new WordPieceTokenizer(Vocabulary.read(file.readAllBytes())));
        }
    }

    /// For the resource that [#load] reads.
    public byte[] written() {
        return vocabulary.written();
    }

    /// The ids of its known pieces, each once, without those of beginning and end.
    public int[] distinct(String text) {
        int[] ids = new PieceReader(MOST_DISTINCT, true).of(text);
        int count = 0;
        for (int id : ids) {
            if (id != UNKNOWN) {
                ids[count++] = id;
            }
        }
        return Arrays.copyOf(ids, count);
    }

    /// Whether a word of at least three letters is a single piece.
    boolean hasWholeWord(String text) {
        PieceReader pieces = new PieceReader(MOST_DISTINCT, true);
        pieces.of(text);
        return pieces.hasWholeWord;
    }

    /// The ids of its pieces between those of beginning and end, as many as the model takes.
    public int[] numbers(String text) {
        int[] ids = new PieceReader(MOST - 2, false).of(text);
        int[] numbers = new int[ids.length + 2];
        numbers[0] = BEGIN;
        System.arraycopy(ids, 0, numbers, 1, ids.length);
        numbers[numbers.length - 1] = END;
        return numbers;
    }

    /// Punctuation is a word of its own, and so is a Chinese character.
    private static boolean isAlone(int point) {
        if (point < 128) {
            return point > ' ' && !Character.isLetterOrDigit(point);
        }
        return Character.isIdeographic(point)
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

    /// The pieces of one text. Works on characters in place: the first search after a start splits the texts of all
    /// tools, before anything is compiled. For one thread.
    private final class PieceReader {
        /// Before pieces that do not begin a word, twice.
        private static final char MARK = '#';

        private static final int MARKS = 2;

        private final boolean isDistinct;
        private final int[] ids;
        private int count;
        private boolean hasWholeWord;

        /// The current word, after room for the marks.
        private final char[] word = new char[MARKS + LONGEST_WORD];

        /// The length of the current word, which may be more than there is room for.
        private int length;

        PieceReader(int most, boolean isDistinct) {
            this.ids = new int[most];
            this.isDistinct = isDistinct;
        }

        /// The pieces until the text ends or there are enough.
        int[] of(String text) {
            char[] plain = plain(text);
            int at = 0;
            while (at < plain.length && count < ids.length) {
                int from = at;
                while (at < plain.length && isPlainLetter(plain[at])) {
                    at++;
                }
                add(plain, from, at);
                if (at < plain.length) {
                    int point = Character.codePointAt(plain, at);
                    take(point);
                    at += Character.charCount(point);
                }
            }
            split();
            return Arrays.copyOf(ids, count);
        }

        /// The beginning of the text without accents, which become characters of their own. Capitals may remain among
        /// ASCII characters.
        private static char[] plain(String text) {
            String read = text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) : text;
            char[] letters = read.toCharArray();
            for (char letter : letters) {
                if (letter >= 128) {
                    return Normalizer.normalize(read, Normalizer.Form.NFD)
                            .toLowerCase(Locale.ROOT)
                            .toCharArray();
                }
            }
            return letters;
        }

        private static boolean isPlainLetter(char letter) {
            return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
        }

        /// Any character.
        private void take(int point) {
            if (Character.isWhitespace(point) || Character.isISOControl(point)) {
                split();
                return;
            }
            boolean isAlone = isAlone(point);
            if (isAlone) {
                split();
            }
            if (point < 128 || Character.getType(point) != Character.NON_SPACING_MARK) {
                char[] letters = Character.toChars(point);
                add(letters, 0, letters.length);
            }
            if (isAlone) {
                split();
            }
        }

        /// Adds to the current word, in lower case.
        private void add(char[] letters, int from, int to) {
            for (int i = from; i < to; i++) {
                char letter = letters[i];
                if (length < LONGEST_WORD) {
                    word[MARKS + length] = letter >= 'A' && letter <= 'Z' ? (char) (letter + 'a' - 'A') : letter;
                }
                length++;
            }
        }

        /// Splits the current word: the longest prefix in the vocabulary, then the longest of the rest; the unknown
        /// token if no prefix of a rest is in it.
        private void split() {
            int before = count;
            int from = MARKS;
            int end = MARKS + length;
            while (from < end && length <= LONGEST_WORD) {
                int begin = from == MARKS ? from : marked(from);
                int to = end;
                int id = vocabulary.id(word, begin, to - begin);
                while (id == Vocabulary.NONE && --to > from) {
                    id = vocabulary.id(word, begin, to - begin);
                }
                if (id == Vocabulary.NONE) {
                    break;
                }
                add(id);
                hasWholeWord |= from == MARKS && to == end && length >= SHORTEST_WORD;
                from = to;
            }
            if (from < end) {
                count = before;
                add(UNKNOWN);
            }
            length = 0;
        }

        /// Puts the marks over letters already read; returns where they begin.
        private int marked(int from) {
            word[from - 1] = MARK;
            word[from - MARKS] = MARK;
            return from - MARKS;
        }

        private void add(int id) {
            if (count < ids.length && !(isDistinct && isKnown(id))) {
                ids[count++] = id;
            }
        }

        private boolean isKnown(int id) {
            for (int i = 0; i < count; i++) {
                if (ids[i] == id) {
                    return true;
                }
            }
            return false;
        }
    }
}
