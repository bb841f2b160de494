package dev.fusebox.oauth.protocol;

import dev.fusebox.protocol.JsonWriter;
import java.net.URI;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Metadata of an authorization server (RFC 8414, 2; OpenID Connect Discovery 1.0, 3). Immutable; nothing blocks.
///
/// @param issuer its identifier, compared as a string
/// @param location where the document was found, or would be
/// @param isAssumed whether there is no document, and the endpoints are the default ones of revision 2025-03-26
public record IssuerMetadata(
        String issuer, URI location, boolean isAssumed, Endpoints endpoints, Capabilities capabilities) {
    private static final String S256 = "S256";

    /// The parameters of an authorization request.
    private static final Set<String> OWN_PARAMETERS = Set.of(
            "response_type",
            "client_id",
            "redirect_uri",
            "scope",
            "state",
            "code_challenge",
            "code_challenge_method",
            "resource");

    /// URLs of a server; null where it has no such endpoint. Immutable.
    public record Endpoints(
            @Nullable URI authorization,
            URI token,
            @Nullable URI registration,
            @Nullable URI deviceAuthorization,
            @Nullable URI revocation) {}

    /// What a server supports. Immutable.
    ///
    /// @param scopes empty if it does not say
    /// @param authenticationMethods of the token endpoint; null if it does not say
    /// @param signingAlgorithms of assertions for the token endpoint; empty if it does not say
    /// @param challengeMethods of PKCE; empty if it does not say
    /// @param hasClientIdDocuments whether a client may name itself by the URL of its metadata document
    /// @param announcesIssuer whether every authorization response contains `iss`
    public record Capabilities(
            Set<String> scopes,
            @Nullable Set<String> authenticationMethods,
            Set<String> signingAlgorithms,
            Set<String> challengeMethods,
            boolean hasClientIdDocuments,
            boolean announcesIssuer) {
        /// Nothing is known.
        static final Capabilities UNKNOWN = new Capabilities(Set.of(), null, Set.of(), Set.of(), false, false);
    }

    /// Whether logins with PKCE are possible. Servers without metadata have to support it (2025-03-26).
    public boolean hasS256() {
        return isAssumed || capabilities.challengeMethods().contains(S256);
    }

    /// Whether the scope is among those that the server announces.
    public boolean supports(String scope) {
        return capabilities.scopes().contains(scope);
    }

    static IssuerMetadata read(URI location, byte[] document) throws InvalidMetadata {
        MetadataReader reader = MetadataReader.of(document);
        URI token = reader.url("token_endpoint");
        if (token == null) {
            throw new InvalidMetadata("token_endpoint is missing");
        }
        Endpoints endpoints = new Endpoints(
                authorization(reader),
                token,
                reader.url("registration_endpoint"),
                reader.url("device_authorization_endpoint"),
                reader.url("revocation_endpoint"));
        List<String> methods = reader.texts("token_endpoint_auth_methods_supported");
        Capabilities capabilities = new Capabilities(
                set(reader.texts("scopes_supported")),
                methods == null ? null : Set.copyOf(methods),
                set(reader.texts("token_endpoint_auth_signing_alg_values_supported")),
                set(reader.texts("code_challenge_methods_supported")),
                reader.isTrue("client_id_metadata_document_supported"),
                reader.isTrue("authorization_response_iss_parameter_supported"));
        return new IssuerMetadata(reader.requiredText("issuer"), location, false, endpoints, capabilities);
    }

    /// A query of the endpoint is kept, and no parameter may be there twice (RFC 6749, 3.1).
    private static @Nullable URI authorization(MetadataReader reader) throws InvalidMetadata {
        URI endpoint = reader.url("authorization_endpoint");
        String query = endpoint == null ? null : endpoint.getQuery();
        for (String parameter : query == null ? new String[0] : query.split("&", -1)) {
            if (OWN_PARAMETERS.contains(parameter.replaceFirst("=.*", ""))) {
                throw new InvalidMetadata("authorization_endpoint has a parameter of the request in its query");
            }
        }
        return endpoint;
    }

    private static Set<String> set(@Nullable List<String> texts) {
        return texts == null ? Set.of() : Set.copyOf(texts);
    }

    /// The default endpoints of revision 2025-03-26.
    ///
    /// @param origin of the server, without a path
    static IssuerMetadata assumed(URI origin, URI location) {
        return new IssuerMetadata(
                origin.toString(),
                location,
                true,
                new Endpoints(
                        origin.resolve("/authorize"),
                        origin.resolve("/token"),
                        origin.resolve("/register"),
                        null,
                        null),
                Capabilities.UNKNOWN);
    }

    /// The members that this class reads, as a document.
    byte[] json() {
        JsonWriter writer = new JsonWriter().beginObject().name("issuer").string(issuer);
        write(writer, "authorization_endpoint", endpoints.authorization());
        write(writer, "token_endpoint", endpoints.token());
        write(writer, "registration_endpoint", endpoints.registration());
        write(writer, "device_authorization_endpoint", endpoints.deviceAuthorization());
        write(writer, "revocation_endpoint", endpoints.revocation());
        write(writer, "scopes_supported", capabilities.scopes());
        write(writer, "token_endpoint_auth_methods_supported", capabilities.authenticationMethods());
        write(writer, "token_endpoint_auth_signing_alg_values_supported", capabilities.signingAlgorithms());
        write(writer, "code_challenge_methods_supported", capabilities.challengeMethods());
        writer.name("client_id_metadata_document_supported").bool(capabilities.hasClientIdDocuments());
        writer.name("authorization_response_iss_parameter_supported").bool(capabilities.announcesIssuer());
        return writer.endObject().bytes();
    }

    private static void write(JsonWriter writer, String name, @Nullable URI value) {
        if (value != null) {
            writer.name(name).string(value.toString());
        }
    }

    private static void write(JsonWriter writer, String name, @Nullable Collection<String> values) {
        if (values != null) {
            writer.name(name).beginArray();
            values.stream().sorted().forEach(writer::string);
            writer.endArray();
        }
    }
}
