package dev.fusebox.gateway.upstream;

import dev.fusebox.protocol.HiddenCharacters;
import dev.fusebox.protocol.JsonView;
import org.jspecify.annotations.Nullable;

/// One thing that a server lists. Immutable.
///
/// @param own what its server calls it by: a name, or an address
/// @param definition as the server gave it
record CatalogEntry(String own, JsonView definition) {
    /// English text and JSON come to about so many characters a token.
    private static final int CHARACTERS_A_TOKEN = 4;

    /// Null if it cannot be used: nothing calls it by a name, or it is a tool without a schema for its
    /// arguments, or with a name that cannot be seen.
    static @Nullable CatalogEntry of(CatalogKind kind, JsonView element) {
        String own = element.string(kind.key());
        JsonView schema = element.member("inputSchema");
        boolean isWhole =
                kind != CatalogKind.TOOLS || (schema != null && schema.isObject() && !isNameHidden(kind, element));
        return own == null || !isWhole ? null : new CatalogEntry(own, element.copy());
    }

    /// Whether it is a tool whose name holds characters that are not seen: a reader could not tell it from
    /// another.
    static boolean isNameHidden(CatalogKind kind, JsonView element) {
        String own = element.string(kind.key());
        return kind == CatalogKind.TOOLS && own != null && HiddenCharacters.hasHidden(own);
    }

    /// That a model reads to know all of it, about.
    long tokens() {
        return tokens(definition);
    }

    static long tokens(JsonView definition) {
        return Math.ceilDiv(definition.length(), CHARACTERS_A_TOKEN);
    }

    /// Whether the tool says that doing it twice is the same as once, and does not say the opposite elsewhere.
    boolean isRepeatable() {
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
