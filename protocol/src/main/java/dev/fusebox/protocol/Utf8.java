package dev.fusebox.protocol;

/// A strict UTF-8 validator: no overlong forms, no surrogates, nothing beyond U+10FFFF. Stateless, thread-safe.
final class Utf8 {
    private Utf8() {}

    /// The end of the character of two to four bytes that starts here.
    static int skipCharacter(byte[] text, int from, int end) throws JsonSyntaxError {
        int lead = text[from] & 0xFF;
        int length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
        if (lead < 0xC2 || lead > 0xF4 || from + length > end) {
            throw new JsonSyntaxError(from, "invalid UTF-8");
        }
        int second = text[from + 1] & 0xFF;
        if (second < least(lead) || second > most(lead)) {
            throw new JsonSyntaxError(from, "invalid UTF-8");
        }
        for (int i = 2; i < length; i++) {
            if ((text[from + i] & 0xC0) != 0x80) {
                throw new JsonSyntaxError(from, "invalid UTF-8");
            }
        }
        return from + length;
    }

    /// A second byte below this would make an overlong form.
    private static int least(int lead) {
        return lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    }

    /// A second byte above this would make a surrogate, or a character that does not exist.
    private static int most(int lead) {
        return lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    }
}
