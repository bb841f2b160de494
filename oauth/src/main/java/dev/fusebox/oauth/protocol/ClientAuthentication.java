package dev.fusebox.oauth.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.client.ErrorId;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.SecretIds;
import dev.fusebox.protocol.JsonWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Authentication of this client in requests to an authorization server. Thread-safe; blocks on the disk if it reads
/// a key.
final class ClientAuthentication {
    private static final String JWT_BEARER = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
    private static final Duration ASSERTION_LIFETIME = Duration.ofMinutes(5);

    private final Platform platform;
    private final @Nullable Path privateKey;

    ClientAuthentication(Platform platform, @Nullable Path privateKey) {
        this.platform = platform;
        this.privateKey = privateKey;
    }

    /// Adds the client to a form.
    ///
    /// @return header fields to send with it
    Map<String, String> addTo(FormBody form, ClientRegistration client, IssuerMetadata issuer) throws OAuthException {
        switch (client.method()) {
            case CLIENT_SECRET_BASIC -> {
                return Map.of("Authorization", basic(client));
            }
            case CLIENT_SECRET_POST ->
                form.add("client_id", client.clientId()).add("client_secret", client.clientSecret());
            case PRIVATE_KEY_JWT ->
                form.add("client_id", client.clientId())
                        .add("client_assertion_type", JWT_BEARER)
                        .add("client_assertion", assertion(client, issuer));
            case NONE -> form.add("client_id", client.clientId());
        }
        return Map.of();
    }

    /// Both parts are encoded as in a form before they are joined (RFC 6749, 2.3.1).
    private static String basic(ClientRegistration client) {
        String secret = Objects.requireNonNullElse(client.clientSecret(), "");
        String pair = FormBody.encoded(client.clientId()) + ":" + FormBody.encoded(secret);
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(UTF_8));
    }

    /// The audience is the issuer: an assertion for the URL of an endpoint could be collected by another server that
    /// claims the same endpoint (draft-ietf-oauth-rfc7523bis).
    private String assertion(ClientRegistration client, IssuerMetadata issuer) throws OAuthException {
        if (privateKey == null) {
            throw new OAuthException(ErrorId.REGISTRATION_MISSING, "oauth.privateKey is missing");
        }
        ClientAssertion clientAssertion = ClientAssertion.with(privateKey);
        Set<String> supported = issuer.capabilities().signingAlgorithms();
        if (!supported.isEmpty() && !supported.contains(clientAssertion.algorithm())) {
            throw new OAuthException(
                    ErrorId.REGISTRATION_REFUSED,
                    "the authorization server " + issuer.issuer() + " does not accept signatures with "
                            + clientAssertion.algorithm() + ", the algorithm of the key in oauth.privateKey");
        }
        Instant now = platform.wallClock().instant();
        return clientAssertion.signed(new JsonWriter()
                .beginObject()
                .name("iss")
                .string(client.clientId())
                .name("sub")
                .string(client.clientId())
                .name("aud")
                .string(issuer.issuer())
                .name("jti")
                .string(id())
                .name("iat")
                .number(now.getEpochSecond())
                .name("exp")
                .number(now.plus(ASSERTION_LIFETIME).getEpochSecond())
                .endObject()
                .toString());
    }

    private static String id() {
        byte[] random = new byte[16];
        SecretIds.system().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }
}
