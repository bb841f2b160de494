package dev.fusebox.oauth.login;

import dev.fusebox.platform.SecretIds;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Collection;
import java.util.random.RandomGenerator;

/// One authorization request (RFC 6749, 4.1.1) with PKCE (RFC 7636), and what its response is checked against.
/// Immutable. Its text form contains neither state nor verifier.
///
/// @param state ties the response to this request; 256 random bits
/// @param verifier that redeems the code
/// @param redirectUri of the callback
/// @param issuer whose response is expected
/// @param announcesIssuer whether every response of the issuer contains `iss` (RFC 9207)
public record AuthorizationRequest(
        String state, String verifier, String redirectUri, String issuer, boolean announcesIssuer) {
    private static final int RANDOM_LONGS = 4;

    /// A request with a new state and verifier.
    public static AuthorizationRequest of(String redirectUri, String issuer, boolean announcesIssuer) {
        RandomGenerator random = SecretIds.system();
        return new AuthorizationRequest(secret(random), secret(random), redirectUri, issuer, announcesIssuer);
    }

    private static String secret(RandomGenerator random) {
        ByteBuffer bytes = ByteBuffer.allocate(RANDOM_LONGS * Long.BYTES);
        for (int i = 0; i < RANDOM_LONGS; i++) {
            bytes.putLong(random.nextLong());
        }
        return base64(bytes.array());
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /// The URL to open in a browser. A query of the endpoint is kept (RFC 6749, 3.1).
    ///
    /// @param scopes empty to request none
    public URI url(URI endpoint, String clientId, Collection<String> scopes, String resource) {
        StringBuilder url = new StringBuilder(endpoint.toString());
        url.append(endpoint.getRawQuery() == null ? '?' : '&').append("response_type=code");
        add(url, "client_id", clientId);
        add(url, "redirect_uri", redirectUri);
        add(url, "scope", String.join(" ", scopes));
        add(url, "state", state);
        add(url, "code_challenge", challenge());
        add(url, "code_challenge_method", "S256");
        add(url, "resource", resource);
        // OpenID Connect Core, 11: without consent the scope is ignored, and there is no refresh token.
        add(url, "prompt", scopes.contains("offline_access") ? "consent" : "");
        return URI.create(url.toString());
    }

    private static void add(StringBuilder url, String name, String value) {
        if (!value.isEmpty()) {
            url.append('&').append(name).append('=').append(URLEncoder.encode(value, StandardCharsets.UTF_8));
        }
    }

    private String challenge() {
        try {
            return base64(MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    @Override
    public String toString() {
        return "AuthorizationRequest[" + issuer + "]";
    }
}
