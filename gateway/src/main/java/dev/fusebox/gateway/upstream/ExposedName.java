package dev.fusebox.gateway.upstream;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/// The name under which clients see something of a server: `server__tool`, at most 64 characters of `A-Z`, `a-z`,
/// `0-9`, `_` and `-`. It depends on the server and on the thing's own name alone, so it stays the same whoever
/// else is there. Immutable.
///
/// A plain name is the two parts as they are, and cutting it at its first `__` gives them back. Where that cannot
/// be (other characters, too long, a server whose name has `__` or ends in `_`), the name is a readable rest of
/// both parts, then `_0` and 16 characters of a hash of both. A name that would be plain and looks as if it ended
/// in such a hash is hashed as well. So no plain name is ever a hashed one, and two plain ones are equal only if
/// both parts are.
///
/// @param server the first part of a plain name
/// @param own the second part
public record ExposedName(String server, String own) {
    /// What clients accept; the longest that all models do.
    private static final int LONGEST = 64;

    private static final String BETWEEN = "__";

    /// The digit is none of [#LETTERS], and hardly any name goes on like that by itself.
    private static final String MARK = "_0";

    /// Base 32 of RFC 4648, in small letters.
    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz234567";

    /// Of five bits each: nobody meets 80 bits by chance.
    private static final int HASH_LENGTH = 16;

    private static final int ENDING = MARK.length() + HASH_LENGTH;
    private static final int LONGEST_SERVER_PART = 22;

    /// What stands in place of a part of which nothing is left.
    private static final String NOTHING = "x";

    /// The name of one thing of a server as clients see it.
    public static String of(String server, String own) {
        String plain = server + BETWEEN + own;
        return isPlain(server, own, plain) ? plain : hashed(server, own);
    }

    /// The parts of a plain name; null if it is none: then only whoever made it knows what it stands for.
    public static @Nullable ExposedName split(String shown) {
        int cut = shown.indexOf(BETWEEN);
        if (cut < 0) {
            return null;
        }
        var parts = new ExposedName(shown.substring(0, cut), shown.substring(cut + BETWEEN.length()));
        return isPlain(parts.server, parts.own, shown) ? parts : null;
    }

    private static boolean isPlain(String server, String own, String together) {
        boolean isWhole = !server.isEmpty() && !own.isEmpty() && together.length() <= LONGEST;
        boolean isCutRight = !server.contains(BETWEEN) && !server.endsWith("_");
        return isWhole && isCutRight && areAllowed(together) && !looksHashed(together);
    }

    private static boolean areAllowed(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (!isAllowed(name.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAllowed(char character) {
        return (character >= 'a' && character <= 'z')
                || (character >= 'A' && character <= 'Z')
                || (character >= '0' && character <= '9')
                || character == '_'
                || character == '-';
    }

    private static boolean looksHashed(String name) {
        int from = name.length() - ENDING;
        return from >= 0
                && name.startsWith(MARK, from)
                && name.chars().skip(from + MARK.length()).allMatch(it -> LETTERS.indexOf(it) >= 0);
    }

    private static String hashed(String server, String own) {
        String first = readable(server, LONGEST_SERVER_PART);
        String second = readable(own, LONGEST - ENDING - BETWEEN.length() - first.length());
        return first + BETWEEN + second + MARK + hash(server, own);
    }

    /// As much of it as there is room for, every other character as `-`, and no `__`, so that the eye finds the
    /// cut.
    private static String readable(String part, int longest) {
        var text = new StringBuilder();
        for (int i = 0; i < part.length() && text.length() < longest; i++) {
            char next = isAllowed(part.charAt(i)) ? part.charAt(i) : '-';
            if (next != '_' || (!text.isEmpty() && text.charAt(text.length() - 1) != '_')) {
                text.append(next);
            }
        }
        while (!text.isEmpty() && text.charAt(text.length() - 1) == '_') {
            text.setLength(text.length() - 1);
        }
        return text.isEmpty() ? NOTHING : text.toString();
    }

    /// Of the characters as they are, half surrogates too, and of where the first part ends.
    private static String hash(String server, String own) {
        ByteBuffer both = ByteBuffer.allocate(Integer.BYTES + Character.BYTES * (server.length() + own.length()));
        both.putInt(server.length());
        both.asCharBuffer().put(server).put(own);
        byte[] digest = sha256(both.array());
        var text = new StringBuilder();
        for (int bit = 0; text.length() < HASH_LENGTH; bit += 5) {
            int pair = (digest[bit / 8] & 0xff) << 8 | (digest[bit / 8 + 1] & 0xff);
            text.append(LETTERS.charAt(pair >> (11 - bit % 8) & 31));
        }
        return text.toString();
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
