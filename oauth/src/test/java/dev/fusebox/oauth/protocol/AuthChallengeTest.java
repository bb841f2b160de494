package dev.fusebox.oauth.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Values of WWW-Authenticate.
class AuthChallengeTest {
    private static AuthChallenge read(String... values) {
        return Objects.requireNonNull(AuthChallenge.of(List.of(values)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "Bearer resource_metadata=\"https://a.test/m\"",
                "bearer resource_metadata=\"https://a.test/m\"",
                "BEARER RESOURCE_METADATA=\"https://a.test/m\"",
                "Bearer  resource_metadata = \"https://a.test/m\"",
                "Bearer resource_metadata=https://a.test/m",
                "Bearer resource_metadata=https://a.test/m, scope=x",
                "Bearer realm=\"a, b\", resource_metadata=\"https://a.test/m\"",
                "Bearer realm=\"a \\\" Basic b=\", resource_metadata=\"https://a.test/m\"",
                "Bearer realm=\"x\" resource_metadata=\"https://a.test/m\"",
                "Basic realm=\"x\", Bearer resource_metadata=\"https://a.test/m\"",
                "Basic abc==, Bearer resource_metadata=\"https://a.test/m\"",
                "Negotiate, Bearer resource_metadata=\"https://a.test/m\"",
                "Negotiate a87421000492aa8==, Bearer resource_metadata=\"https://a.test/m\"",
                "Basic, Digest, Bearer resource_metadata=\"https://a.test/m\", Basic realm=\"y\"",
                "Bearer resource_metadata=\"https://a.test/m\", Basic resource_metadata=\"https://evil.test\"",
                "Basic resource_metadata=\"https://evil.test\", Bearer resource_metadata=\"https://a.test/m\"",
                "Bearer resource_metadata=\"https://a.test/m\", resource_metadata=\"https://evil.test\"",
                "Bearer error=\"invalid_token\", Bearer resource_metadata=\"https://a.test/m\"",
                ", , Bearer resource_metadata=\"https://a.test/m\",,",
                "Bearer resource_metadata=\"https://a.test/m\", scope=\"unfinished",
                "Bearer resource_metadata=\"https://a.test/m\", @",
                "Bearer resource_metadata=\"\\h\\t\\t\\p\\s://a.test/m\"",
                "Bearer a=\"\", resource_metadata=\"https://a.test/m\"",
                "Bearer realm=\"\u00e4\", resource_metadata=\"https://a.test/m\""
            })
    void resource_metadata_is_found(String value) {
        assertThat(read(value).resourceMetadata()).isEqualTo("https://a.test/m");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Bearer",
                "Bearer ",
                "Bearer,",
                "Bearer abc",
                "Bearer abc==",
                "Bearer resource_metadata",
                "Bearer resource_metadata=",
                "Bearer resource_metadata=,",
                "Bearer resource_metadata=\"https://a.test/m",
                "Bearer resource_metadata=\"https://a.test/m\\",
                "Bearer x_resource_metadata=\"https://a.test/m\"",
                "Bearer realm=\"resource_metadata=https://a.test/m\"",
                "Bearer @, resource_metadata=\"https://a.test/m\""
            })
    void challenge_without_usable_resource_metadata_has_none(String value) {
        assertThat(read(value).resourceMetadata()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                ",",
                "Basic realm=\"Bearer\"",
                "Basic realm=\"x\", charset=\"Bearer scope=y\"",
                "=Bearer",
                "\"Bearer\" scope=x",
                "scope=x",
                "BearerX scope=y",
                "DPoP resource_metadata=\"https://a.test/m\""
            })
    void value_without_bearer_challenge_is_none(String value) {
        assertThat(AuthChallenge.of(List.of(value))).isNull();
    }

    @Test
    void no_header_field_is_no_challenge() {
        assertThat(AuthChallenge.of(List.of())).isNull();
    }

    @Test
    void parameters_of_several_header_fields_are_read_together() {
        AuthChallenge challenge = read(
                "Basic realm=\"x\"",
                "Bearer error=\"insufficient_scope\", scope=\"a b\"",
                "Bearer resource_metadata=\"https://a.test/m\", scope=\"c\"");
        assertThat(challenge.resourceMetadata()).isEqualTo("https://a.test/m");
        assertThat(challenge.scopes()).containsExactlyInAnyOrder("a", "b");
        assertThat(challenge.isScopeMissing()).isTrue();
    }

    @Test
    void malformed_header_field_does_not_hide_the_next_one() {
        assertThat(read("Bearer realm=\"endless", "Bearer scope=a").scopes()).containsExactly("a");
    }

    @Test
    void scopes_are_separated_by_blanks_and_what_is_no_scope_is_left_out() {
        assertThat(read("Bearer scope=\"  files:read   b\\\"c d\\\\e \u00e4 https://x/y \"")
                        .scopes())
                .containsExactlyInAnyOrder("files:read", "https://x/y");
        assertThat(read("Bearer scope=\"" + "s".repeat(300) + " ok\"").scopes()).containsExactly("ok");
    }

    @Test
    void error_that_is_no_code_is_left_out() {
        assertThat(read("Bearer error=\"<b>hello</b>\"").error()).isNull();
        assertThat(read("Bearer error=\"" + "e".repeat(100) + "\"").error()).isNull();
        assertThat(read("Bearer error=invalid_token").error()).isEqualTo("invalid_token");
    }

    @Test
    void only_a_hundred_challenges_are_read() {
        String many = String.join(", ", Collections.nCopies(1_000, "Basic a=b"));
        assertThat(ChallengeParser.parse(List.of(many))).hasSize(100);
        assertThat(AuthChallenge.of(List.of(many + ", Bearer scope=a"))).isNull();
    }

    @Test
    void values_beyond_16_kib_are_not_read() {
        String longest = "Bearer realm=\"" + "x".repeat(16_340) + "\", scope=a";
        assertThat(AuthChallenge.of(List.of(longest + " ".repeat(1_000)))).isNull();
        assertThat(read(longest).scopes()).containsExactly("a");
        assertThat(read("Bearer scope=b", longest, "Bearer error=x").error()).isNull();
    }
}
