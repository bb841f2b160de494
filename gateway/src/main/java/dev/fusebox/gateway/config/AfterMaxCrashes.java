package dev.fusebox.gateway.config;

/// What becomes of a server that has crashed too often.
enum AfterMaxCrashes {
    /// Its next call starts it.
    ON_DEMAND("onDemand"),
    /// Its calls are refused until it is restarted, or its self-probe succeeds.
    STOP("stop");

    private final String word;

    AfterMaxCrashes(String word) {
        this.word = word;
    }

    String word() {
        return word;
    }
}
