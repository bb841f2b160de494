package dev.fusebox.gateway.routing;

import dev.fusebox.gateway.catalog.AnnouncedExtensions;
import dev.fusebox.gateway.catalog.CatalogKind;
import dev.fusebox.protocol.JsonWriter;
import org.jspecify.annotations.Nullable;

/// Responses of the gateway itself, as JSON. Pure functions; nothing blocks.
final class GatewayResponses {
    private static final String OF_TOOLS = "{\"tools\":{\"listChanged\":true},\"logging\":{}}";

    /// Cut results are read as resources.
    private static final String OF_TOOLS_AND_RESULTS =
            "{\"tools\":{\"listChanged\":true},\"resources\":{},\"logging\":{}}";

    private static final String OF_ALL = "{\"tools\":{\"listChanged\":true},\"prompts\":{\"listChanged\":true},"
            + "\"resources\":{\"subscribe\":true,\"listChanged\":true},\"completions\":{},\"logging\":{}}";

    private GatewayResponses() {}

    static String capabilities(ExposurePolicy exposurePolicy, boolean hasLimitedResults) {
        return exposurePolicy.hasAll() ? OF_ALL : hasLimitedResults ? OF_TOOLS_AND_RESULTS : OF_TOOLS;
    }

    /// The capabilities with extensions. What apps and skills consist of is read as resources, even where none are
    /// listed (extension Skills, section "Capability Negotiation").
    static String capabilities(
            ExposurePolicy exposurePolicy, boolean hasLimitedResults, AnnouncedExtensions extensions) {
        String usual = capabilities(exposurePolicy, hasLimitedResults);
        if (extensions.equals(AnnouncedExtensions.NONE)) {
            return usual;
        }
        String resources = exposurePolicy.hasAll() || hasLimitedResults ? "" : "\"resources\":{},";
        return "{" + resources + "\"" + AnnouncedExtensions.CAPABILITY + "\":" + extensions.json() + ","
                + usual.substring(1);
    }

    /// The result of `server/discover`.
    ///
    /// @param capabilities of the gateway
    /// @param instructions null for none
    /// @param hint what the client may cache
    static String discovered(String capabilities, @Nullable String instructions, CacheHints.Hint hint) {
        JsonWriter result = new JsonWriter().beginObject().name("resultType").string("complete");
        result.name("supportedVersions").beginArray().string("2026-07-28").endArray();
        result.name("capabilities").raw(capabilities);
        if (instructions != null) {
            result.name("instructions").string(instructions);
        }
        result.name("_meta").beginObject().name("io.modelcontextprotocol/serverInfo");
        result.raw("{\"name\":\"fusebox\",\"version\":\"0.1\"}").endObject();
        hint.write(result);
        return result.endObject().toString();
    }

    /// The result of a list request.
    ///
    /// @param hint what the client may cache; null for a session
    static String listed(CatalogKind kind, ListPages.Page page, CacheHints.@Nullable Hint hint) {
        JsonWriter result = new JsonWriter().beginObject().name(kind.member()).raw(page.items());
        if (page.next() != null) {
            result.name("nextCursor").string(page.next());
        }
        if (hint != null) {
            result.name("resultType").string("complete");
            new CacheHints.Hint(hint.ttl(), page.isPublic()).write(result);
        }
        return result.endObject().toString();
    }
}
