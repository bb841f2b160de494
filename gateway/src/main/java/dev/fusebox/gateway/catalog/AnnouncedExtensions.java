package dev.fusebox.gateway.catalog;

import dev.fusebox.protocol.ExtensionIdentifier;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The protocol extensions that a server or a client announces, with the settings of each
/// (`capabilities.extensions`, revision 2026-07-28, section "Extensions"). Immutable.
///
/// @param settings by the identifier of the extension
public record AnnouncedExtensions(Map<String, JsonView> settings) {
    /// The extension MCP Apps.
    public static final String UI = "io.modelcontextprotocol/ui";

    /// The extension Skills.
    public static final String SKILLS = "io.modelcontextprotocol/skills";

    /// The extension Tasks.
    public static final String TASKS = "io.modelcontextprotocol/tasks";

    public static final AnnouncedExtensions NONE = new AnnouncedExtensions(Map.of());

    /// The capability that holds them.
    public static final String CAPABILITY = "extensions";

    /// More than any implementation has; further ones are ignored.
    private static final int MAX_EXTENSIONS = 64;

    /// Settings are a few words; longer ones are ignored with their extension.
    private static final int MAX_SETTINGS = 4_096;

    public AnnouncedExtensions {
        settings = Collections.unmodifiableMap(new TreeMap<>(settings));
    }

    /// Reads the extensions in the capabilities of a server or a client. What is not valid is ignored.
    public static AnnouncedExtensions in(@Nullable JsonView capabilities) {
        JsonView announced = capabilities == null ? null : capabilities.member(CAPABILITY);
        return announced == null ? NONE : of(announced);
    }

    /// Reads an object with the settings by identifier.
    private static AnnouncedExtensions of(JsonView announced) {
        Map<String, JsonView> settings = new TreeMap<>();
        announced.forEachMember((name, value) -> {
            boolean isValid = ExtensionIdentifier.isValid(name) && value.isObject() && value.length() <= MAX_SETTINGS;
            if (isValid && settings.size() < MAX_EXTENSIONS) {
                settings.putIfAbsent(name, value.copy());
            }
        });
        return settings.isEmpty() ? NONE : new AnnouncedExtensions(settings);
    }

    public boolean has(String identifier) {
        return settings.containsKey(identifier);
    }

    /// Whether a setting of an extension is `true`.
    public boolean isSet(String identifier, String setting) {
        JsonView ofExtension = settings.get(identifier);
        JsonView value = ofExtension == null ? null : ofExtension.member(setting);
        return value != null && value.isTrue();
    }

    /// The object with the settings by identifier.
    public String json() {
        JsonWriter json = new JsonWriter().beginObject();
        settings.forEach((identifier, value) -> json.name(identifier).raw(value));
        return json.endObject().toString();
    }
}
