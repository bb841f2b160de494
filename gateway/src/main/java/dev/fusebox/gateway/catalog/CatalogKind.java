package dev.fusebox.gateway.catalog;

import dev.fusebox.protocol.JsonView;
import org.jspecify.annotations.Nullable;

/// The kinds of entries that servers list.
public enum CatalogKind {
    TOOLS("tools", "tools/list", "tools", "name"),
    PROMPTS("prompts", "prompts/list", "prompts", "name"),
    RESOURCES("resources", "resources/list", "resources", "uri"),
    TEMPLATES("resources", "resources/templates/list", "resourceTemplates", "uriTemplate"),
    /// Skills (extension Skills, section "Listing Skills"). Their files are resources, and the extension has no change
    /// notification of its own.
    SKILLS("resources", "skills/list", "skills", "uri");

    private final String capability;
    private final String method;
    private final String member;
    private final String key;

    CatalogKind(String capability, String method, String member, String key) {
        this.capability = capability;
        this.method = method;
        this.member = member;
        this.key = key;
    }

    /// The method that lists entries of this kind.
    String method() {
        return method;
    }

    /// The member of the result that holds the list.
    public String member() {
        return member;
    }

    /// The word for one entry of this kind.
    public String noun() {
        return switch (this) {
            case TOOLS -> "tool";
            case PROMPTS -> "prompt";
            case RESOURCES -> "resource";
            case TEMPLATES -> "resource template";
            case SKILLS -> "skill";
        };
    }

    /// The member that identifies an entry.
    public String key() {
        return key;
    }

    /// Whether a server with these capabilities has this list.
    boolean isOffered(@Nullable JsonView capabilities) {
        return this == SKILLS
                ? AnnouncedExtensions.in(capabilities).has(AnnouncedExtensions.SKILLS)
                : capabilities != null && capabilities.member(capability) != null;
    }

    /// Whether a server with these capabilities sends a notification when this list changes.
    boolean isAnnounced(@Nullable JsonView capabilities) {
        // There is no notification of changed skills.
        JsonView announced =
                capabilities == null || this == SKILLS ? null : capabilities.path(capability, "listChanged");
        return announced != null && announced.isTrue();
    }

    /// The method of the change notification.
    public String changed() {
        return "notifications/" + capability + "/list_changed";
    }

    /// Whether entries get an exposed name that contains the server; others keep the URI that their server
    /// gives them.
    public boolean isNamed() {
        return switch (this) {
            case TOOLS, PROMPTS -> true;
            case RESOURCES, TEMPLATES, SKILLS -> false;
        };
    }
}
