package dev.fusebox.oauth.protocol;

import dev.fusebox.protocol.JsonWriter;
import java.net.URI;
import java.util.List;

/// What this program says about itself to authorization servers (RFC 7591, 2): in a registration request, and in the
/// client id metadata document that an operator may host. Pure functions; nothing blocks.
public final class ClientMetadataDocument {
    static final String CLIENT_NAME = "Fusebox";
    private static final List<String> GRANTS = List.of("authorization_code", "refresh_token");
    private static final String DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code";

    private ClientMetadataDocument() {}

    /// The document to host.
    ///
    /// @param url where it will be hosted, and the client id at the same time
    /// @param redirectUris of callbacks; a server accepts any port of a loopback address (RFC 8252, 7.3)
    public static String hosted(URI url, List<String> redirectUris) {
        JsonWriter writer = new JsonWriter().beginObject().name("client_id").string(url.toString());
        return written(writer, redirectUris, true, ClientAuthMethod.NONE);
    }

    /// The body of a registration request.
    static String registered(String redirectUri, IssuerMetadata issuer) {
        ClientAuthMethod method = issuer.isAssumed()
                ? ClientAuthMethod.NONE
                : ClientAuthMethod.toRegister(issuer.capabilities().authenticationMethods());
        boolean hasDevices = issuer.endpoints().deviceAuthorization() != null;
        return written(new JsonWriter().beginObject(), List.of(redirectUri), hasDevices, method);
    }

    private static String written(
            JsonWriter writer, List<String> redirectUris, boolean hasDevices, ClientAuthMethod method) {
        writer.name("client_name").string(CLIENT_NAME);
        writer.name("application_type").string("native");
        writer.name("redirect_uris").beginArray();
        redirectUris.forEach(writer::string);
        writer.endArray().name("grant_types").beginArray();
        GRANTS.forEach(writer::string);
        if (hasDevices) {
            writer.string(DEVICE_CODE);
        }
        writer.endArray().name("response_types").beginArray().string("code").endArray();
        writer.name("token_endpoint_auth_method").string(method.id());
        return writer.endObject().toString();
    }
}
