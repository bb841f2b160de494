package dev.fusebox.platform;

/// A signal that ends a process.
public enum Signal {
    /// Requests the end.
    TERM(15),
    /// Forces the end.
    KILL(9);

    private final int number;

    Signal(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
