package dev.fusebox.gateway.result;

import java.text.BreakIterator;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/// Text made of what is easily cut at a wrong place. Pure functions.
final class RandomText {
    private static final List<String> PIECES = List.of(
            "a",
            "plain words. ",
            "\n",
            "\r\n",
            "\r",
            "\t\"quoted\" \\ ",
            "é",
            "e\u0301",
            "a\u0300\u0301\u0302\u0303",
            "日本語",
            "한국어",
            "\u1112\u1161\u11ab",
            "שלום עולם",
            "\u202bمرحبا\u202c",
            "ل\u0627\u064b",
            "क्ष",
            "ก็",
            "😀",
            "👍🏽",
            "👨‍👩‍👧‍👦",
            "🏳️‍🌈",
            "🧑🏿‍🤝‍🧑🏻",
            "1️⃣",
            "🇩🇪",
            "🇩",
            "🇩🇪🇫🇷🇯🇵",
            "\ud83d",
            "\ude00",
            "\u0000",
            "\u200b",
            "\ufeff",
            "\u2028");

    private RandomText() {}

    static String of(RandomGenerator random, int pieces) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < pieces; i++) {
            text.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        return text.toString();
    }

    /// The places between two characters, found in the text as a whole.
    static BitSet boundaries(String text) {
        BitSet boundaries = new BitSet();
        BreakIterator characters = BreakIterator.getCharacterInstance(Locale.ROOT);
        characters.setText(text);
        for (int at = characters.first(); at != BreakIterator.DONE; at = characters.next()) {
            boundaries.set(at);
        }
        return boundaries;
    }
}
