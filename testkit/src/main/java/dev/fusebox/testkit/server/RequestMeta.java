package dev.fusebox.testkit.server;

import dev.fusebox.protocol.JsonView;
import org.jspecify.annotations.Nullable;

/// What every request of the stateless era says of its client (2026-07-28, basic, `_meta`). Immutable.
///
/// @param version the revision that the request is written in
/// @param capabilities what the client can do
/// @param logLevel the least level it wants log messages of; empty for no messages at all
record RequestMeta(String version, JsonView capabilities, String logLevel) {
    private static final String PREFIX = "io.modelcontextprotocol/";
    static final String SERVER_INFO = PREFIX + "serverInfo";
    static final String SUBSCRIPTION_ID = PREFIX + "subscriptionId";

    private static final String VERSION = PREFIX + "protocolVersion";
    private static final String CAPABILITIES = PREFIX + "clientCapabilities";
    private static final String LOG_LEVEL = PREFIX + "logLevel";

    /// Whether a request is written in the manner of the stateless era, complete or not.
    static boolean isIn(@Nullable JsonView params) {
        JsonView meta = params == null ? null : params.member("_meta");
        return meta != null && (meta.member(VERSION) != null || meta.member(CAPABILITIES) != null);
    }

    /// Refuses a request that lacks what it must have.
    static RequestMeta of(@Nullable JsonView params) throws RpcError {
        JsonView meta = params == null ? null : params.member("_meta");
        String version = meta == null ? null : meta.string(VERSION);
        JsonView capabilities = meta == null ? null : meta.member(CAPABILITIES);
        if (meta == null || version == null) {
            throw RpcError.malformed("_meta." + VERSION + " is missing; this server speaks " + ModernCodec.REVISION);
        }
        if (capabilities == null || !capabilities.isObject()) {
            throw RpcError.malformed("_meta." + CAPABILITIES + " is missing");
        }
        return new RequestMeta(version, capabilities, level(meta));
    }

    private static String level(JsonView meta) throws RpcError {
        JsonView level = meta.member(LOG_LEVEL);
        String name = level == null ? "" : String.valueOf(level.string());
        if (level != null && !LegacyClientState.LEVELS.contains(name)) {
            throw RpcError.invalidParams("there is no log level '" + name + "', only " + LegacyClientState.LEVELS);
        }
        return name;
    }
}
