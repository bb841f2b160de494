package dev.fusebox.protocol;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// A strict UTF-8 validator: no overlong forms, no surrogates, nothing beyond U+10FFFF. Stateless, thread-safe.
public final class Utf8 {
    /// The bits of eight bytes that no ASCII character has.
    private static final long BEYOND_ASCII = 0x8080808080808080L;

    private Utf8() {}

    /// Created on first use: most starts of the gateway do not need it.
    private static final class Words {
        static final VarHandle EIGHT_BYTES =
                MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    }

    /// Whether the whole range is valid UTF-8. Eight bytes of ASCII take one step.
    public static boolean isValid(byte[] text, int from, int end) {
        int at = from;
        try {
            while (at < end) {
                if (end - at >= Long.BYTES && ((long) Words.EIGHT_BYTES.get(text, at) & BEYOND_ASCII) == 0) {
                    at += Long.BYTES;
                } else {
                    at = text[at] >= 0 ? at + 1 : skipCharacter(text, at, end);
                }
            }
            return true;
        } catch (JsonSyntaxError invalid) {
            return false;
        }
    }

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
