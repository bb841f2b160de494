package dev.fusebox.search.model;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// The pieces of a tokenizer and their ids, in a hash table over one array of characters: tens of thousands of strings
/// would take several times as long to load. Immutable after the reading; thread-safe.
final class Vocabulary {
    /// The id of a text that is not a piece.
    static final int NONE = -1;

    private static final byte[] NAME = "\"vocab\"".getBytes(StandardCharsets.UTF_8);
    private static final int MIN_SIZE = 64;
    private static final int MAGIC = 0x4F564246;
    private static final int HEADER = 4 * Integer.BYTES;

    /// A piece with its id and the punctuation takes about so many bytes: arrays that need not grow are faster.
    private static final int BYTES_PER_PIECE = 16;

    private char[] letters;

    /// The end of each piece in the letters; it begins where the one before ends.
    private int[] ends;

    private int[] ids;
    private int pieces;

    /// The piece of each slot, plus one. A power of two in number, and at most half of them are taken.
    private int[] slots;

    private Vocabulary(int expected, int characters) {
        letters = new char[characters];
        ends = new int[expected];
        ids = new int[expected];
        slots = new int[2 * Integer.highestOneBit(expected)];
    }

    private Vocabulary(char[] letters, int[] ends, int[] ids, int[] slots) {
        this.letters = letters;
        this.ends = ends;
        this.ids = ids;
        this.pieces = ends.length;
        this.slots = slots;
    }

    /// Reads a `tokenizer.json`, as far as it is needed: the pairs in `"vocab"`.
    ///
    /// @throws IllegalArgumentException if they end before their closing brace
    static Vocabulary parse(byte[] json) {
        Vocabulary read = new Vocabulary(Math.max(MIN_SIZE, json.length / BYTES_PER_PIECE), json.length / 2 + MIN_SIZE);
        try {
            int at = begin(json);
            while (json[at] != '}') {
                at = json[at] == '"' ? read.pair(json, at + 1) : at + 1;
            }
        } catch (IndexOutOfBoundsException cut) {
            throw new IllegalArgumentException("the tokenizer's vocabulary is damaged", cut);
        }
        return new Vocabulary(
                Arrays.copyOf(read.letters, read.begin(read.pieces)),
                Arrays.copyOf(read.ends, read.pieces),
                Arrays.copyOf(read.ids, read.pieces),
                read.slots);
    }

    // ---- The file with the hash table, which is loaded in a fiftieth of the time

    /// Reads the output of [#written].
    ///
    /// @throws IOException if it is anything else, or damaged
    static Vocabulary read(byte[] file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        if (file.length < HEADER || bytes.getInt() != MAGIC) {
            throw new IOException("not a vocabulary: the file does not start with FBVO and a header");
        }
        int letters = bytes.getInt();
        int pieces = bytes.getInt();
        int slots = bytes.getInt();
        long length = HEADER + (long) Character.BYTES * letters + (long) Integer.BYTES * (2L * pieces + slots);
        if (letters < 0 || pieces < 0 || slots < 2 * pieces || length != file.length) {
            throw new IOException("the vocabulary is damaged: " + file.length + " bytes instead of " + length);
        }
        char[] all = new char[letters];
        bytes.asCharBuffer().get(all);
        bytes.position(bytes.position() + Character.BYTES * letters);
        return new Vocabulary(all, ints(bytes, pieces), ints(bytes, pieces), ints(bytes, slots));
    }

    private static int[] ints(ByteBuffer bytes, int count) {
        int[] all = new int[count];
        bytes.asIntBuffer().get(all);
        bytes.position(bytes.position() + Integer.BYTES * count);
        return all;
    }

    byte[] written() {
        int length = HEADER + Character.BYTES * letters.length + Integer.BYTES * (2 * pieces + slots.length);
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(MAGIC).putInt(letters.length).putInt(pieces).putInt(slots.length);
        for (char letter : letters) {
            bytes.putChar(letter);
        }
        for (int[] numbers : List.of(ends, ids, slots)) {
            for (int number : numbers) {
                bytes.putInt(number);
            }
        }
        return bytes.array();
    }

    // ---- The file of the model

    /// The position after the brace that follows the name.
    private static int begin(byte[] json) {
        int at = 0;
        while (!Arrays.equals(json, at, at + NAME.length, NAME, 0, NAME.length)) {
            at++;
        }
        while (json[at] != '{') {
            at++;
        }
        return at + 1;
    }

    /// Reads a piece from after its opening quote, and its id; returns the position after them.
    private int pair(byte[] json, int from) {
        int at = from;
        boolean isPlain = true;
        while (json[at] != '"') {
            isPlain &= json[at] > 0 && json[at] != '\\';
            at += json[at] == '\\' ? 2 : 1;
        }
        int end =
                isPlain ? plain(json, from, at) : unescaped(new String(json, from, at - from, StandardCharsets.UTF_8));
        while (json[at] < '0' || json[at] > '9') {
            at++;
        }
        int id = 0;
        while (json[at] >= '0' && json[at] <= '9') {
            id = 10 * id + json[at++] - '0';
        }
        add(end, id);
        return at;
    }

    /// Adds letters of one byte each; returns their end.
    private int plain(byte[] json, int from, int to) {
        int end = begin(pieces);
        makeRoom(end + to - from);
        for (int i = from; i < to; i++) {
            letters[end++] = (char) json[i];
        }
        return end;
    }

    private int unescaped(String text) {
        int end = begin(pieces);
        makeRoom(end + text.length());
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) != '\\') {
                letters[end++] = text.charAt(i);
            } else if (text.charAt(i + 1) == 'u') {
                letters[end++] = (char) Integer.parseInt(text, i + 2, i + 6, 16);
                i += 5;
            } else {
                letters[end++] = text.charAt(++i);
            }
        }
        return end;
    }

    private void makeRoom(int count) {
        while (count > letters.length) {
            letters = Arrays.copyOf(letters, 2 * letters.length);
        }
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
