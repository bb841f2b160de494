package dev.fusebox.breaker;

/** What a breaker stands in front of. */
public enum Scope {
    SERVER("server"),
    TOOL("tool");

    private final String label;

    Scope(String label) {
        this.label = label;
    }

    @Override
    public String toString() {
        return label;
    }
}
