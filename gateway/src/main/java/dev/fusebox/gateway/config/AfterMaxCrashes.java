package dev.fusebox.gateway.config;

/// What calls meet whose server has used up its crash budget.
enum AfterMaxCrashes {
    /// The next call starts it, under its breaker.
    ON_DEMAND("onDemand"),
    /// Calls are refused until it is restarted, its configuration changes or its self-probe succeeds.
    STOP("stop");

    private final String word;

    AfterMaxCrashes(String word) {
        this.word = word;
    }

    String word() {
        return word;
    }
}
