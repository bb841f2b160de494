package dev.fusebox.gateway.config;

import static dev.fusebox.gateway.config.ForeignKey.accepted;
import static dev.fusebox.gateway.config.ForeignKey.refused;

import java.util.List;

/// What clients write into a server of theirs. Passed over is only what changes nothing that the gateway does.
final class ForeignServerKeys {
    private static final String OF_THE_CLIENT = "means nothing here: whom to ask before a call is the client's matter";
    private static final String FOR_PEOPLE = "means nothing here: it is for people";

    static final List<ForeignKey> ALL = List.of(
            accepted(
                    "timeout",
                    "is not read: some clients mean seconds and some milliseconds; write \"timeoutMs\", in"
                            + " milliseconds"),
            accepted("alwaysAllow", OF_THE_CLIENT),
            accepted("autoApprove", OF_THE_CLIENT),
            accepted("trust", OF_THE_CLIENT),
            accepted("description", FOR_PEOPLE),
            accepted("name", "means nothing here: a server is called as the key says under which it stands"),
            accepted("icon", FOR_PEOPLE),
            accepted("gallery", FOR_PEOPLE),
            accepted("version", FOR_PEOPLE),
            accepted("dev", "means nothing here: Fusebox watches and debugs no server"),
            refused("transport", "is not read: write \"type\""),
            refused("transportType", "is not read: write \"type\""),
            refused("serverUrl", "is not read: write \"url\""),
            refused("httpUrl", "is not read: write \"url\""),
            refused("baseUrl", "is not read: write \"url\""),
            refused("enabled", "is not read: write \"disabled\", with the opposite value"),
            refused("isActive", "is not read: write \"disabled\", with the opposite value"),
            refused("envFile", "is not read: write the variables into \"env\", or their names into \"inheritEnv\""),
            refused("workingDirectory", "is not read: write \"cwd\""),
            refused("includeTools", "is not read: write \"tools\": {\"include\": [...]}"),
            refused("allowedTools", "is not read: write \"tools\": {\"include\": [...]}"),
            refused("excludeTools", "is not read: write \"tools\": {\"exclude\": [...]}"),
            refused("disabledTools", "is not read: write \"tools\": {\"exclude\": [...]}"));

    private ForeignServerKeys() {}
}
