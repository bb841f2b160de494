package dev.fusebox.gateway.catalog;

import java.util.List;

/// A filter of a server's tools: clients see those that an `include` pattern matches and no `exclude` pattern
/// does. In a pattern, `*` stands for any number of characters, and everything else for itself. Immutable.
public final class ToolFilter {
    private final List<GlobPattern> include;
    private final List<GlobPattern> exclude;

    /// Without `include` patterns nothing is visible.
    public ToolFilter(List<String> include, List<String> exclude) {
        this.include = include.stream().map(GlobPattern::of).toList();
        this.exclude = exclude.stream().map(GlobPattern::of).toList();
    }

    /// The filter that shows all tools.
    public static ToolFilter all() {
        return new ToolFilter(List.of("*"), List.of());
    }

    /// Whether clients see the tool with this own name.
    public boolean lets(String own) {
        return names(include, own) && !names(exclude, own);
    }

    private static boolean names(List<GlobPattern> globPatterns, String own) {
        return globPatterns.stream().anyMatch(globPattern -> globPattern.matches(own));
    }
}
