package dev.fusebox.client.framing;

/// Splitter of a byte stream into lines. Not thread-safe; nothing blocks.
///
/// LF ends a line, one CR before it belongs to the end, a CR elsewhere is a byte like any other; empty lines are
/// omitted. A line over the limit, or one without enough memory, is skipped; only its beginning and its end are
/// kept.
public final class LineSplitter {
    /// Receiver of the lines.
    public interface Sink {
        void line(byte[] buffer, int from, int to);

        void tooLong(OversizedMessage line);
    }

    private final MessageAssembler assembler;

    public LineSplitter(int limit, Sink sink) {
        this.assembler = new MessageAssembler(limit, new WithoutEnds(sink));
    }

    /// How much of a line over the limit has been skipped; 0 if there is no such line.
    public long skipped() {
        return assembler.skipped();
    }

    public void accept(byte[] bytes, int count) {
        int from = 0;
        for (int at = 0; at < count; at++) {
            if (bytes[at] == '\n') {
                assembler.end(bytes, from, at);
                from = at + 1;
            }
        }
        assembler.add(bytes, from, count);
    }

    /// Ends the stream; an incomplete line is discarded.
    public void finish() {
        assembler.finish();
    }

    /// Delivers lines without a CR at the end, and no empty ones.
    private record WithoutEnds(Sink sink) implements MessageAssembler.Sink {
        @Override
        public void message(byte[] buffer, int from, int to) {
            int end = to > from && buffer[to - 1] == '\r' ? to - 1 : to;
            if (end > from) {
                sink.line(buffer, from, end);
            }
        }

        @Override
        public void tooLong(OversizedMessage message) {
            sink.tooLong(message);
        }
    }
}
