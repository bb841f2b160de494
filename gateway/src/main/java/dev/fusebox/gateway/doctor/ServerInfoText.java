package dev.fusebox.gateway.doctor;

import dev.fusebox.protocol.JsonView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What servers say of themselves when they are greeted, in a few words. Pure functions.
final class ServerInfoText {
    private static final int MOST_CHARACTERS = 60;
    private static final String INFO = "io.modelcontextprotocol/serverInfo";

    private ServerInfoText() {}

    /// Revision, name and version, and what it can do.
    static String words(JsonView welcome) {
        JsonView old = welcome.member("serverInfo");
        JsonView info = old == null ? welcome.path("_meta", INFO) : old;
        String name = text(info, "name") + " " + text(info, "version");
        return revision(welcome) + ", " + (name.isBlank() ? "no name" : name.strip()) + ", offers " + offers(welcome);
    }

    private static String revision(JsonView welcome) {
        String one = welcome.string("protocolVersion");
        JsonView several = welcome.member("supportedVersions");
        if (one != null || several == null || !several.isArray()) {
            return one == null ? "no revision" : plain(one);
        }
        return String.join(
                " ",
                several.elements().stream().map(each -> plain(each.string())).toList());
    }

    private static String offers(JsonView welcome) {
        JsonView capabilities = welcome.member("capabilities");
        List<String> names = new ArrayList<>();
        if (capabilities != null && capabilities.isObject()) {
            capabilities.forEachMember((name, value) -> names.add(plain(name)));
        }
        return names.isEmpty() ? "nothing" : String.join(" ", names);
    }

    private static String text(@Nullable JsonView info, String member) {
        return info == null ? "" : plain(info.string(member));
    }

    private static String plain(@Nullable String text) {
        String clean = text == null ? "" : text.replaceAll("\\p{C}", " ");
        return clean.substring(0, Math.min(MOST_CHARACTERS, clean.length()));
    }
}
