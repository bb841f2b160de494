package dev.fusebox.testkit.server;

/// Something a call wants to know from its client.
///
/// @param key tells the questions of one call apart
/// @param params JSON
/// @param stateful whether the server wants back what it knew when it asked, as far as the era knows such a thing
record ClientQuestion(String key, String method, String params, boolean stateful) {
    /// Asks the user.
    static ClientQuestion elicit(String key, String message, String schema) {
        String params = "{\"message\":" + ToolContent.quoted(message) + ",\"requestedSchema\":" + schema + "}";
        return new ClientQuestion(key, "elicitation/create", params, false);
    }

    /// Asks the client's model.
    static ClientQuestion sample(String key, String prompt) {
        String params =
                "{\"messages\":[{\"role\":\"user\",\"content\":" + ToolContent.text(prompt) + "}],\"maxTokens\":100}";
        return new ClientQuestion(key, "sampling/createMessage", params, false);
    }

    /// Asks for the client's roots.
    static ClientQuestion roots(String key) {
        return new ClientQuestion(key, "roots/list", "{}", false);
    }

    /// The same, and the server wants its state back with the answer.
    ClientQuestion withState() {
        return new ClientQuestion(key, method, params, true);
    }

    /// What a client must be able to do to answer this.
    String capability() {
        return method.substring(0, method.indexOf('/'));
    }

    /// As JSON, without an id.
    String request() {
        return "{\"method\":" + ToolContent.quoted(method) + ",\"params\":" + params + "}";
    }
}
