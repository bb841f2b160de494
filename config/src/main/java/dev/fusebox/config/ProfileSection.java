package dev.fusebox.config;

import dev.fusebox.config.ValueType.Choice;
import dev.fusebox.config.ValueType.Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The sections of `profiles`, one for each profile.
final class ProfileSection {
    static final SectionType SECTION = new SectionType("profile", "a profile", Set.of(), List.of());
    static final SectionType TOOLS = new SectionType("profileTools", "tools of a profile", Set.of(), List.of());

    static final ConfigKey<List<String>> SERVERS =
            SECTION.key("servers", ListType.of(new Text()), "", "The servers that the profile has; all if left out.");
    static final ConfigKey<ConfigSection> OF_TOOLS =
            SECTION.key("tools", new SectionValueType(TOOLS), "", "Those of their tools that the profile has.");
    static final ConfigKey<Expose> EXPOSE = SECTION.key(
            "expose", Choice.of(Expose.values()), "", "What clients see of them; if left out, as for all clients.");

    static final ConfigKey<List<String>> INCLUDE = TOOLS.key(
            "include",
            ListType.of(new Text()),
            "[\"*\"]",
            "The tools of the profile, as `server/tool` with the server's own names; `*` stands for any characters.");
    static final ConfigKey<List<String>> EXCLUDE = TOOLS.key(
            "exclude",
            ListType.of(new Text()),
            "[]",
            "Tools that the profile does not have; takes precedence over `include`.");

    private ProfileSection() {}

    /// @param ids of all servers
    static Map<String, ProfileConfig> read(@Nullable Map<String, ConfigSection> sections, Set<String> ids) {
        Map<String, ProfileConfig> profiles = new LinkedHashMap<>();
        if (sections != null) {
            sections.forEach((name, section) -> profiles.put(name, read(name, section, ids)));
        }
        return profiles;
    }

    private static ProfileConfig read(String name, ConfigSection section, Set<String> ids) {
        if (!name.matches("[A-Za-z0-9_.-]{1,64}")) {
            section.location()
                    .error("is named " + PrintableText.quoted(name)
                            + ": the name of a profile has up to 64 characters from A-Z a-z 0-9 _ . -");
        }
        ConfigSection tools = section.section(OF_TOOLS);
        return new ProfileConfig(
                servers(section, ids),
                new VisibleTools(tools.value(INCLUDE), tools.value(EXCLUDE)),
                section.written(EXPOSE));
    }

    private static @Nullable List<String> servers(ConfigSection section, Set<String> ids) {
        List<String> written = section.written(SERVERS);
        if (written == null) {
            return null;
        }
        List<String> servers = new ArrayList<>();
        for (String each : written) {
            String id = ServerName.of(each).id();
            if (ids.contains(id)) {
                servers.add(id);
            } else {
                section.at(SERVERS)
                        .error(
                                "names the server " + PrintableText.quoted(each) + ", which does not exist",
                                SpellingSuggestion.nearest(id, ids));
            }
        }
        return servers;
    }
}
