package dev.fusebox.testkit.server;

/// One tool of a server.
///
/// @param schema of its arguments, JSON
/// @param extra further members of its entry in the list, JSON from the comma on; empty for none
record FixtureTool(String name, String description, String schema, String extra, Body body) {
    static final String NO_ARGUMENTS = "{\"type\":\"object\",\"properties\":{}}";

    /// What a tool does. It runs on a thread of its own, which is interrupted when the call is cancelled.
    @FunctionalInterface
    interface Body {
        /// Gives the result, JSON.
        String run(CallContext callContext) throws NoResult, InterruptedException;
    }

    static FixtureTool of(String name, String description, Body body) {
        return new FixtureTool(name, description, NO_ARGUMENTS, "", body);
    }

    /// The same with arguments.
    FixtureTool taking(String properties, String... required) {
        String must = required.length == 0 ? "" : ",\"required\":[\"" + String.join("\",\"", required) + "\"]";
        String withArguments = "{\"type\":\"object\",\"properties\":" + properties + must + "}";
        return new FixtureTool(name, description, withArguments, extra, body);
    }

    /// The same with another schema.
    FixtureTool under(String other) {
        return new FixtureTool(name, description, other, extra, body);
    }

    /// The same with further members in its entry.
    FixtureTool and(String members) {
        return new FixtureTool(name, description, schema, extra + "," + members, body);
    }

    /// Its entry in the list of tools.
    String entry() {
        return "{\"name\":" + ToolContent.quoted(name) + ",\"description\":" + ToolContent.quoted(description)
                + ",\"inputSchema\":" + schema + extra + "}";
    }
}
