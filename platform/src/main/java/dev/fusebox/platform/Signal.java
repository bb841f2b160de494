package dev.fusebox.platform;

/// A signal that ends a process.
public enum Signal {
    /// Asks.
    TERM(15),
    /// Does not ask.
    KILL(9);

    private final int number;

    Signal(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
