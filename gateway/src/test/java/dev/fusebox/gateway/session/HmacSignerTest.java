package dev.fusebox.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.platform.SecretIds;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class HmacSignerTest {
    private final HmacSigner signer = HmacSigner.withRandomKey(SecretIds.system());

    @Test
    void only_the_signature_of_the_same_text_and_key_is_valid() {
        String signature = signer.signature("text");
        assertThat(signature).hasSize(HmacSigner.LENGTH).matches("[\\w-]+");
        assertThat(signer.isSigned("text", signature)).isTrue();
        assertThat(signer.isSigned("texts", signature)).isFalse();
        assertThat(signer.isSigned("text", signature.substring(1))).isFalse();
        assertThat(signer.isSigned("text", "")).isFalse();
        assertThat(HmacSigner.withRandomKey(SecretIds.system()).isSigned("text", signature))
                .isFalse();
    }

    /// The key of test case 2 in RFC 4231, which zeros at the end do not change.
    @Test
    void signature_is_that_of_the_standard() {
        byte[] key = new byte[HmacSigner.KEY_BYTES];
        byte[] given = "Jefe".getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(given, 0, key, 0, given.length);
        assertThat(new HmacSigner(key).signature("what do ya want for nothing?"))
                .isEqualTo("W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM");
    }

    @Test
    void key_of_another_length_is_refused() {
        assertThatThrownBy(() -> new HmacSigner(new byte[16])).hasMessage("a key has 32 bytes, not 16");
    }
}
