package dev.fusebox.gateway.config;

import java.util.List;
import java.util.Map;

/// The keys of `tools` of a server.
final class ToolKeys {
    static final ConfigKey<List<String>> INCLUDE = ConfigKey.of(
            "include",
            ListType.of(new ValueType.Text()),
            "[\"*\"]",
            "The tools that clients see, by their own names; `*` stands for any characters.");
    static final ConfigKey<List<String>> EXCLUDE = ConfigKey.of(
            "exclude", ListType.of(new ValueType.Text()), "[]", "Tools that they do not see; wins over `include`.");
    static final ConfigKey<Map<String, String>> RENAME = ConfigKey.of(
            "rename",
            new MapType<>("tools", new ValueType.Text()),
            "{}",
            "Other names for tools: `{\"own\": \"shown\"}`. `include` and `exclude` mean their own.");

    static final List<ConfigKey<?>> ALL = List.of(INCLUDE, EXCLUDE, RENAME);

    private ToolKeys() {}
}
