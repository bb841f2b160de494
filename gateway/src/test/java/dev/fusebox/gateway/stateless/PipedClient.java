package dev.fusebox.gateway.stateless;

import dev.fusebox.gateway.mcp.StdioFront;
import dev.fusebox.platform.SecretIds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.time.Duration;

/// A client on two pipes, and the front that it has to itself.
public record PipedClient(StdioFront front, StdioWire wire) implements AutoCloseable {
    public static PipedClient before(Service service) {
        try {
            Pipe toFront = Pipe.open();
            Pipe fromFront = Pipe.open();
            var streams = new StdioFront.Streams(
                    Channels.newInputStream(toFront.source()), Channels.newOutputStream(fromFront.sink()));
            StdioFront front = new StdioFront(Gate.WORLD, service, SecretIds.system(), streams);
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
