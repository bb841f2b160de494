package dev.fusebox.testkit.server;

import dev.fusebox.protocol.Message;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/// A server over standard input and output: one client, one frame a line. Runs on the thread that reads, until the
/// input ends.
final class StdioServer {
    private final OwnProcess process;
    private final Fixture fixture;

    StdioServer(Fixture fixture, OwnProcess process) {
        this.fixture = fixture;
        this.process = process;
    }

    void serve() throws IOException {
        Outbox outbox = new PipeOutbox(process.output(), fixture.platform());
        try (LegacyClientState legacyClientState = new LegacyClientState(fixture, outbox);
                ModernCodec modern = new ModernCodec(fixture)) {
            Codec codec = EitherCodec.of(fixture.era(), new LegacyCodec(legacyClientState), modern);
            InputStream in = new BufferedInputStream(process.input(), 1 << 16);
            for (var line = readLine(in); line.isPresent(); line = readLine(in)) {
                byte[] frame = line.get();
                if (frame.length > 0) {
                    codec.receive(Message.read(frame, 0, frame.length), outbox);
                }
            }
            if (fixture.script().has(FaultKind.IGNORE_EOF)) {
                process.standStill();
            }
        }
    }

    /// Empty at the end.
    private static Optional<byte[]> readLine(InputStream in) throws IOException {
        var line = new ByteArrayOutputStream();
        int next = in.read();
        if (next < 0) {
            return Optional.empty();
        }
        for (; next >= 0 && next != '\n'; next = in.read()) {
            line.write(next);
        }
        return Optional.of(line.toByteArray());
    }
}
