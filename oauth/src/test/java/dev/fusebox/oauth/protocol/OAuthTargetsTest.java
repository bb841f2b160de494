package dev.fusebox.oauth.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fusebox.client.http.OutboundRoute;
import dev.fusebox.oauth.token.TokenRecord.GrantType;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The address rule for URLs of a login.
class OAuthTargetsTest {
    private static OAuthTargets targets(String serverUrl, String issuer) {
        LoginSettings settings = new LoginSettings(
                "test",
                URI.create(serverUrl),
                OutboundRoute.DEFAULT,
                null,
                null,
                null,
                null,
                issuer,
                List.of(),
                null,
                0,
                GrantType.LOGIN);
        return OAuthTargets.of(settings);
    }

    @ParameterizedTest
    @CsvSource({
        // server, configured issuer, URL, whether it is from the operator
        "https://a.test/mcp, , https://a.test/token, true",
        "https://A.test/mcp, , https://a.TEST:443/token, true",
        "https://a.test/mcp, , https://b.test/token, false",
        "https://a.test/mcp, https://b.test/realm, https://b.test/token, true",
        "https://10.0.0.1/mcp, , https://10.0.0.1/token, true",
        "https://a.test/mcp, https://10.0.0.2/x, https://10.0.0.2/token, true",
        "http://a.test/mcp, , http://a.test/token, true",
        "http://127.0.0.1:80/mcp, , http://127.0.0.1:9000/token, true",
        "http://localhost:80/mcp, , http://[::1]:9000/token, true",
        "http://127.0.0.1/mcp, , https://login.test/token, false"
    })
    void allowed_urls_are_from_the_operator_or_foreign(String server, String issuer, String url, boolean isOwn)
            throws Exception {
        assertThat(targets(server, issuer).target(url).isForeign()).isEqualTo(!isOwn);
    }

    @ParameterizedTest
    @CsvSource({
        "https://a.test/mcp, , http://a.test/token",
        "https://a.test/mcp, , http://b.test/token",
        "https://a.test/mcp, , https://a.test:8443/../x#y",
        "https://a.test/mcp, , https://127.0.0.1/token",
        "https://a.test/mcp, , https://localhost/token",
        "https://a.test/mcp, , https://x.localhost/token",
        "https://a.test/mcp, , https://10.0.0.2/token",
        "https://a.test/mcp, , https://192.168.1.1/token",
        "https://a.test/mcp, , https://169.254.169.254/latest",
        "https://a.test/mcp, , https://[::ffff:10.0.0.2]/token",
        "https://a.test/mcp, , https://[fe80::1]/token",
        "https://a.test/mcp, , https://0.0.0.0/token",
        "https://10.0.0.1/mcp, , https://10.0.0.2/token",
        "https://10.0.0.1/mcp, , http://127.0.0.1/token",
        "http://a.test/mcp, , http://b.test/token",
        "http://127.0.0.1/mcp, , http://10.0.0.2/token",
        "https://a.test/mcp, https://10.0.0.2/x, https://10.0.0.2:444/token",
        "https://a.test/mcp, https://10.0.0.2/x, http://10.0.0.2/token"
    })
    void plain_http_and_private_addresses_of_others_are_refused(String server, String issuer, String url) {
        assertThatExceptionOfType(InvalidMetadata.class)
                .isThrownBy(() -> targets(server, issuer).target(url));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "/token",
                "//a.test/token",
                "ftp://a.test/token",
                "file:///etc/passwd",
                "javascript:alert(1)",
                "data:text/html,x",
                "https:",
                "https://",
                "https:///token",
                "https://user@a.test/",
                "https://user:secret@a.test/",
                "https://a.test/#fragment",
                "https://a.test:99999/",
                "https://a b.test/",
                "https://a.test/\n",
                "https://\u0430.test/",
                "https://a.test/\u202e"
            })
    void other_texts_are_no_urls(String url) {
        assertThatExceptionOfType(InvalidMetadata.class).isThrownBy(() -> OAuthTargets.parse(url));
    }

    @ParameterizedTest
    @CsvSource({
        "https://a.test/token?key=secret, https://a.test/token",
        "https://A.test:443, https://a.test",
        "http://[::1]:8080/x, http://[::1]:8080/x"
    })
    void shown_url_has_no_query(String url, String shown) {
        assertThat(OAuthTargets.shown(URI.create(url))).isEqualTo(shown);
    }
}
