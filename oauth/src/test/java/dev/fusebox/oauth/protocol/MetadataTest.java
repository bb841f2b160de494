package dev.fusebox.oauth.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.URI;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Metadata documents of resources and authorization servers.
class MetadataTest {
    private static final URI AT = URI.create("https://as.test/.well-known/oauth-authorization-server");

    private static IssuerMetadata issuer(String json) throws InvalidMetadata {
        return IssuerMetadata.read(AT, json.getBytes(UTF_8));
    }

    private static ResourceMetadata resource(String json) throws InvalidMetadata {
        return ResourceMetadata.read(json.getBytes(UTF_8));
    }

    @Test
    void issuer_metadata_is_read_and_written() throws Exception {
        IssuerMetadata read = issuer("""
                {"issuer": "https://as.test", "authorization_endpoint": "https://as.test/authorize?x=1",
                 "token_endpoint": "https://as.test/token", "registration_endpoint": "https://as.test/register",
                 "revocation_endpoint": null, "device_authorization_endpoint": "https://as.test/device",
                 "scopes_supported": ["a", "offline_access"], "code_challenge_methods_supported": ["plain", "S256"],
                 "token_endpoint_auth_methods_supported": ["none"], "unknown": {"x": [1, 2]},
                 "client_id_metadata_document_supported": true}""");
        assertThat(read.hasS256()).isTrue();
        assertThat(read.supports("offline_access")).isTrue();
        assertThat(read.endpoints().revocation()).isNull();
        assertThat(read.endpoints().authorization()).hasToString("https://as.test/authorize?x=1");
        assertThat(read.capabilities().authenticationMethods()).containsExactly("none");
        assertThat(read.capabilities().hasClientIdDocuments()).isTrue();
        assertThat(read.capabilities().announcesIssuer()).isFalse();
        assertThat(IssuerMetadata.read(AT, read.json())).isEqualTo(read);
    }

