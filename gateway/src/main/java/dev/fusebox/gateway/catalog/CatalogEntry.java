package dev.fusebox.gateway.catalog;

import dev.fusebox.protocol.HiddenCharacters;
import dev.fusebox.protocol.JsonView;
import org.jspecify.annotations.Nullable;

/// One tool, resource, template or prompt that a server lists. Immutable.
///
/// @param own the server's own name or URI for it
/// @param definition as the server returned it
public record CatalogEntry(String own, JsonView definition) {
    /// Rough number of characters per token in English text and JSON.
    private static final int CHARACTERS_A_TOKEN = 4;

    /// Null if the entry is unusable: it has no name, or it is a tool without an input schema or with invisible
    /// characters in its name.
    static @Nullable CatalogEntry of(CatalogKind kind, JsonView element) {
        String own = element.string(kind.key());
        JsonView schema = element.member("inputSchema");
        boolean isWhole =
                kind != CatalogKind.TOOLS || (schema != null && schema.isObject() && !isNameHidden(kind, element));
        return own == null || !isWhole ? null : new CatalogEntry(own, element.copy());
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
        return Math.ceilDiv(definition.length(), CHARACTERS_A_TOKEN);
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
