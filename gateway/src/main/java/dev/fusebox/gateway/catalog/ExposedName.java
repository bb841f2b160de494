package dev.fusebox.gateway.catalog;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/// The name under which clients see something of a server: `server__tool`, at most 64 characters of `A-Z`,
/// `a-z`, `0-9`, `_` and `-`. It depends only on the server and on the entry's own name, so it does not change
/// when other servers come or go. Immutable.
///
/// A plain name is both parts unchanged; splitting it at its first `__` gives them back. Where that is
/// impossible (other characters, too long, a server whose name contains `__` or ends in `_`), the name is a
/// readable remainder of both parts, then `_0` and 16 characters of a hash of both. A name that would be plain
/// but looks as if it ended in such a hash is hashed as well. So no plain name equals a hashed one, and two
/// plain names are equal only if both parts are.
///
/// @param server the first part of a plain name
/// @param own the second part
public record ExposedName(String server, String own) {
    /// The longest name that all models and clients accept.
    private static final int LONGEST = 64;

    private static final String BETWEEN = "__";

    /// The digit is not one of [#LETTERS], and names rarely continue like that on their own.
    private static final String MARK = "_0";

    /// Base 32 of RFC 4648, in lower case.
    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz234567";

    /// Five bits each; accidental collisions of 80 bits are negligible.
    private static final int HASH_LENGTH = 16;

    private static final int ENDING = MARK.length() + HASH_LENGTH;
    private static final int LONGEST_SERVER_PART = 22;

    /// Placeholder for a part of which nothing readable is left.
    private static final String NOTHING = "x";

    /// The exposed name of an entry of a server.
    public static String of(String server, String own) {
        String plain = server + BETWEEN + own;
        return isPlain(server, own, plain) ? plain : hashed(server, own);
    }

    /// The parts of a plain name; null for a hashed one, which only the catalog can resolve.
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

    /// Whether a name ends like a hashed one.
    public static boolean looksHashed(String name) {
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

    /// As much of the part as fits, with every other character replaced by `-`, and without `__`, so that the
    /// split remains visible.
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

    /// A hash of the raw characters, including unpaired surrogates, and of the position of the split.
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
