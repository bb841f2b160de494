package dev.fusebox.config;

import dev.fusebox.config.ValueType.Text;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The section `tools` of a server.
final class ToolSection {
    static final SectionType SECTION = new SectionType("tools", "tools of a server", Set.of(), List.of());

    static final ConfigKey<List<String>> INCLUDE = SECTION.key(
            "include",
            ListType.of(new Text()),
            "[\"*\"]",
            "The tools that clients see, by the server's own names; `*` stands for any characters.");
    static final ConfigKey<List<String>> EXCLUDE = SECTION.key(
            "exclude",
            ListType.of(new Text()),
            "[]",
            "Tools that clients do not see; takes precedence over `include`.");
    static final ConfigKey<Map<String, String>> RENAME = SECTION.key(
            "rename",
            new MapType<>("tools", new Text()),
            "{}",
            "Other names for tools: `{\"own\": \"shown\"}`. `include` and `exclude` use the server's own" + " names.");

    private ToolSection() {}

    static ToolSettings read(ConfigSection tools) {
        Map<String, String> ownByShown = new HashMap<>();
        tools.value(RENAME).forEach((own, shown) -> {
            String other = ownByShown.putIfAbsent(shown, own);
            if (other != null) {
                tools.at(RENAME)
                        .error("exposes " + PrintableText.quoted(other) + " and " + PrintableText.quoted(own)
                                + " under the same name, " + PrintableText.quoted(shown));
            }
        });
        return new ToolSettings(tools.value(INCLUDE), tools.value(EXCLUDE), tools.value(RENAME));
    }
}
