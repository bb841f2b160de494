package dev.fusebox.gateway.front;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/// A mutator of valid frames, whose choices follow from a seed. For one thread.
final class Mutator {
    private static final int MAX_CHANGES = 4;
    private static final int LONGEST_PIECE = 24;

    /// Sequences that parsers often handle wrongly.
    private static final List<byte[]> TRAPS = List.of(
            "\"".getBytes(UTF_8),
            "\\".getBytes(UTF_8),
            "\\u".getBytes(UTF_8),
            "\\ud800".getBytes(UTF_8),
            "{".getBytes(UTF_8),
            "}".getBytes(UTF_8),
            "[".repeat(200).getBytes(UTF_8),
            ",".getBytes(UTF_8),
            "-".getBytes(UTF_8),
            "1e999999".getBytes(UTF_8),
            "9".repeat(1_100).getBytes(UTF_8),
            "null".getBytes(UTF_8),
            "\"id\":null,".getBytes(UTF_8),
            "\"method\":\"ping\",".getBytes(UTF_8),
            "\"_meta\":{},".getBytes(UTF_8),
            "\u2028".getBytes(UTF_8),
            new byte[] {0},
            new byte[] {'\r'},
            new byte[] {'\n'},
            new byte[] {(byte) 0xFF, (byte) 0xFE},
            new byte[] {(byte) 0xF0, (byte) 0x9F},
            new byte[] {(byte) 0xC0, (byte) 0x80},
            new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80});

    private final SplittableRandom random;
    private final List<byte[]> good;

    Mutator(long seed, List<String> good) {
        this.random = new SplittableRandom(seed);
        this.good = good.stream().map(frame -> frame.getBytes(UTF_8)).toList();
    }

    byte[] next() {
        byte[] frame = any(good);
        int changes = 1 + random.nextInt(MAX_CHANGES);
        for (int i = 0; i < changes; i++) {
            frame = changed(frame);
        }
        return frame;
    }

    private byte[] any(List<byte[]> of) {
        return of.get(random.nextInt(of.size()));
    }

    private byte[] changed(byte[] frame) {
        int from = random.nextInt(frame.length + 1);
        int to = Math.min(frame.length, from + random.nextInt(LONGEST_PIECE));
        byte[] piece = Arrays.copyOfRange(frame, from, to);
        return switch (random.nextInt(8)) {
            case 0 -> joined(frame, from, flipped(piece), to);
            case 1 -> joined(frame, from, new byte[0], to);
            case 2 -> joined(frame, from, piece, from);
            case 3 -> joined(frame, from, any(TRAPS), from);
            case 4 -> joined(frame, from, any(TRAPS), to);
            case 5 -> joined(frame, from, new byte[] {(byte) random.nextInt(256)}, Math.min(from + 1, frame.length));
            case 6 -> joined(frame, from, new byte[0], frame.length);
            default -> joined(frame, from, any(good), to);
        };
    }

    private byte[] flipped(byte[] piece) {
        if (piece.length > 0) {
            piece[random.nextInt(piece.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return piece;
    }

    private static byte[] joined(byte[] frame, int from, byte[] middle, int to) {
        var out = new ByteArrayOutputStream();
        out.write(frame, 0, from);
        out.writeBytes(middle);
        out.write(frame, to, frame.length - to);
        return out.toByteArray();
    }
}
