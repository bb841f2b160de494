package dev.fusebox.gateway.share;

import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What a connector says first. Immutable.
///
/// @param release that the connector runs
/// @param config the real path of the configuration file
/// @param folder the working folder of its client
/// @param expose what its client sees; null for what the file says
/// @param profile the profile that its client chose; null for none
/// @param former the gateway that its client had before; null if it had none
record Hello(
        Release release,
        String config,
        String folder,
        @Nullable String expose,
        @Nullable String profile,
        @Nullable FormerGateway former) {
    /// Changes with what the two sides say to each other. A gateway refuses what it does not know.
    static final int LINK_VERSION = 1;

    byte[] bytes() {
        JsonWriter json = new JsonWriter().beginObject();
        json.name("link").number(LINK_VERSION);
        json.name("version").string(release.version());
        json.name("build").string(release.build());
        json.name("builtMs").number(release.builtMs());
        json.name("config").string(config);
        json.name("folder").string(folder);
        json.name("expose").string(expose);
        json.name("profile").string(profile);
        json.name("resumed").bool(former != null);
        if (former != null) {
            if (former.process() != null) {
                json.name("formerProcess").number(former.process());
            }
            json.name("stateful").beginArray();
            former.stateful().forEach(json::string);
            json.endArray();
        }
        return json.endObject().bytes();
    }

    /// Null if it is none, or one of another link version.
    static @Nullable Hello read(byte[] line) {
        JsonView json;
        try {
            json = JsonView.parse(line);
        } catch (JsonSyntaxError noHello) {
            return null;
        }
        JsonView link = json.member("link");
        String config = json.string("config");
        String folder = json.string("folder");
        Release release = release(json);
        if (link == null
                || !link.json().equals(Integer.toString(LINK_VERSION))
                || config == null
                || folder == null
                || release == null) {
            return null;
        }
        JsonView resumed = json.member("resumed");
        return new Hello(
                release,
                config,
                folder,
                json.string("expose"),
                json.string("profile"),
                resumed != null && resumed.isTrue()
                        ? new FormerGateway(number(json, "formerProcess"), texts(json.member("stateful")))
                        : null);
    }

    /// Null if there is none: those of earlier releases do not say it.
    static @Nullable Long number(JsonView json, String name) {
        JsonView number = json.member(name);
        return number == null || !number.json().matches("\\d{1,18}") ? null : Long.valueOf(number.json());
    }

    /// Connectors of earlier releases name no servers.
    private static List<String> texts(@Nullable JsonView list) {
        List<JsonView> elements = list == null ? List.of() : list.elements();
        return elements.stream().map(JsonView::string).filter(Objects::nonNull).toList();
    }

    static @Nullable Release release(JsonView json) {
        String version = json.string("version");
        String build = json.string("build");
        Long built = number(json, "builtMs");
        return version == null || build == null || built == null ? null : new Release(version, build, built);
    }
}
