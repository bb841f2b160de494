package dev.fusebox.client.http;

import dev.fusebox.client.Patience;
import dev.fusebox.world.World;
import java.io.IOException;
import java.util.List;

/// Fetches documents, by the one way out and under its limits. Thread-safe; fetching blocks for as long as the
/// caller has patience.
public final class Download implements AutoCloseable {
    private static final int GOOD = 200;

    private final World world;
    private final Outbound lines;

    public Download(World world, OutboundSettings settings) {
        this.world = world;
        this.lines = Outbound.open(world, settings);
    }

    /// The document at an address.
    ///
    /// @throws IOException if it cannot be had, with the reason
    public byte[] of(HttpTarget target, Patience patience) throws IOException {
        Request request = Request.without("GET", target, List.of("Accept", "application/json"));
        try (Timekeeper keeper = Timekeeper.start(world, patience);
                Reply reply = lines.send(request, keeper)) {
            if (reply.status() != GOOD) {
                reply.cut();
                throw new IOException(target.origin() + " answered with the status " + reply.status());
            }
            return reply.bytes();
        } catch (Trouble trouble) {
            throw new IOException(trouble.failure().message(), trouble);
        }
    }

    @Override
    public void close() {
        lines.close();
    }
}
