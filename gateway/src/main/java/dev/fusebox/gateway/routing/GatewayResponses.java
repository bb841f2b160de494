package dev.fusebox.gateway.routing;

import dev.fusebox.gateway.catalog.AnnouncedExtensions;
import dev.fusebox.gateway.catalog.CatalogKind;
import dev.fusebox.protocol.JsonWriter;
import org.jspecify.annotations.Nullable;

/// Responses of the gateway itself, as JSON. Pure functions; nothing blocks.
final class GatewayResponses {
    private static final String OF_TOOLS = "{\"tools\":{\"listChanged\":true},\"logging\":{}}";

    private static final String OF_ALL = "{\"tools\":{\"listChanged\":true},\"prompts\":{\"listChanged\":true},"
            + "\"resources\":{\"subscribe\":true,\"listChanged\":true},\"completions\":{},\"logging\":{}}";

    /// Zero cache time: lists change whenever a server does.
    private static final long KEPT_MILLIS = 0;

    private GatewayResponses() {}

    static String capabilities(ExposurePolicy exposurePolicy) {
        return exposurePolicy.hasAll() ? OF_ALL : OF_TOOLS;
    }

    /// The capabilities with extensions. What apps and skills consist of is read as resources, even where none are
    /// listed (extension Skills, section "Capability Negotiation").
    static String capabilities(ExposurePolicy exposurePolicy, AnnouncedExtensions extensions) {
        if (extensions.equals(AnnouncedExtensions.NONE)) {
            return capabilities(exposurePolicy);
        }
        String usual = capabilities(exposurePolicy);
        String resources = exposurePolicy.hasAll() ? "" : "\"resources\":{},";
        return "{" + resources + "\"" + AnnouncedExtensions.CAPABILITY + "\":" + extensions.json() + ","
                + usual.substring(1);
    }

    /// The result of `server/discover`.
    ///
    /// @param capabilities of the gateway
    /// @param instructions null for none
    static String discovered(String capabilities, @Nullable String instructions) {
        JsonWriter result = new JsonWriter().beginObject().name("resultType").string("complete");
        result.name("supportedVersions").beginArray().string("2026-07-28").endArray();
        result.name("capabilities").raw(capabilities);
        if (instructions != null) {
            result.name("instructions").string(instructions);
        }
        result.name("_meta").beginObject().name("io.modelcontextprotocol/serverInfo");
        result.raw("{\"name\":\"fusebox\",\"version\":\"0.1\"}").endObject();
        result.name("ttlMs").number(KEPT_MILLIS).name("cacheScope").string("private");
        return result.endObject().toString();
    }

    /// The result of a list request.
    static String listed(CatalogKind kind, ListPages.Page page, boolean inSession) {
        JsonWriter result = new JsonWriter().beginObject().name(kind.member()).raw(page.items());
        if (page.next() != null) {
            result.name("nextCursor").string(page.next());
        }
        if (!inSession) {
            result.name("resultType").string("complete");
            result.name("ttlMs").number(KEPT_MILLIS).name("cacheScope").string("private");
        }
        return result.endObject().toString();
    }
}
