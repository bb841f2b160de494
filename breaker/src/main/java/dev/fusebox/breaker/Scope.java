package dev.fusebox.breaker;

/** What a breaker protects. */
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
