package dev.fusebox.config;

import dev.fusebox.config.ValueType.Choice;
import dev.fusebox.config.ValueType.Flag;
import dev.fusebox.config.ValueType.Template;
import dev.fusebox.config.ValueType.Template.Written;
import dev.fusebox.config.ValueType.Text;
import dev.fusebox.config.ValueType.Whole;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.http.Origin;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The section `oauth` of a server: true, false, or an object. Immutable.
final class OAuthSection implements ValueType<OAuthSection.Setting> {
    /// The value as it stands in the file.
    ///
    /// @param isEnabled whether it is anything but `false`
    /// @param isObject whether it is an object
    /// @param keys of the object; empty if it is none
    record Setting(boolean isEnabled, boolean isObject, ConfigSection keys) {}

    /// Lower ports need privileges.
    private static final int LOWEST_PORT = 1024;

    static final SectionType SECTION = new SectionType("oauth", "oauth of a server", Set.of(), List.of());

    static final ConfigKey<Written> CLIENT_ID = SECTION.key(
            "clientId",
            new Template(),
            "",
            "The client that is registered with the authorization server. If left out, `clientMetadataUrl` or a"
                    + " registration by the gateway.");
    static final ConfigKey<Written> CLIENT_SECRET = SECTION.key(
            "clientSecret",
            new Template(),
            "",
            "The secret of `clientId`, best as `${secret:NAME}` or a variable. Not with `privateKey`.");
    static final ConfigKey<String> CLIENT_METADATA_URL = SECTION.key(
            "clientMetadataUrl",
            new ValidatedValueType<>(text(), OAuthSection::againstMetadataUrl, "https address with a path"),
            "",
            "The address of a client id metadata document, which servers that support it use instead of a"
                    + " registration. `http` only on this machine.");
    static final ConfigKey<String> PRIVATE_KEY = SECTION.key(
            "privateKey",
            text(),
            "",
            "A PEM file with the key by which the client authenticates (`private_key_jwt`); relative to this file.");
    static final ConfigKey<String> ISSUER = SECTION.key(
            "issuer",
            new ValidatedValueType<>(text(), OAuthSection::againstIdentifier, "http or https address"),
            "",
            "The only authorization server to use, as it names itself. If left out, the one that the server names.");
    static final ConfigKey<List<String>> SCOPES = SECTION.key(
            "scopes",
            ListType.of(new ValidatedValueType<>(text(), OAuthSection::againstScope, "scope")),
            "[]",
            "Scopes to request. If left out, those that the server asks for.");
    static final ConfigKey<String> RESOURCE = SECTION.key(
            "resource",
            new ValidatedValueType<>(text(), OAuthSection::againstIdentifier, "http or https address"),
            "",
            "The identifier of the server in requests for tokens. If left out, the one that it publishes, or its"
                    + " `url`.");
    static final ConfigKey<Long> REDIRECT_PORT = SECTION.key(
            "redirectPort",
            new ValidatedValueType<>(
                    new Whole(0, 65_535), OAuthSection::againstPort, "0, or whole number, 1024 to 65535"),
            "0",
            "The port on this machine to which the browser returns after a login, as it is registered with the"
                    + " authorization server; 0 for any free port.");
    static final ConfigKey<OAuthGrant> GRANT = SECTION.key(
            "grant",
            Choice.of(OAuthGrant.values(), grant -> grant.name().toLowerCase(Locale.ROOT)),
            "\"authorization_code\"",
            "`authorization_code`: a person logs in. `client_credentials`: the gateway logs in by itself; needs"
                    + " `clientId`, and `clientSecret` or `privateKey`.");

    @Override
    public @Nullable Setting read(JsonView value, SourceLocation location) {
        if (value.isObject()) {
            return new Setting(true, true, ConfigSection.read(SECTION, value, location));
        }
        if (!value.isTrue() && !value.json().equals("false")) {
            location.error("is neither true nor false nor an object");
            return null;
        }
        return new Setting(value.isTrue(), false, ConfigSection.empty(location));
    }

    @Override
    public String words() {
        return new Flag().words() + ", or object";
    }

    @Override
    public void describe(JsonWriter schema) {
        schema.name("anyOf").beginArray().beginObject();
        new Flag().describe(schema);
        schema.endObject().beginObject();
        schema.name("$ref").string("#/$defs/" + SECTION.label());
        schema.endObject().endArray();
    }

    private static ValueType<String> text() {
        return new ValidatedValueType<>(new Text(), ServerSection::againstVariables, "text");
    }

    private static @Nullable String againstMetadataUrl(String address) {
        String wrong = "is not the address of a client metadata document; it must be like"
                + " https://app.example/client.json, without a user and a fragment";
        URI uri = identifier(address);
        if (uri == null || uri.getPath() == null || uri.getPath().length() < 2) {
            return wrong;
        }
        Origin origin = Origin.of(uri);
        return "https".equalsIgnoreCase(uri.getScheme()) || (origin != null && origin.isHere())
                ? null
                : "is http, which is only allowed on this machine; it must be https";
    }

    private static @Nullable String againstIdentifier(String address) {
        return identifier(address) == null
                ? "is not an http or https address; it must be like https://auth.example, without a user and a fragment"
                : null;
    }

    /// Null if it is not an absolute address over HTTP.
    private static @Nullable URI identifier(String address) {
        try {
            URI uri = new URI(address);
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            boolean isHttp = scheme.equals("http") || scheme.equals("https");
            boolean isPlain = uri.getRawUserInfo() == null && uri.getRawFragment() == null;
            return isHttp && isPlain && uri.getHost() != null ? uri : null;
        } catch (URISyntaxException unreadable) {
            return null;
        }
    }

    /// The characters of a scope (RFC 6749, 3.3).
    private static @Nullable String againstScope(String scope) {
        boolean isScope = scope.chars().allMatch(c -> c > ' ' && c < 127 && c != '"' && c != '\\');
        return isScope ? null : "is not a scope; it has no spaces and quotes, and each scope is an element of its own";
    }

    private static @Nullable String againstPort(Long port) {
        return port == 0 || port >= LOWEST_PORT ? null : "is not 0 or a whole number from 1024 to 65535";
    }
}
