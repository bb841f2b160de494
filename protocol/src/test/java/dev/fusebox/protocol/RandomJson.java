package dev.fusebox.protocol;

import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;

/// Generator and mutator of random JSON texts. For one thread.
final class RandomJson {
    private static final String[] SPACES = {"", "", "", " ", "\n", "\t", "\r\n", "  "};
    private static final String[] PIECES = {
        "a",
        "Z",
        "0",
        " ",
        "\\n",
        "\\\"",
        "\\\\",
        "\\/",
        "\\u0041",
        "\\ud83d\\ude00",
        "\\ud800",
        "\u00e4",
        "\u20ac",
        "\ud83d\ude00",
        "\u2028",
        "method",
        "\u007f",
        "eight by",
        "eight bytes and more"
    };
    private static final String[] NUMBERS = {
        "0",
        "-0",
        "1",
        "-17",
        "3.25",
        "1e5",
        "1E-5",
        "-1.5e+300",
        "9007199254740993",
        "1e400",
        "123456789012345678901234"
    };

    private final RandomGenerator random;

    RandomJson(RandomGenerator random) {
        this.random = random;
    }

    byte[] text() {
        return (space() + value(0) + space()).getBytes(StandardCharsets.UTF_8);
    }

    /// The text with one to three bytes changed, removed or inserted.
    byte[] mutated(byte[] text) {
        byte[] broken = text;
        for (int i = random.nextInt(1, 4); i > 0 && broken.length > 0; i--) {
            broken = mutatedOnce(broken);
        }
        return broken;
    }

    private byte[] mutatedOnce(byte[] text) {
        int at = random.nextInt(text.length);
        int kind = random.nextInt(4);
        if (kind == 0) {
            return java.util.Arrays.copyOf(text, at);
        }
        byte[] changed = new byte[text.length + (kind == 1 ? 1 : kind == 2 ? -1 : 0)];
        int keep = kind == 1 ? at : at + 1;
        System.arraycopy(text, 0, changed, 0, Math.min(at, changed.length));
        int to = kind == 2 ? at : at + 1;
        System.arraycopy(text, keep, changed, to, text.length - keep);
        if (kind != 2) {
            changed[at] = oddByte();
        }
        return changed;
    }

    private byte oddByte() {
        byte[] odd = "{}[]\",:\\0-+.eEtfnu \n\u0001".getBytes(StandardCharsets.UTF_8);
        return random.nextBoolean() ? odd[random.nextInt(odd.length)] : (byte) random.nextInt(256);
    }

    private String value(int depth) {
        int kind = random.nextInt(depth > 6 ? 4 : 7);
        return switch (kind) {
            case 0 -> string();
            case 1 -> NUMBERS[random.nextInt(NUMBERS.length)];
            case 2 -> random.nextBoolean() ? "true" : "false";
            case 3 -> "null";
            case 4 -> list(depth, "[", "]", "");
            default -> list(depth, "{", "}", "name");
        };
    }

    private String list(int depth, String open, String close, String name) {
        StringBuilder text = new StringBuilder(open).append(space());
        int size = random.nextInt(4);
        for (int i = 0; i < size; i++) {
            text.append(i == 0 ? "" : "," + space());
            text.append(name.isEmpty() ? "" : "\"" + name + i + "\"" + space() + ":" + space());
            text.append(value(depth + 1)).append(space());
        }
        return text.append(close).toString();
    }

    private String string() {
        StringBuilder text = new StringBuilder("\"");
        for (int i = random.nextInt(6); i > 0; i--) {
            text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return text.append('"').toString();
    }

    private String space() {
        return SPACES[random.nextInt(SPACES.length)];
    }
}
