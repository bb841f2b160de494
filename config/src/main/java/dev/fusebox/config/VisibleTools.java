package dev.fusebox.config;

import java.util.List;

/// The tools that clients can see, find and call, as patterns of `server/tool` in which `*` stands for any
/// characters. Immutable.
///
/// @param exclude takes precedence
public record VisibleTools(List<String> include, List<String> exclude) {
    /// Every tool.
    public static final VisibleTools ALL = new VisibleTools(List.of("*"), List.of());

    public VisibleTools {
        include = List.copyOf(include);
        exclude = List.copyOf(exclude);
    }
}
