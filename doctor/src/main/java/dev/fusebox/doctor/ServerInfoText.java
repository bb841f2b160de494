package dev.fusebox.doctor;

import dev.fusebox.protocol.JsonView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A summary of a server's response to the handshake. Pure functions.
final class ServerInfoText {
    private static final int MAX_CHARACTERS = 60;
    private static final String INFO = "io.modelcontextprotocol/serverInfo";

    private ServerInfoText() {}

    /// Revision, name and version, and capabilities.
    static String words(JsonView handshakeResult) {
        JsonView old = handshakeResult.member("serverInfo");
        JsonView info = old == null ? handshakeResult.path("_meta", INFO) : old;
        String name = text(info, "name") + " " + text(info, "version");
        return revision(handshakeResult) + ", " + (name.isBlank() ? "no name" : name.strip()) + ", offers "
                + offers(handshakeResult);
    }

    private static String revision(JsonView handshakeResult) {
        String one = handshakeResult.string("protocolVersion");
        JsonView several = handshakeResult.member("supportedVersions");
        if (one != null || several == null || !several.isArray()) {
            return one == null ? "no revision" : plain(one);
        }
        return String.join(
                " ",
                several.elements().stream().map(each -> plain(each.string())).toList());
    }

    private static String offers(JsonView handshakeResult) {
        JsonView capabilities = handshakeResult.member("capabilities");
        List<String> names = new ArrayList<>();
        if (capabilities != null && capabilities.isObject()) {
            capabilities.forEachMember((name, value) -> names.add(plain(name)));
        }
        return names.isEmpty() ? "nothing" : String.join(", ", names);
    }

    private static String text(@Nullable JsonView info, String member) {
        return info == null ? "" : plain(info.string(member));
    }

    private static String plain(@Nullable String text) {
        String clean = text == null ? "" : text.replaceAll("\\p{C}", " ");
        return clean.substring(0, Math.min(MAX_CHARACTERS, clean.length()));
    }
}
