package dev.fusebox.oauth.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fusebox.client.ErrorId;
import dev.fusebox.oauth.protocol.ClientRegistration.Kind;
import dev.fusebox.protocol.JsonView;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a client sends to prove who it is.
class ClientAuthenticationTest {
    @TempDir
    Path folder;

    private static IssuerMetadata issuer(String rest) throws InvalidMetadata {
        String json = "{\"issuer\":\"https://as.test/t\",\"token_endpoint\":\"https://as.test/token\"" + rest + "}";
        return IssuerMetadata.read(URI.create("https://as.test/meta"), json.getBytes(UTF_8));
    }

    private static ClientRegistration client(String id, @Nullable String secret, ClientAuthMethod method) {
        return ClientRegistration.known(id, secret, method, Kind.CONFIGURED);
    }

    private static String text(FormBody form) {
        return new String(form.bytes(), UTF_8);
    }

    private Path pem(String type, byte[] key) throws Exception {
        String encoded = Base64.getMimeEncoder(64, "\n".getBytes(UTF_8)).encodeToString(key);
        return Files.writeString(
                folder.resolve("key.pem"),
                "-----BEGIN " + type + "-----\n" + encoded + "\n-----END " + type + "-----\n");
    }

    private static KeyPair pair(String algorithm, int bits) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        if (algorithm.equals("EC")) {
            generator.initialize(new ECGenParameterSpec("secp" + bits + "r1"));
        } else {
            generator.initialize(bits);
        }
        return generator.generateKeyPair();
    }

    @ParameterizedTest
    @CsvSource({"id, secret, id:secret", "a b, p%ss:w&rd, a+b:p%25ss%3Aw%26rd", "\u00e4, +, %C3%A4:%2B"})
    void basic_encodes_both_parts_like_a_form(String id, String secret, String pair) throws Exception {
        FormBody form = new FormBody();
        Map<String, String> headers = new ClientAuthentication(Login.PLATFORM, null)
                .addTo(form, client(id, secret, ClientAuthMethod.CLIENT_SECRET_BASIC), issuer(""));
        String value = headers.getOrDefault("Authorization", "");
        assertThat(value).startsWith("Basic ");
        assertThat(new String(Base64.getDecoder().decode(value.substring(6)), UTF_8))
                .isEqualTo(pair);
        assertThat(text(form)).isEmpty();
    }

    @Test
    void post_and_none_put_the_client_into_the_form() throws Exception {
        ClientAuthentication authentication = new ClientAuthentication(Login.PLATFORM, null);
        FormBody post = new FormBody();
        assertThat(authentication.addTo(post, client("a b", "s&t", ClientAuthMethod.CLIENT_SECRET_POST), issuer("")))
                .isEmpty();
        assertThat(text(post)).isEqualTo("client_id=a+b&client_secret=s%26t");
        FormBody none = new FormBody();
        assertThat(authentication.addTo(none, client("a b", "unused", ClientAuthMethod.NONE), issuer("")))
                .isEmpty();
        assertThat(text(none)).isEqualTo("client_id=a+b");
        assertThat(post).asString().doesNotContain("s&t");
    }

    @ParameterizedTest
    @CsvSource({"EC, 256, ES256, SHA256withECDSAinP1363Format", "RSA, 2048, RS256, SHA256withRSA"})
    void assertion_is_signed_for_the_issuer(String type, int bits, String algorithm, String signature)
            throws Exception {
        KeyPair pair = pair(type, bits);
        Path file = pem("PRIVATE KEY", pair.getPrivate().getEncoded());
        FormBody form = new FormBody();
        new ClientAuthentication(Login.PLATFORM, file)
                .addTo(form, client("me", null, ClientAuthMethod.PRIVATE_KEY_JWT), issuer(""));
        String assertion = URLDecoder.decode(text(form).replaceFirst(".*client_assertion=", ""), UTF_8);
        String[] parts = assertion.split("\\.", -1);
        JsonView header = json(parts[0]);
        JsonView claims = json(parts[1]);
        assertThat(header.string("alg")).isEqualTo(algorithm);
        assertThat(claims.string("iss")).isEqualTo("me");
        assertThat(claims.string("sub")).isEqualTo("me");
        assertThat(claims.string("aud")).isEqualTo("https://as.test/t");
        assertThat(claims.string("jti")).hasSize(32);
        long now = Instant.now().getEpochSecond();
        assertThat(Long.parseLong(String.valueOf(claims.member("exp")))).isBetween(now + 200, now + 310);
        Signature verifier = Signature.getInstance(signature);
        verifier.initVerify(pair.getPublic());
        verifier.update((parts[0] + "." + parts[1]).getBytes(UTF_8));
        assertThat(verifier.verify(Base64.getUrlDecoder().decode(parts[2]))).isTrue();
        assertThat(text(form))
                .contains("client_assertion_type=urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer");
    }

    private static JsonView json(String part) {
        return JsonView.of(new String(Base64.getUrlDecoder().decode(part), UTF_8));
    }

    private OAuthException failure(Path file, String rest) {
        return catchThrowableOfType(
                OAuthException.class,
                () -> new ClientAuthentication(Login.PLATFORM, file)
                        .addTo(new FormBody(), client("me", null, ClientAuthMethod.PRIVATE_KEY_JWT), issuer(rest)));
    }

    @ParameterizedTest
    @CsvSource({"EC, 384", "RSA, 1024"})
    void key_of_another_kind_is_refused(String type, int bits) throws Exception {
        Path file = pem("PRIVATE KEY", pair(type, bits).getPrivate().getEncoded());
        assertThat(failure(file, "")).hasMessageContaining("must be EC with the curve P-256");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "hello",
                "-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----",
                "-----BEGIN PRIVATE KEY-----\n=\n-----END PRIVATE KEY-----",
                "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----",
                "-----END PRIVATE KEY-----\nAAAA\n-----BEGIN PRIVATE KEY-----",
                "-----BEGIN PRIVATE KEY-----\nAAAA"
            })
    void file_without_a_key_is_refused_with_its_name(String content) throws Exception {
        Path file = Files.writeString(folder.resolve("key.pem"), content);
        assertThat(failure(file, ""))
                .returns(ErrorId.LOGIN_FAILED, OAuthException::id)
                .hasMessageContaining("key.pem");
    }

    @Test
    void missing_file_and_unsupported_algorithm_are_refused() throws Exception {
        assertThat(failure(folder.resolve("none.pem"), "")).hasMessageContaining("cannot be read");
        Path file = pem("PRIVATE KEY", pair("EC", 256).getPrivate().getEncoded());
        assertThat(failure(file, ",\"token_endpoint_auth_signing_alg_values_supported\":[\"RS256\"]"))
                .returns(ErrorId.REGISTRATION_REFUSED, OAuthException::id)
                .hasMessageContaining("ES256");
    }
}
