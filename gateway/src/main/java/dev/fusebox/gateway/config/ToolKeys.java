package dev.fusebox.gateway.config;

import java.util.List;
import java.util.Map;

/// The keys of `tools` of a server.
final class ToolKeys {
    static final Key<List<String>> INCLUDE = Key.of(
            "include",
            ListKind.of(new Kind.Text()),
            "[\"*\"]",
            "The tools that clients see, by their own names; `*` stands for any characters.");
    static final Key<List<String>> EXCLUDE =
            Key.of("exclude", ListKind.of(new Kind.Text()), "[]", "Tools that they do not see; wins over `include`.");
    static final Key<Map<String, String>> RENAME = Key.of(
            "rename",
            new MapKind<>("tools", new Kind.Text()),
            "{}",
            "Other names for tools: `{\"own\": \"shown\"}`. `include` and `exclude` mean their own.");

    static final List<Key<?>> ALL = List.of(INCLUDE, EXCLUDE, RENAME);

    private ToolKeys() {}
}
