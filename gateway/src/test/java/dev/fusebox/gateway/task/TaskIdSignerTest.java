package dev.fusebox.gateway.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.client.Principal;
import dev.fusebox.gateway.session.HmacSigner;
import dev.fusebox.platform.SecretIds;
import dev.fusebox.testkit.ManualTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A task id is accepted from the principal that it was issued to, unchanged, and as long as it is valid.
class TaskIdSignerTest {
    private static final Duration LIFE = Duration.ofDays(365);
    private static final Principal OTHER = new Principal("other");

    private final ManualTime time = new ManualTime();
    private final byte[] key = key();
    private final TaskIdSigner signer = signer(key);

    private static byte[] key() {
        RandomGenerator secrets = SecretIds.system();
        byte[] key = new byte[HmacSigner.KEY_BYTES];
        secrets.nextBytes(key);
        return key;
    }

    private TaskIdSigner signer(byte[] with) {
        return new TaskIdSigner(time.platform().wallClock(), new HmacSigner(with));
    }

    private TaskId id(String own) {
        Instant now = time.platform().wallClock().instant();
        return new TaskId("files", own, "run.4711", now, now.plus(LIFE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "7", "a.b", "two\nlines", "\u0000", "\ud83d\ude00", "t1.x.y", "\"quoted\""})
    void id_comes_back_as_it_was(String own) {
        TaskId id = id(own);
        String sealed = signer.sign(id, Principal.OWNER);
        assertThat(sealed).matches("[\\w.-]+");
        assertThat(signer.verify(sealed, Principal.OWNER)).isEqualTo(id);
    }

    @Test
    void id_survives_a_restart_of_the_gateway() {
        String sealed = signer.sign(id("7"), Principal.OWNER);
        assertThat(signer(key).verify(sealed, Principal.OWNER)).isEqualTo(id("7"));
    }

    @Test
    void id_of_another_principal_or_key_is_refused() {
        String sealed = signer.sign(id("7"), Principal.OWNER);
        assertThat(signer.verify(sealed, OTHER)).isNull();
        assertThat(signer(key()).verify(sealed, Principal.OWNER)).isNull();
    }

    @Test
    void id_is_valid_until_it_expires() {
        String sealed = signer.sign(id("7"), Principal.OWNER);
        time.advance(LIFE.minusMillis(1));
        assertThat(signer.verify(sealed, Principal.OWNER)).isNotNull();
        time.advance(Duration.ofMillis(1));
        assertThat(signer.verify(sealed, Principal.OWNER)).isNull();
    }

    @Test
    void id_of_ten_years_ago_is_refused() {
        Instant then = time.platform().wallClock().instant().minus(Duration.ofDays(3_652));
        String sealed = signer.sign(new TaskId("files", "7", "", then, then.plus(LIFE)), Principal.OWNER);
        assertThat(signer.verify(sealed, Principal.OWNER)).isNull();
    }

    @Test
    void forged_ids_are_refused() {
        String sealed = signer.sign(id("7"), Principal.OWNER);
        String[] parts = sealed.split("\\.", -1);
        String otherServer = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8)
                        .replace("files", "other")
                        .getBytes(StandardCharsets.UTF_8));
        List<String> forged = List.of(
                "",
                "7",
                "t1..",
                parts[1],
                parts[0] + "." + otherServer + "." + parts[2],
                parts[0] + "." + parts[1] + "." + "A".repeat(43),
                "t2." + parts[1] + "." + parts[2],
                sealed + "A",
                sealed.substring(1),
                sealed.toUpperCase(java.util.Locale.ROOT),
                "t1." + "A".repeat(100_000) + "." + parts[2]);
        assertThat(forged)
                .allSatisfy(one -> assertThat(signer.verify(one, Principal.OWNER))
                        .as(one.length() > 200 ? "a long one" : one)
                        .isNull());
    }

    /// Each changed character is noticed.
    @Test
    void changed_ids_are_refused() {
        String sealed = signer.sign(id("7"), Principal.OWNER);
        for (int i = 0; i < sealed.length() - 1; i++) {
            char other = sealed.charAt(i) == 'A' ? 'B' : 'A';
            String changed = sealed.substring(0, i) + other + sealed.substring(i + 1);
            assertThat(signer.verify(changed, Principal.OWNER)).as(changed).isNull();
        }
    }

    @Test
    void key_of_another_length_is_refused() {
        assertThatThrownBy(() -> signer(new byte[31])).isInstanceOf(IllegalArgumentException.class);
    }
}
