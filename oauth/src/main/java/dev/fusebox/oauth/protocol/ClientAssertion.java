package dev.fusebox.oauth.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.client.ErrorId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;

/// Signer of assertions in place of a client secret (RFC 7523, 3; RFC 7515), with ES256 or RS256. Immutable; reading
/// the key blocks on the disk.
final class ClientAssertion {
    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";
    private static final int MAX_FILE = 64 << 10;
    private static final int P256_BITS = 256;
    private static final int MIN_RSA_BITS = 2_048;
    private static final Base64.Encoder URL = Base64.getUrlEncoder().withoutPadding();

    private final PrivateKey key;
    private final String algorithm;

    private ClientAssertion(PrivateKey key, String algorithm) {
        this.key = key;
        this.algorithm = algorithm;
    }

    /// Reads a key file.
    ///
    /// @throws OAuthException if it has no usable key
    static ClientAssertion with(Path file) throws OAuthException {
        try (InputStream in = Files.newInputStream(file)) {
            String text = new String(in.readNBytes(MAX_FILE), UTF_8);
            int from = text.indexOf(BEGIN);
            int to = text.indexOf(END);
            if (from < 0 || to < from) {
                throw unusable(file, "it is not PKCS #8 in PEM; convert it with: openssl pkcs8 -topk8 -nocrypt");
            }
            return of(file, Base64.getMimeDecoder().decode(text.substring(from + BEGIN.length(), to)));
        } catch (IOException unreadable) {
            throw unusable(file, "it cannot be read");
        } catch (IllegalArgumentException noBase64) {
            throw unusable(file, "it is not base64");
        }
    }

    private static ClientAssertion of(Path file, byte[] encoded) throws OAuthException {
        for (String type : List.of("EC", "RSA")) {
            try {
                PrivateKey key = KeyFactory.getInstance(type).generatePrivate(new PKCS8EncodedKeySpec(encoded));
                return of(file, key);
            } catch (GeneralSecurityException otherType) {
                // Try the next type.
            }
        }
        throw unusable(file, "its key is neither EC nor RSA");
    }

    private static ClientAssertion of(Path file, PrivateKey key) throws OAuthException {
        if (key instanceof ECPrivateKey ec
                && ec.getParams().getCurve().getField().getFieldSize() == P256_BITS) {
            return new ClientAssertion(key, "ES256");
        }
        if (key instanceof RSAPrivateKey rsa && rsa.getModulus().bitLength() >= MIN_RSA_BITS) {
            return new ClientAssertion(key, "RS256");
        }
        throw unusable(file, "its key must be EC with the curve P-256, or RSA with 2048 bits or more");
    }

    private static OAuthException unusable(Path file, String reason) {
        return new OAuthException(ErrorId.LOGIN_FAILED, "cannot use oauth.privateKey " + file + ": " + reason);
    }

    /// `ES256` or `RS256`.
    String algorithm() {
        return algorithm;
    }

    /// The signed assertion.
    ///
    /// @param claims a JSON object
    String signed(String claims) throws OAuthException {
        String header = "{\"alg\":\"" + algorithm + "\",\"typ\":\"JWT\"}";
        String input = URL.encodeToString(header.getBytes(UTF_8)) + "." + URL.encodeToString(claims.getBytes(UTF_8));
        try {
            Signature signature = Signature.getInstance(
                    key instanceof ECPrivateKey ? "SHA256withECDSAinP1363Format" : "SHA256withRSA");
            signature.initSign(key);
            signature.update(input.getBytes(UTF_8));
            return input + "." + URL.encodeToString(signature.sign());
        } catch (GeneralSecurityException unusable) {
            throw new OAuthException(ErrorId.LOGIN_FAILED, "cannot sign with the key of oauth.privateKey");
        }
    }
}
