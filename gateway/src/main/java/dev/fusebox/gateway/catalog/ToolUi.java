package dev.fusebox.gateway.catalog;

import dev.fusebox.protocol.JsonView;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What the metadata of a tool says about apps (extension MCP Apps, section "Resource Discovery"): the resource that
/// renders its results, and who may call it. Immutable.
///
/// @param resource URI of the resource; null if it has none
/// @param isForModels whether models see and call it
/// @param isForApps whether apps of its server call it
public record ToolUi(@Nullable String resource, boolean isForModels, boolean isForApps) {
    /// Of a tool that says nothing about apps.
    public static final ToolUi NONE = new ToolUi(null, true, true);

    /// The member of `_meta` with the URI in versions of the extension before the first stable one.
    public static final String FLAT_KEY = "ui/resourceUri";

    /// Reads the metadata in the definition of a tool.
    static ToolUi of(JsonView definition) {
        JsonView meta = definition.member("_meta");
        JsonView ui = meta == null ? null : meta.member("ui");
        String nested = ui == null ? null : ui.string("resourceUri");
        String given = nested == null && meta != null ? meta.string(FLAT_KEY) : nested;
        // Apps have addresses of this scheme only.
        String resource = given != null && given.startsWith("ui://") ? given : null;
        JsonView visibility = ui == null ? null : ui.member("visibility");
        if (visibility == null || !visibility.isArray()) {
            return resource == null ? NONE : new ToolUi(resource, true, true);
        }
        List<String> words = visibility.elements().stream()
                .map(JsonView::string)
                .filter(Objects::nonNull)
                .toList();
        return new ToolUi(resource, words.contains("model"), words.contains("app"));
    }

    /// Whether results of the tool are rendered for models' calls.
    public boolean isRendered() {
        return resource != null && isForModels;
    }
}
