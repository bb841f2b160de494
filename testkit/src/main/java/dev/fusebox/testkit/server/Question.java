package dev.fusebox.testkit.server;

/// Something a call wants to know from its client.
///
/// @param key tells the questions of one call apart
/// @param params JSON
/// @param stateful whether the server wants back what it knew when it asked, as far as the era knows such a thing
record Question(String key, String method, String params, boolean stateful) {
    /// Asks the user.
    static Question elicit(String key, String message, String schema) {
        String params = "{\"message\":" + Content.quoted(message) + ",\"requestedSchema\":" + schema + "}";
        return new Question(key, "elicitation/create", params, false);
    }

    /// Asks the client's model.
    static Question sample(String key, String prompt) {
        String params =
                "{\"messages\":[{\"role\":\"user\",\"content\":" + Content.text(prompt) + "}],\"maxTokens\":100}";
        return new Question(key, "sampling/createMessage", params, false);
    }

    /// Asks for the client's roots.
    static Question roots(String key) {
        return new Question(key, "roots/list", "{}", false);
    }

    /// The same, and the server wants its state back with the answer.
    Question withState() {
        return new Question(key, method, params, true);
    }

    /// What a client must be able to do to answer this.
    String capability() {
        return method.substring(0, method.indexOf('/'));
    }

    /// As JSON, without an id.
    String request() {
        return "{\"method\":" + Content.quoted(method) + ",\"params\":" + params + "}";
    }
}
