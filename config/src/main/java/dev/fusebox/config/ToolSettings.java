package dev.fusebox.config;

import java.util.List;
import java.util.Map;

/// Which tools of a server clients see, and under which names. Immutable.
///
/// @param include patterns of own names; `*` stands for any characters
/// @param exclude the same; takes precedence
/// @param rename own names with the names that are shown in their place
public record ToolSettings(List<String> include, List<String> exclude, Map<String, String> rename) {
    public ToolSettings {
        include = List.copyOf(include);
        exclude = List.copyOf(exclude);
        rename = Map.copyOf(rename);
    }
}
