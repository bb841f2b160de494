package dev.fusebox.search.model;

import java.util.Arrays;

/// The pieces of a tokenizer and their ids, in a hash table over one array of characters: tens of thousands of strings
/// would take several times as long to load. Immutable after the reading; thread-safe.
final class Vocabulary {
    /// The id of a text that is not a piece.
    static final int NONE = -1;

    private static final int LEAST_SLOTS = 64;

    private char[] letters = new char[1 << 12];

    /// The end of each piece in the letters; it begins where the one before ends.
    private int[] ends = new int[LEAST_SLOTS];

    private int[] ids = new int[LEAST_SLOTS];
    private int pieces;

    /// The piece of each slot, plus one. A power of two in number, and at most half of them are taken.
    private int[] slots = new int[LEAST_SLOTS];

    /// Reads a `tokenizer.json`, as far as it is needed: the pairs in `"vocab"`.
    ///
    /// @throws IllegalArgumentException if they end before their closing brace
    Vocabulary(String json) {
        char[] text = json.toCharArray();
        int at = json.indexOf('{', json.indexOf("\"vocab\"")) + 1;
        try {
            while (text[at] != '}') {
                at = text[at] == '"' ? pair(text, at + 1) : at + 1;
            }
        } catch (IndexOutOfBoundsException cut) {
            throw new IllegalArgumentException("the tokenizer's vocabulary is damaged", cut);
        }
    }

    /// Reads a piece from after its opening quote, and its id; returns the position after them.
    private int pair(char[] text, int from) {
        int begin = pieces == 0 ? 0 : ends[pieces - 1];
        int end = begin;
        int at = from;
        while (text[at] != '"') {
            if (end == letters.length) {
                letters = Arrays.copyOf(letters, 2 * end);
            }
            if (text[at] != '\\') {
                letters[end++] = text[at++];
            } else if (text[at + 1] == 'u') {
                letters[end++] = (char) Integer.parseInt(new String(text, at + 2, 4), 16);
                at += 6;
            } else {
                letters[end++] = text[at + 1];
                at += 2;
            }
        }
        while (text[at] < '0' || text[at] > '9') {
            at++;
        }
        int id = 0;
        while (text[at] >= '0' && text[at] <= '9') {
            id = 10 * id + text[at++] - '0';
        }
        add(end, id);
        return at;
    }

    private void add(int end, int id) {
        if (pieces == ends.length) {
            ends = Arrays.copyOf(ends, 2 * pieces);
            ids = Arrays.copyOf(ids, 2 * pieces);
        }
        ends[pieces] = end;
        ids[pieces++] = id;
        if (2 * pieces <= slots.length) {
            insert(pieces - 1);
            return;
        }
        slots = new int[2 * slots.length];
        for (int piece = 0; piece < pieces; piece++) {
            insert(piece);
        }
    }

    private void insert(int piece) {
        int from = begin(piece);
        slots[slot(letters, from, ends[piece] - from)] = piece + 1;
    }

    private int begin(int piece) {
        return piece == 0 ? 0 : ends[piece - 1];
    }

    /// The slot of these letters, or the free one where they belong.
    private int slot(char[] text, int from, int length) {
        int hash = 0;
        for (int i = from; i < from + length; i++) {
            hash = 31 * hash + text[i];
        }
        int slot = (hash ^ hash >>> 15) & slots.length - 1;
        while (slots[slot] != 0 && !isPiece(slots[slot] - 1, text, from, length)) {
            slot = slot + 1 & slots.length - 1;
        }
        return slot;
    }

    private boolean isPiece(int piece, char[] text, int from, int length) {
        int begin = begin(piece);
        return Arrays.equals(letters, begin, ends[piece], text, from, from + length);
    }

    /// The id of a piece, or [#NONE].
    int id(char[] text, int from, int length) {
        int piece = slots[slot(text, from, length)];
        return piece == 0 ? NONE : ids[piece - 1];
    }
}
