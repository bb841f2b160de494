package dev.fusebox.oauth.login;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuthorizationResponseTest {
    private static final AuthorizationRequest PLAIN =
            new AuthorizationRequest("s1", "v1", "http://127.0.0.1:1/callback", "https://as.example", false);
    private static final AuthorizationRequest ANNOUNCED =
            new AuthorizationRequest("s1", "v1", "http://127.0.0.1:1/callback", "https://as.example", true);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "code=c1&state=s1|code",
                "state=s1&code=c1&iss=https%3A%2F%2Fas.example|code",
                "code=c1&state=s2|another login",
                "code=c1|another login",
                "code=c1&state=s1&iss=https%3A%2F%2Fas.example%2F|another authorization server",
                "code=c1&state=s1&iss=HTTPS%3A%2F%2Fas.example|another authorization server",
                "code=c1&code=c2&state=s1|twice",
                "code=c1&state=s1&state=s1|twice",
                "state=s1|no code",
                "code=&state=s1|no code",
                "code=%&state=s1|not a valid query",
                "error=access_denied&state=s1|access was denied",
                "error=%3Cscript%3E&error_description=%3Cb%3E&state=s1|unknown error code",
                "error=access_denied&state=s2|another login",
                "error=access_denied&state=s1&iss=https%3A%2F%2Fevil.example|another authorization server",
            })
    void callback_is_checked_in_the_order_of_the_specification(String query, String expected) {
        AuthorizationResponse response = AuthorizationResponse.of(query, PLAIN);
        if (expected.equals("code")) {
            assertThat(response).isEqualTo(new AuthorizationResponse.Code("c1"));
        } else {
            assertThat(response).isNotInstanceOf(AuthorizationResponse.Code.class);
            assertThat(response.toString()).contains(expected).doesNotContain("<");
        }
    }

    @Test
    void announced_issuer_must_be_there() {
        assertThat(AuthorizationResponse.of("code=c1&state=s1", ANNOUNCED))
                .isInstanceOf(AuthorizationResponse.Denied.class);
        assertThat(AuthorizationResponse.of("code=c1&state=s1&iss=https%3A%2F%2Fas.example", ANNOUNCED))
                .isEqualTo(new AuthorizationResponse.Code("c1"));
    }

    @Test
    void long_query_is_refused() {
        assertThat(AuthorizationResponse.of("code=" + "c".repeat(9_000) + "&state=s1", PLAIN))
                .isInstanceOf(AuthorizationResponse.Invalid.class);
    }

    @Test
    void pasted_text_is_a_url_a_query_or_a_code() {
        for (String pasted : List.of(
                "http://127.0.0.1:1/callback?code=c1&state=s1", " code=c1&state=s1 ", "c1", "?code=c1&state=s1#")) {
            assertThat(AuthorizationResponse.pasted(pasted, PLAIN))
                    .as(pasted)
                    .isEqualTo(new AuthorizationResponse.Code("c1"));
        }
        assertThat(AuthorizationResponse.pasted("c1", ANNOUNCED)).isInstanceOf(AuthorizationResponse.Invalid.class);
        assertThat(AuthorizationResponse.pasted("two words", PLAIN)).isInstanceOf(AuthorizationResponse.Invalid.class);
    }

    @ParameterizedTest
    @CsvSource({
        "https://as.example/authorize?client_id=c&state=s1&iss=i, last page",
        "'http://127.0.0.1:1/callback?code=c1', incomplete",
        "'\"http://127.0.0.1:1/callback?code=c1&state=s1\"', incomplete",
        "code=c1&state=s1, incomplete"
    })
    void mistake_in_a_pasted_address_does_not_end_the_login(String pasted, String fragment) {
        assertThat(AuthorizationResponse.pasted(pasted, ANNOUNCED))
                .isInstanceOfSatisfying(
                        AuthorizationResponse.Invalid.class,
                        invalid -> assertThat(invalid.reason()).contains(fragment));
    }

    @Test
    void pasted_address_may_be_quoted() {
        for (String quote : List.of("'", "\"")) {
            assertThat(AuthorizationResponse.pasted(
                            quote + "http://127.0.0.1:1/callback?code=c1&state=s1" + quote, PLAIN))
                    .isEqualTo(new AuthorizationResponse.Code("c1"));
        }
    }

    @Test
    void pasted_code_may_contain_equal_signs_and_escapes() {
        assertThat(AuthorizationResponse.pasted("YWJj==", PLAIN)).isEqualTo(new AuthorizationResponse.Code("YWJj=="));
        assertThat(AuthorizationResponse.pasted("4%2F0A+b%3D", PLAIN))
                .isEqualTo(new AuthorizationResponse.Code("4/0A+b="));
        assertThat(AuthorizationResponse.pasted("4%0Aa", PLAIN)).isEqualTo(new AuthorizationResponse.Code("4%0Aa"));
        assertThat(AuthorizationResponse.pasted("100%", PLAIN)).isEqualTo(new AuthorizationResponse.Code("100%"));
        assertThat(AuthorizationResponse.pasted("error=access_denied", PLAIN))
                .isInstanceOf(AuthorizationResponse.Invalid.class);
    }

    @Test
    void request_is_a_url_with_pkce_that_keeps_the_query_of_the_endpoint() {
        // The verifier and challenge of RFC 7636, appendix B.
        AuthorizationRequest request = new AuthorizationRequest(
                "s1",
                "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
                "http://127.0.0.1:1/callback",
                "https://as.example",
                false);
        String url = request.url(
                        URI.create("https://as.example/authorize?tenant=a"),
                        "client 1",
                        List.of("read", "write"),
                        "https://server.example/mcp")
                .toString();
        assertThat(url)
                .startsWith("https://as.example/authorize?tenant=a&response_type=code&client_id=client+1&")
                .contains("scope=read+write", "code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
                .contains("code_challenge_method=S256", "resource=https%3A%2F%2Fserver.example%2Fmcp")
                .doesNotContain("dBjftJeZ4CVP");
        assertThat(request.toString()).doesNotContain("s1", "dBjftJeZ4CVP");
    }

    @Test
    void every_request_has_its_own_secrets() {
        AuthorizationRequest one = AuthorizationRequest.of("http://127.0.0.1:1/callback", "https://as.example", false);
        AuthorizationRequest two = AuthorizationRequest.of("http://127.0.0.1:1/callback", "https://as.example", false);
        assertThat(one.state()).hasSize(43).isNotEqualTo(two.state()).isNotEqualTo(one.verifier());
    }
}
