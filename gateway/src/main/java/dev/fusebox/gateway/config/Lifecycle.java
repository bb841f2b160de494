package dev.fusebox.gateway.config;

/// How long a server stays when it has nothing to do, in a word.
enum Lifecycle {
    KEEP_ALIVE("keep-alive"),
    EPHEMERAL("ephemeral");

    private final String word;

    Lifecycle(String word) {
        this.word = word;
    }

    /// As it is written in a file.
    String word() {
        return word;
    }
}
