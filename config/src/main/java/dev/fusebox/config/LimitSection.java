package dev.fusebox.config;

import dev.fusebox.config.ValueType.Whole;
import dev.fusebox.protocol.JsonView;

/// The section `limits`.
final class LimitSection {
    static final SectionType SECTION = new SectionType("limits");

    static final ConfigKey<Long> FRAME_BYTES = SECTION.key(
            "frameBytes",
            new Whole(1_024, 256L << 20),
            "16777216",
            "The longest message of a server. A longer message is skipped, and a call that it answers fails."
                    + " The limit for messages of clients over standard input is always 16 MiB; the error for a"
                    + " longer request has its id if `method` is in the first 4 KiB, and `id` is there, too, or is the"
                    + " last member; otherwise null.");
    static final ConfigKey<Long> DEPTH = SECTION.key(
            "depth",
            new Whole(8, JsonView.MAX_DEPTH),
            "128",
            "The deepest nesting of a message. A deeper message of a client is rejected, one of a server"
                    + " is skipped.");
    static final ConfigKey<Long> TOOL_PAGES = SECTION.key(
            "toolPages", new Whole(1, 10_000), "100", "The number of pages that a list of a server may have.");
    static final ConfigKey<Long> CLIENT_WRITE_MS = SECTION.key(
            "clientWriteMs",
            Whole.MILLIS,
            "30000",
            "How long a client may take to read 128 KiB over HTTP, or any amount from standard output,"
                    + " before the gateway closes the connection.");
    static final ConfigKey<Long> CLIENT_WAIT_MS = SECTION.key(
            "clientWaitMs",
            Whole.MILLIS,
            "300000",
            "How long a client may take to answer a server request, and all server requests of one call"
                    + " together. A call whose client disconnected during a server request ends after 20 s if its"
                    + " connection is needed.");
    static final ConfigKey<Long> STUCK_WRITE_MS = SECTION.key(
            "stuckWriteMs",
            Whole.MILLIS,
            "30000",
            "A server that has read nothing for this long, although messages were waiting for it, is terminated or"
                    + " disconnected.");
    static final ConfigKey<Long> ERA_PROBE_MS = SECTION.key(
            "eraProbeMs",
            new Whole(1, 60_000),
            "3000",
            "How long the detection of a server's era waits for an answer.");

    private LimitSection() {}

    static LimitConfig read(ConfigSection limits) {
        return new LimitConfig(
                limits.number(FRAME_BYTES),
                limits.number(DEPTH),
                limits.number(TOOL_PAGES),
                limits.millis(CLIENT_WRITE_MS),
                limits.millis(CLIENT_WAIT_MS),
                limits.millis(STUCK_WRITE_MS),
                limits.millis(ERA_PROBE_MS));
    }
}
