package dev.fusebox.gateway.upstream;

import dev.fusebox.protocol.JsonView;
import org.jspecify.annotations.Nullable;

/// What servers list.
enum CatalogKind {
    TOOLS("tools", "tools/list", "tools", "name"),
    PROMPTS("prompts", "prompts/list", "prompts", "name"),
    RESOURCES("resources", "resources/list", "resources", "uri"),
    TEMPLATES("resources", "resources/templates/list", "resourceTemplates", "uriTemplate");

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

    /// The request that lists it.
    String method() {
        return method;
    }

    /// The list in the answer.
    String member() {
        return member;
    }

    /// What an item is called by.
    String key() {
        return key;
    }

    /// Whether a server with these capabilities lists it.
    boolean isOffered(@Nullable JsonView capabilities) {
        return capabilities != null && capabilities.member(capability) != null;
    }

    /// What clients are told when it changes.
    String changed() {
        return "notifications/" + capability + "/list_changed";
    }

    /// Whether items go by a name of ours, with the server in it; the others keep the address that servers give
    /// them.
    boolean isNamed() {
        return switch (this) {
            case TOOLS, PROMPTS -> true;
            case RESOURCES, TEMPLATES -> false;
        };
    }
}
