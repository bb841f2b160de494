package dev.fusebox.testkit.server;

import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Stream;

/// Bytes to write, piece by piece; far more of them than would fit into memory, if need be. Immutable.
///
/// @param segments what is written, in order
/// @param chunk how long a piece is; the last one may be shorter
record Pieces(List<Segment> segments, int chunk) implements Iterable<byte[]> {
    private static final int CHUNK = 1 << 16;

    /// The same bytes so many times.
    static final class Segment {
        private final byte[] unit;
        private final long times;

        Segment(byte[] unit, long times) {
            this.unit = unit;
            this.times = times;
        }

        long length() {
            return unit.length * times;
        }
    }

    static Pieces of(byte[] bytes) {
        return new Pieces(List.of(new Segment(bytes, 1)), CHUNK);
    }

    static Pieces of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    static Pieces repeated(String text, long times) {
        return new Pieces(List.of(new Segment(text.getBytes(StandardCharsets.UTF_8), times)), CHUNK);
    }

    Pieces and(Pieces more) {
        return new Pieces(
                Stream.concat(segments.stream(), more.segments.stream()).toList(), chunk);
    }

    Pieces and(String more) {
        return and(of(more));
    }

    Pieces inChunksOf(int size) {
        return new Pieces(segments, size);
    }

    long length() {
        return segments.stream().mapToLong(Segment::length).sum();
    }

    /// The first so many bytes.
    byte[] head(int length) {
        return inChunksOf(length).iterator().next();
    }

    @Override
    public Iterator<byte[]> iterator() {
        return new Walk();
    }

    private final class Walk implements Iterator<byte[]> {
        private long left = Pieces.this.length();
        private int segment;
        private long inSegment;

        @Override
        public boolean hasNext() {
            return left > 0;
        }

        @Override
        public byte[] next() {
            if (left == 0) {
                throw new NoSuchElementException();
            }
            byte[] piece = new byte[(int) Math.min(chunk, left)];
            for (int i = 0; i < piece.length; i++) {
                piece[i] = nextByte();
            }
            left -= piece.length;
            return piece;
        }

        private byte nextByte() {
            while (inSegment == segments.get(segment).length()) {
                segment++;
                inSegment = 0;
            }
            byte[] unit = segments.get(segment).unit;
            return unit[(int) (inSegment++ % unit.length)];
        }
    }
}
