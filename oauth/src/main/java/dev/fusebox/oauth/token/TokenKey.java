package dev.fusebox.oauth.token;

import dev.fusebox.client.Principal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// What tokens are bound to: they are never used with another issuer, resource or principal. Immutable.
///
/// @param issuer identifier of the authorization server, compared as a string
/// @param resource identifier of the protected resource, as sent in `resource`
public record TokenKey(String issuer, String resource, Principal principal) {
    /// A name that is different for each key: 64 hexadecimal digits.
    String hash() {
        String identity = issuer + "\n" + resource + "\n" + principal.id();
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(identity.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