    @Test
    void missing_members_are_unknown() throws Exception {
        IssuerMetadata least = issuer("{\"issuer\":\"https://as.test\",\"token_endpoint\":\"https://as.test/t\"}");
        assertThat(least.hasS256()).isFalse();
        assertThat(least.capabilities().authenticationMethods()).isNull();
        assertThat(IssuerMetadata.read(AT, least.json())).isEqualTo(least);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "|not JSON",
                "<html>|not JSON",
                "[]|not a JSON object",
                "\"x\"|not a JSON object",
                "null|not a JSON object",
                "{}|token_endpoint is missing",
                "{\"token_endpoint\":\"https://as.test/t\"}|issuer is missing",
                "{\"token_endpoint\":\"https://as.test/t\",\"issuer\":\" \"}|issuer is missing",
                "{\"token_endpoint\":\"https://as.test/t\",\"issuer\":7}|issuer is not a string",
                "{\"token_endpoint\":[\"https://as.test/t\"],\"issuer\":\"https://as.test\"}|token_endpoint is not a",
                "{\"token_endpoint\":\"file:///t\",\"issuer\":\"https://as.test\"}|token_endpoint: a URL",
                "{\"token_endpoint\":\"https://u@as.test/t\",\"issuer\":\"https://as.test\"}|token_endpoint: a URL",
                "{\"token_endpoint\":\"https://as.test/t#f\",\"issuer\":\"https://as.test\"}|token_endpoint: a URL",
                "{\"authorization_endpoint\":\"javascript:alert(1)\",\"token_endpoint\":\"https://as.test/t\"}"
                        + "|authorization_endpoint: a URL",
                "{\"token_endpoint\":\"https://as.test/t\",\"scopes_supported\":\"a b\"}|scopes_supported is not an",
                "{\"token_endpoint\":\"https://as.test/t\",\"scopes_supported\":[1]}|element of scopes_supported",
                "{\"token_endpoint\":\"https://as.test/t\",\"client_id_metadata_document_supported\":\"yes\"}"
                        + "|client_id_metadata_document_supported is not true or false",
                "{\"token_endpoint\":\"https://as.test/t\"} x|not JSON"
            })
    void wrong_issuer_metadata_is_refused_by_the_name_of_the_member(String json, String reason) {
        assertThatExceptionOfType(InvalidMetadata.class)
                .isThrownBy(() -> issuer(json == null ? "" : json))
                .withMessageContaining(reason);
    }

    @Test
    void endless_members_are_refused() {
        String many = String.join(",", Collections.nCopies(1_001, "\"a\""));
        assertThatExceptionOfType(InvalidMetadata.class)
                .isThrownBy(() -> resource("{\"resource\":\"https://a.test\",\"scopes_supported\":[" + many + "]}"))
                .withMessageContaining("scopes_supported has more than 1000 elements");
        assertThatExceptionOfType(InvalidMetadata.class)
                .isThrownBy(() -> resource("{\"resource\":\"" + "x".repeat(70_000) + "\"}"))
                .withMessageContaining("resource is longer than");
        assertThatExceptionOfType(InvalidMetadata.class)
                .isThrownBy(() -> resource("{\"resource\":" + "[".repeat(50) + "]".repeat(50) + "}"))
                .withMessageContaining("not JSON");
    }

    @Test
    void resource_metadata_is_read() throws Exception {
        ResourceMetadata read = resource("""
                {"resource": "https://a.test/mcp", "authorization_servers": ["https://as.test", "https://b.test/"],
                 "scopes_supported": ["b", "a", "no scope", "b"]}""");
        assertThat(read.authorizationServers()).containsExactly("https://as.test", "https://b.test/");
        assertThat(read.scopes()).containsExactly("b", "a");
        assertThat(resource("{\"resource\":\"https://a.test\"}"))
                .isEqualTo(new ResourceMetadata("https://a.test", List.of(), Set.of()));
    }

    @ParameterizedTest
    @CsvSource({
        "https://a.test/mcp, https://a.test/mcp",
        "https://a.test/mcp/, https://a.test/mcp",
        "https://a.test/mcp, https://a.test/mcp/",
        "https://A.TEST/mcp, https://a.test/mcp",
        "https://a.test:443/mcp, https://a.test/mcp",
        "https://a.test, https://a.test/mcp",
        "https://a.test/, https://a.test/mcp",
        "https://a.test/one, https://a.test/one/two",
        "https://a.test/mcp, https://a.test/mcp?key=1",
        "https://a.test/mcp?key=1, https://a.test/mcp?key=1",
        "http://127.0.0.1:81/, http://127.0.0.1:81/mcp"
    })
    void resource_covers_its_server(String resource, String server) {
        assertThat(new ResourceMetadata(resource, List.of(), Set.of()).covers(URI.create(server)))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "https://evil.test/mcp, https://a.test/mcp",
        "https://a.test.evil.test/mcp, https://a.test/mcp",
        "https://evil.a.test/mcp, https://a.test/mcp",
        "http://a.test/mcp, https://a.test/mcp",
        "https://a.test:444/mcp, https://a.test/mcp",
        "https://a.test/mc, https://a.test/mcp",
        "https://a.test/mcp2, https://a.test/mcp",
        "https://a.test/mcp/tools, https://a.test/mcp",
        "https://a.test/MCP, https://a.test/mcp",
        "https://a.test/x/../mcp, https://a.test/mcp",
        "https://a.test/%6dcp, https://a.test/mcp",
        "https://a.test//, https://a.test/mcp",
        "https://a.test/mcp?key=2, https://a.test/mcp?key=1",
        "https://user@a.test/mcp, https://a.test/mcp",
        "https://a.test/mcp#x, https://a.test/mcp",
        "a.test/mcp, https://a.test/mcp",
        "urn:mcp, https://a.test/mcp",
        "*, https://a.test/mcp"
    })
    void look_alike_resource_does_not_cover_the_server(String resource, String server) {
        assertThat(new ResourceMetadata(resource, List.of(), Set.of()).covers(URI.create(server)))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "https://as.test|oauth-authorization-server openid-configuration",
                "https://as.test/|oauth-authorization-server openid-configuration",
                "https://as.test/t/1|oauth-authorization-server/t/1 openid-configuration/t/1",
                "https://as.test/t/1/|oauth-authorization-server/t/1 openid-configuration/t/1"
            })
    void issuer_metadata_is_looked_for_in_the_order_of_the_specification(String issuer, String places) {
        List<String> locations = IssuerLookup.locations(URI.create(issuer)).stream()
                .map(URI::toString)
                .toList();
        String base = "https://as.test/.well-known/";
        assertThat(locations.subList(0, 2))
                .containsExactly(base + places.split(" ", -1)[0], base + places.split(" ", -1)[1]);
        assertThat(locations.subList(2, locations.size()))
                .isEqualTo(
                        places.contains("/t/1")
                                ? List.of("https://as.test/t/1/.well-known/openid-configuration")
                                : List.of());
    }
}
