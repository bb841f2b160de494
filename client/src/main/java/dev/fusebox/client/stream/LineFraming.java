package dev.fusebox.client.stream;

import dev.fusebox.client.framing.LineSplitter;
import dev.fusebox.client.framing.OversizedMessage;
import java.util.Arrays;

/// One message on each line, as over standard input and output. Immutable.
///
/// @param frameBytes the longest message that is delivered
record LineFraming(int frameBytes) implements StreamFraming {
    private static final byte[] NOTHING = {};

    @Override
    public byte[] framed(byte[] message) {
        byte[] line = Arrays.copyOf(message, message.length + 1);
        line[message.length] = '\n';
        return line;
    }

    @Override
    public byte[] closingBytes() {
        return NOTHING;
    }

    @Override
    public byte[] tooLongBytes() {
        return NOTHING;
    }

    @Override
    public Decoder decoder(Output output) {
        return new Lines(new LineSplitter(frameBytes, new LineSplitter.Sink() {
            @Override
            public void line(byte[] buffer, int from, int to) {
                output.message(buffer, from, to);
            }

            @Override
            public void tooLong(OversizedMessage line) {
                output.tooLong(line);
            }
        }));
    }

    /// Adapter of a [LineSplitter].
    private record Lines(LineSplitter splitter) implements Decoder {
        @Override
        public void accept(byte[] bytes, int count) {
            splitter.accept(bytes, count);
        }

        @Override
        public long skipped() {
            return splitter.skipped();
        }
    }
}
