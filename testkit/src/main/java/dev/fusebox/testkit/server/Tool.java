package dev.fusebox.testkit.server;

/// One tool of a server.
///
/// @param schema of its arguments, JSON
/// @param extra further members of its entry in the list, JSON from the comma on; empty for none
record Tool(String name, String description, String schema, String extra, Body body) {
    static final String NO_ARGUMENTS = "{\"type\":\"object\",\"properties\":{}}";

    /// What a tool does. It runs on a thread of its own, which is interrupted when the call is cancelled.
    @FunctionalInterface
    interface Body {
        /// Gives the result, JSON.
        String run(Exchange exchange) throws NoResult, InterruptedException;
    }

    static Tool of(String name, String description, Body body) {
        return new Tool(name, description, NO_ARGUMENTS, "", body);
    }

    /// The same with arguments.
    Tool taking(String properties, String... required) {
        String must = required.length == 0 ? "" : ",\"required\":[\"" + String.join("\",\"", required) + "\"]";
        String withArguments = "{\"type\":\"object\",\"properties\":" + properties + must + "}";
        return new Tool(name, description, withArguments, extra, body);
    }

    /// The same with another schema.
    Tool under(String other) {
        return new Tool(name, description, other, extra, body);
    }

    /// The same with further members in its entry.
    Tool and(String members) {
        return new Tool(name, description, schema, extra + "," + members, body);
    }

    /// Its entry in the list of tools.
    String entry() {
        return "{\"name\":" + Content.quoted(name) + ",\"description\":" + Content.quoted(description)
                + ",\"inputSchema\":" + schema + extra + "}";
    }
}
