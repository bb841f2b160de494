package dev.fusebox.config;

import dev.fusebox.config.OAuthSection.Setting;
import dev.fusebox.config.ValueType.Template.Written;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The reader of one server's login settings. Not thread-safe; a text with `${secret:NAME}` blocks on the store of
/// secrets.
///
/// @param server the section of the server
/// @param variableExpansion expands the texts of the client, and has them as secrets
/// @param folder that files are resolved against
record OAuthReader(ConfigSection server, VariableExpansion variableExpansion, Path folder) {
    OAuthConfig read() {
        Setting setting = server.value(ServerSection.OAUTH);
        if (!setting.isObject()) {
            return OAuthConfig.plain(setting.isEnabled());
        }
        ConfigSection keys = setting.keys();
        OAuthGrant grant = keys.value(OAuthSection.GRANT);
        checkClient(keys);
        checkGrant(keys, grant);
        warnOfHeader();
        String metadata = keys.written(OAuthSection.CLIENT_METADATA_URL);
        return new OAuthConfig(
                true,
                expanded(keys, OAuthSection.CLIENT_ID),
                secret(keys),
                metadata == null ? null : URI.create(metadata),
                privateKey(keys),
                keys.written(OAuthSection.ISSUER),
                keys.value(OAuthSection.SCOPES),
                keys.written(OAuthSection.RESOURCE),
                keys.number(OAuthSection.REDIRECT_PORT),
                grant);
    }

    // ---- Checks

    private static void checkClient(ConfigSection keys) {
        boolean hasId = keys.has(OAuthSection.CLIENT_ID);
        boolean hasMetadata = keys.has(OAuthSection.CLIENT_METADATA_URL);
        if (keys.has(OAuthSection.CLIENT_SECRET) && keys.has(OAuthSection.PRIVATE_KEY)) {
            keys.at(OAuthSection.PRIVATE_KEY)
                    .error("cannot be combined with \"clientSecret\": a client authenticates by one of them; remove"
                            + " the other");
        }
        if (!keys.isUnderstood()) {
            return;
        }
        if (keys.isSet(OAuthSection.CLIENT_SECRET) && !hasId) {
            keys.at(OAuthSection.CLIENT_SECRET)
                    .warn("has no effect without \"clientId\", the client that it belongs to");
        }
        if (keys.isSet(OAuthSection.PRIVATE_KEY) && !hasId && !hasMetadata) {
            keys.at(OAuthSection.PRIVATE_KEY)
                    .warn("has no effect without \"clientId\" or \"clientMetadataUrl\", the client that it belongs to");
        }
        if (hasMetadata && hasId) {
            keys.at(OAuthSection.CLIENT_METADATA_URL)
                    .warn("has no effect: \"clientId\" takes precedence; remove one of them");
        }
    }

    private static void checkGrant(ConfigSection keys, OAuthGrant grant) {
        if (grant != OAuthGrant.CLIENT_CREDENTIALS || !keys.isUnderstood()) {
            return;
        }
        if (!keys.has(OAuthSection.CLIENT_ID)) {
            keys.at(OAuthSection.GRANT).error("is \"client_credentials\", which needs \"clientId\"");
        }
        if (!keys.has(OAuthSection.CLIENT_SECRET) && !keys.has(OAuthSection.PRIVATE_KEY)) {
            keys.at(OAuthSection.GRANT)
                    .error("is \"client_credentials\", which needs \"clientSecret\" or \"privateKey\"");
        }
        if (keys.has(OAuthSection.REDIRECT_PORT)) {
            keys.at(OAuthSection.REDIRECT_PORT)
                    .warn("has no effect with \"grant\": \"client_credentials\", which uses no browser");
        }
    }

    private void warnOfHeader() {
        Map<String, Written> headers = server.value(ServerSection.HEADERS);
        headers.forEach((name, written) -> {
            if (name.equalsIgnoreCase("Authorization")) {
                written.location()
                        .warn("takes precedence over \"oauth\": the login is not used; remove the header to use it");
            }
        });
    }

    // ---- Values

    private @Nullable String secret(ConfigSection keys) {
        String secret = expanded(keys, OAuthSection.CLIENT_SECRET);
        if (secret != null) {
            variableExpansion.secrets().secret(secret);
        }
        return secret;
    }

    /// Null if it is absent, cannot be read, or has a missing variable.
    private @Nullable String expanded(ConfigSection keys, ConfigKey<Written> key) {
        Written written = keys.written(key);
        String text = written == null ? null : variableExpansion.expand(written);
        if (written != null && text != null && text.isEmpty()) {
            written.location().error("is empty");
            return null;
        }
        return text;
    }

    private @Nullable Path privateKey(ConfigSection keys) {
        String file = keys.written(OAuthSection.PRIVATE_KEY);
        try {
            return file == null ? null : folder.resolve(file);
        } catch (InvalidPathException unusable) {
            keys.at(OAuthSection.PRIVATE_KEY).error("cannot be used: " + unusable.getReason());
            return null;
        }
    }
}
