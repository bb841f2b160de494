package dev.fusebox.client.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.protocol.http.HttpProxy;
import dev.fusebox.protocol.http.Origin;
import java.net.URI;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Selection of the proxy from environment variables.
class ProxyRulesTest {
    private static Origin origin(String uri) {
        return Objects.requireNonNull(Origin.of(URI.create(uri)), uri);
    }

    private static String to(String uri, Map<String, String> environment) {
        return String.valueOf(ProxyRules.of(environment).to(origin(uri)));
    }

    @Test
    void each_scheme_has_its_variable_and_lower_case_takes_precedence() {
        Map<String, String> both = Map.of("HTTP_PROXY", "http://plain:1", "HTTPS_PROXY", "http://secure:2");
        assertThat(to("http://tools.test/", both)).isEqualTo("http://plain:1");
        assertThat(to("https://tools.test/", both)).isEqualTo("http://secure:2");
        assertThat(to("https://tools.test/", Map.of("HTTP_PROXY", "http://plain:1")))
                .isEqualTo("null");
        assertThat(to("http://tools.test/", Map.of("HTTP_PROXY", "http://big:1", "http_proxy", "http://small:1")))
                .isEqualTo("http://small:1");
        assertThat(to("http://tools.test/", Map.of("HTTP_PROXY", "http://big:1", "http_proxy", "")))
                .isEqualTo("null");
        assertThat(to("http://tools.test/", Map.of())).isEqualTo("null");
    }

    @ParameterizedTest
    @CsvSource({
        "proxy.test:3128,http://proxy.test:3128",
        "http://proxy.test,http://proxy.test",
        "http://proxy.test:3128/,http://proxy.test:3128",
        "http://me:secret@proxy.test:3128,http://proxy.test:3128",
        "http://[2001:db8::1]:3128,http://[2001:db8::1]:3128"
    })
    void scheme_is_optional_and_credentials_are_not_shown(String address, String shown) {
        assertThat(HttpProxy.parse(address)).hasToString(shown);
    }

    @Test
    void credentials_are_decoded_and_sent_to_the_proxy() {
        String head = HttpProxy.parse("http://me:p%40ss+word@proxy.test:3128").connect(origin("https://tools.test/"));

        String encoded = Base64.getEncoder().encodeToString("me:p@ss+word".getBytes(UTF_8));
        assertThat(head)
                .startsWith("CONNECT tools.test:443 HTTP/1.1\r\nHost: tools.test:443\r\n")
                .contains("\r\nProxy-Authorization: Basic " + encoded + "\r\n")
                .endsWith("\r\n\r\n");
        assertThat(HttpProxy.parse("http://proxy.test:3128").connect(origin("https://tools.test/")))
                .doesNotContain("Authorization");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://me:s3cret@proxy.test:443",
                "socks5://me:s3cret@proxy.test",
                "http://me:s3cret@",
                "http://me:s3c ret@proxy.test",
                "http://me:s3c@ret@proxy.test:3128",
                "http://me:s3cret%@proxy.test",
                "://s3cret"
            })
    void invalid_variable_is_reported_by_name_and_not_by_value(String address) {
        assertThatThrownBy(() -> ProxyRules.of(Map.of("HTTPS_PROXY", address)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("HTTPS_PROXY cannot be used: ")
                .satisfies(problem ->
                        assertThat(String.valueOf(problem.getMessage())).doesNotContain("s3c"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tools.test | http://tools.test/ | true",
                "tools.test | http://a.tools.test/ | true",
                ".tools.test | http://a.tools.test/ | true",
                "*.tools.test | http://a.tools.test/ | true",
                "tools.test | http://mytools.test/ | false",
                "TOOLS.test | http://tools.TEST/ | true",
                "a.test, tools.test | http://tools.test/ | true",
                "a.test tools.test | http://tools.test/ | true",
                "* | https://tools.test/ | true",
                "tools.test:8080 | http://tools.test:8080/ | true",
                "tools.test:8080 | http://tools.test/ | false",
                "10.1.2.3 | http://10.1.2.3/ | true",
                "10.1.2.3 | http://10.1.2.30/ | false",
                "10.0.0.0/8 | http://10.1.2.3/ | true",
                "10.0.0.0/8 | http://11.1.2.3/ | false",
                "10.1.2.128/25 | http://10.1.2.127/ | false",
                "0.0.0.0/0 | http://11.1.2.3/ | true",
                "0.0.0.0/0 | http://tools.test/ | false",
                "2001:db8::/32 | http://[2001:db8:1::2]/ | true",
                "[2001:db8::1]:80 | http://[2001:db8::1]/ | true",
                "2001:db8::1 | http://[2001:db8::2]/ | false",
                "10.0.0.0/99 | http://10.0.0.1/ | false",
                "test | http://10.0.0.1/ | false",
                ",, | http://tools.test/ | false"
            })
    void no_proxy_excludes_servers(String list, String uri, boolean covered) {
        String proxy = to(uri, Map.of("HTTP_PROXY", "http://p:1", "HTTPS_PROXY", "http://p:1", "NO_PROXY", list));

        assertThat(proxy).isEqualTo(covered ? "null" : "http://p:1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://localhost/",
                "http://LOCALHOST:8080/",
                "http://a.localhost/",
                "http://127.0.0.1/",
                "http://127.9.9.9/",
                "https://[::1]/",
                "https://[::ffff:127.0.0.1]/",
                "http://0.0.0.0/"
            })
    void local_addresses_are_never_reached_through_a_proxy(String uri) {
        assertThat(ProxyRules.always(HttpProxy.parse("http://p:1")).to(origin(uri)))
                .isNull();
    }
}
