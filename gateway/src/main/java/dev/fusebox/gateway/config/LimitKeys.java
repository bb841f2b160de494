package dev.fusebox.gateway.config;

import dev.fusebox.gateway.config.Kind.Whole;
import dev.fusebox.protocol.JsonView;
import java.util.List;

/// The keys of `limits`.
final class LimitKeys {
    static final Key<Long> FRAME_BYTES = Key.of(
            "frameBytes",
            new Whole(1_024, 256L << 20),
            "16777216",
            "The longest message of a server. A longer one is passed over.");
    static final Key<Long> DEPTH = Key.of(
            "depth",
            new Whole(8, JsonView.MAX_DEPTH),
            "128",
            "How deep a message may be nested. A client's deeper one is refused, a server's is no message.");
    static final Key<Long> TOOL_PAGES =
            Key.of("toolPages", new Whole(1, 10_000), "100", "How many pages a list of a server may have.");
    static final Key<Long> CLIENT_WRITE_MS = Key.of(
            "clientWriteMs",
            Times.MILLIS,
            "30000",
            "How long a client may take to read, 128 KiB over HTTP and anything at all on standard output, before it is"
                    + " taken for gone.");
    static final Key<Long> CLIENT_WAIT_MS = Key.of(
            "clientWaitMs",
            Times.MILLIS,
            "300000",
            "How long a client may take to answer a question of a server, and all questions of one call. A call"
                    + " whose client has left with a question ends after 20 s if its place is needed.");
    static final Key<Long> STUCK_WRITE_MS = Key.of(
            "stuckWriteMs",
            Times.MILLIS,
            "30000",
            "A process that has read nothing for so long, though it could, ends.");
    static final Key<Long> ERA_PROBE_MS = Key.of(
            "eraProbeMs",
            new Whole(1, 60_000),
            "3000",
            "How long finding out the era of a server waits for one that says nothing.");

    static final List<Key<?>> ALL =
            List.of(FRAME_BYTES, DEPTH, TOOL_PAGES, CLIENT_WRITE_MS, CLIENT_WAIT_MS, STUCK_WRITE_MS, ERA_PROBE_MS);

    private LimitKeys() {}
}
