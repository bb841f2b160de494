package dev.fusebox.gateway.catalog;

import dev.fusebox.gateway.result.TokenEstimate;
import dev.fusebox.protocol.HiddenCharacters;
import dev.fusebox.protocol.JsonView;
import org.jspecify.annotations.Nullable;

/// One tool, resource, template or prompt that a server lists. Immutable.
///
/// @param own the server's own name or URI for it
/// @param definition as the server returned it
/// @param ui what a tool's definition says about apps
public record CatalogEntry(String own, JsonView definition, ToolUi ui) {
    /// The specification recommends at most 128 characters; some servers exceed it.
    private static final int MAX_TOOL_NAME = 1_000;

    public CatalogEntry(String own, JsonView definition) {
        this(own, definition, ToolUi.of(definition));
    }

    /// Null if the entry is unusable: it has no name, or it is a tool without an input schema, with invisible
    /// characters in its name, or with a name longer than [#MAX_TOOL_NAME].
    static @Nullable CatalogEntry of(CatalogKind kind, JsonView element) {
        String own = element.string(kind.key());
        JsonView schema = element.member("inputSchema");
        if (own == null || own.isEmpty()) {
            return null;
        }
        boolean isCallable = schema != null && schema.isObject() && own.length() <= MAX_TOOL_NAME;
        boolean isUsable = kind != CatalogKind.TOOLS || (isCallable && !isNameHidden(kind, element));
        return isUsable ? new CatalogEntry(own, element.copy()) : null;
    }

    /// Whether it is a tool whose name contains invisible characters: a reader could not distinguish it from
    /// another tool.
    static boolean isNameHidden(CatalogKind kind, JsonView element) {
        String own = element.string(kind.key());
        return kind == CatalogKind.TOOLS && own != null && HiddenCharacters.hasHidden(own);
    }

    /// Estimated number of tokens of the definition.
    long tokens() {
        return tokens(definition);
    }

    public static long tokens(JsonView definition) {
        return TokenEstimate.of(definition.length());
    }

    /// Whether the tool's annotations declare it idempotent and nothing contradicts that.
    public boolean isRepeatable() {
        JsonView hints = definition.member("annotations");
        if (hints == null) {
            return false;
        }
        boolean reads = isTrue(hints.member("readOnlyHint"));
        boolean destroys = isTrue(hints.member("destructiveHint"));
        return reads ? !destroys : isTrue(hints.member("idempotentHint"));
    }

    private static boolean isTrue(@Nullable JsonView value) {
        return value != null && value.isTrue();
    }
}
