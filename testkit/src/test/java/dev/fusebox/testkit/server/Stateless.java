package dev.fusebox.testkit.server;

/// Requests of the stateless era, as a client writes them.
final class Stateless {
    static final String REVISION = "2026-07-28";
    /// A client that can be asked everything.
    static final String ABLE = "{\"elicitation\":{},\"sampling\":{},\"roots\":{}}";

    private static final String PREFIX = "\"io.modelcontextprotocol/";

    private Stateless() {}

    /// The member `_meta`.
    ///
    /// @param more members of it, each with a comma in front
    static String meta(String revision, String capabilities, String more) {
        return "\"_meta\":{" + PREFIX + "protocolVersion\":\"" + revision + "\"," + PREFIX
                + "clientInfo\":{\"name\":\"test\",\"version\":\"1\"}," + PREFIX + "clientCapabilities\":"
                + capabilities
                + more + "}";
    }

    /// Parameters from a client that can be asked everything.
    ///
    /// @param members beside `_meta`, each with a comma in front
    static String params(String members) {
        return "{" + meta(REVISION, ABLE, "") + members + "}";
    }

    /// Parameters with more in `_meta`.
    static String paramsWith(String more, String members) {
        return "{" + meta(REVISION, ABLE, more) + members + "}";
    }

    static String logLevel(String level) {
        return "," + PREFIX + "logLevel\":\"" + level + "\"";
    }

    static String tool(String name, String arguments) {
        return ",\"name\":\"" + name + "\",\"arguments\":" + arguments;
    }

    static String request(int id, String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + params + "}";
    }
}
