package dev.fusebox.search;

/// Names of tools as the index reads them, for tests in other packages. Stateless.
public final class ToolNames {
    private ToolNames() {}

    /// The parts of a name as separate words.
    public static String spaced(String name) {
        return Tokenizer.spaced(name);
    }
}
