package dev.fusebox.gateway.config;

import dev.fusebox.gateway.config.ValueType.Whole;
import dev.fusebox.protocol.JsonView;
import java.util.List;

/// The keys of `limits`.
final class LimitKeys {
    static final ConfigKey<Long> FRAME_BYTES = ConfigKey.of(
            "frameBytes",
            new Whole(1_024, 256L << 20),
            "16777216",
            "The longest message of a server. A longer one is passed over.");
    static final ConfigKey<Long> DEPTH = ConfigKey.of(
            "depth",
            new Whole(8, JsonView.MAX_DEPTH),
            "128",
            "How deep a message may be nested. A client's deeper one is refused, a server's is no message.");
    static final ConfigKey<Long> TOOL_PAGES =
            ConfigKey.of("toolPages", new Whole(1, 10_000), "100", "How many pages a list of a server may have.");
    static final ConfigKey<Long> CLIENT_WRITE_MS = ConfigKey.of(
            "clientWriteMs",
            DurationBounds.MILLIS,
            "30000",
            "How long a client may take to read, 128 KiB over HTTP and anything at all on standard output, before it is"
                    + " taken for gone.");
    static final ConfigKey<Long> CLIENT_WAIT_MS = ConfigKey.of(
            "clientWaitMs",
            DurationBounds.MILLIS,
            "300000",
            "How long a client may take to answer a question of a server, and all questions of one call. A call"
                    + " whose client has left with a question ends after 20 s if its place is needed.");
    static final ConfigKey<Long> STUCK_WRITE_MS = ConfigKey.of(
            "stuckWriteMs",
            DurationBounds.MILLIS,
            "30000",
            "A process that has read nothing for so long, though it could, ends.");
    static final ConfigKey<Long> ERA_PROBE_MS = ConfigKey.of(
            "eraProbeMs",
            new Whole(1, 60_000),
            "3000",
            "How long finding out the era of a server waits for one that says nothing.");

    static final List<ConfigKey<?>> ALL =
            List.of(FRAME_BYTES, DEPTH, TOOL_PAGES, CLIENT_WRITE_MS, CLIENT_WAIT_MS, STUCK_WRITE_MS, ERA_PROBE_MS);

    private LimitKeys() {}
}
