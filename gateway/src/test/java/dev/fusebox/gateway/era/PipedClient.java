package dev.fusebox.gateway.era;

import dev.fusebox.gateway.front.StdioFrontEnd;
import dev.fusebox.platform.SecretIds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.time.Duration;

/// A client on two pipes, and the front that it has to itself.
public record PipedClient(StdioFrontEnd front, StdioWire wire) implements AutoCloseable {
    public static PipedClient before(GatewayService service) {
        try {
            Pipe toFront = Pipe.open();
            Pipe fromFront = Pipe.open();
            var streams = new StdioFrontEnd.Streams(
                    Channels.newInputStream(toFront.source()), Channels.newOutputStream(fromFront.sink()));
            StdioFrontEnd front = new StdioFrontEnd(SingleServerHarness.PLATFORM, service, SecretIds.system(), streams);
            front.start(() -> {});
            return new PipedClient(front, new StdioWire(toFront.sink(), fromFront.source()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Calls that are under way are not waited for.
    @Override
    public void close() {
        try {
            front.close(Duration.ofMillis(1));
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        } finally {
            wire.close();
        }
    }
}
