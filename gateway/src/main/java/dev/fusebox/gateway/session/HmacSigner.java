package dev.fusebox.gateway.session;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.random.RandomGenerator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Signer of texts that clients return: HMAC with SHA-256, written in the characters of base64url.
/// Thread-safe; nothing blocks.
public final class HmacSigner {
    /// The length of a signature in characters.
    public static final int LENGTH = 43;

    /// As long as the signature (RFC 2104, section 3).
    public static final int KEY_BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    /// @param key of [#KEY_BYTES] bytes
    public HmacSigner(byte[] key) {
        if (key.length != KEY_BYTES) {
            throw new IllegalArgumentException("a key has " + KEY_BYTES + " bytes, not " + key.length);
        }
        this.key = new SecretKeySpec(key, ALGORITHM);
    }

    /// With a key of its own.
    ///
    /// @param secrets a source of unguessable numbers
    public static HmacSigner withRandomKey(RandomGenerator secrets) {
        byte[] random = new byte[KEY_BYTES];
        secrets.nextBytes(random);
        return new HmacSigner(random);
    }

    /// The signature of a text.
    public String signature(String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, impossible);
        }
    }

    /// Whether this is the signature of the text; takes the same time for every wrong one.
    public boolean isSigned(String text, String signature) {
        return MessageDigest.isEqual(
                signature(text).getBytes(StandardCharsets.US_ASCII), signature.getBytes(StandardCharsets.US_ASCII));
    }
}
