package dev.fusebox.gateway.share;

import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.MessagePreview;
import dev.fusebox.protocol.RequestId;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// The search for the gateway that follows one that has ended, and the repetition of the client's session there.
/// For one thread at a time; [#find] blocks.
final class NextGateway {
    /// Enough for an attempt after a gateway that was killed at its start, or that found a half-written
    /// configuration file.
    private static final Duration RETRY_LIMIT = Duration.ofSeconds(10);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);

    private final Platform platform;
    private final GatewayFinder finder;
    private final SessionMemory memory;
    private final LinkWatch watch;

    NextGateway(Platform platform, GatewayFinder finder, SessionMemory memory, LinkWatch watch) {
        this.platform = platform;
        this.finder = finder;
        this.memory = memory;
        this.watch = watch;
    }

    /// A connection to the gateway, which is watched. It is marked as moved if that gateway takes no new messages
    /// any more.
    ///
    /// @param open the requests without an answer
    /// @param hasEnded whether the client needs no gateway any more
    GatewayLink find(Set<RequestId> open, BooleanSupplier hasEnded)
            throws IOException, GatewayFinder.Unserved, InterruptedException {
        long begun = platform.ticker().nanos();
        Duration pause = FIRST_PAUSE;
        boolean isFirst = true;
        while (true) {
            try {
                return resumed(open);
            } catch (IOException | GatewayFinder.Unserved failed) {
                long passed = platform.ticker().nanos() - begun;
                boolean isLate = passed + pause.toNanos() > RETRY_LIMIT.toNanos();
                // A first attempt with a gateway that hangs at its start takes longer than the limit.
                if (hasEnded.getAsBoolean() || (isLate && !isFirst)) {
                    throw failed;
                }
            }
            isFirst = false;
            platform.pause(pause);
            pause = pause.multipliedBy(2);
        }
    }

    private GatewayLink resumed(Set<RequestId> open) throws IOException, GatewayFinder.Unserved, InterruptedException {
        GatewayLink link = finder.find(memory.formerGateway());
        boolean isResumed = false;
        link.setResuming(true);
        watch.add(link);
        try {
            repeatSession(link, open);
            isResumed = true;
            return link;
        } finally {
            link.setResuming(false);
            if (!isResumed) {
                watch.remove(link);
                link.close();
            }
        }
    }

    /// A gateway takes nothing else before it has answered the handshake.
    private void repeatSession(GatewayLink link, Set<RequestId> open) throws IOException {
        byte[] handshake = memory.handshake(open);
        if (handshake == null) {
            return;
        }
        link.write(LineMark.line(LineMark.MESSAGE, handshake));
        boolean isAnswered = false;
        while (!isAnswered) {
            byte[] line = link.readLine();
            if (line == null) {
                throw new IOException("the next gateway ended at once");
            }
            watch.heard(link);
            isAnswered = isAnswer(link, line);
        }
        for (byte[] frame : memory.rest()) {
            link.write(LineMark.line(LineMark.MESSAGE, frame));
        }
    }

    /// Whether the line answers the handshake.
    private static boolean isAnswer(GatewayLink link, byte[] line) {
        if (line.length > 0 && line[0] == LineMark.MOVED) {
            // This gateway is about to end, too.
            link.noteMove();
        }
        RequestId id = line.length > 0 && line[0] == LineMark.MESSAGE
                ? MessagePreview.of(line, 1, line.length).id()
                : null;
        return id != null && SessionMemory.isOurs(id);
    }
}
