package dev.fusebox.oauth;

import static dev.fusebox.client.ErrorId.ISSUER_DOWN;
import static dev.fusebox.client.ErrorId.ISSUER_INVALID;
import static dev.fusebox.client.ErrorId.PKCE_MISSING;
import static dev.fusebox.client.ErrorId.RESOURCE_METADATA_MISSING;
import static dev.fusebox.client.ErrorId.RESOURCE_MISMATCH;
import static dev.fusebox.fixtures.oauth.FaultPoint.METADATA;
import static dev.fusebox.fixtures.oauth.FaultPoint.RESOURCE_METADATA;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.ANSWER;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.DRIP;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.EMPTY;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.ENDPOINTS_AT;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.GZIP_BOMB;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.HANG;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.HTML;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.HUGE;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.MEMBER;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.NO_S256;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.REDIRECT;
import static dev.fusebox.fixtures.oauth.OAuthFaultKind.WRONG_ISSUER;

import dev.fusebox.client.ErrorId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Hostile metadata of MCP servers and authorization servers: refused before anybody is sent to a page.
@Execution(ExecutionMode.CONCURRENT)
class HostileDiscoveryTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @MethodSource
    void hostile_discovery_is_refused_and_opens_nothing(HostileRow row) throws Exception {
        try (HostileWorld world = new HostileWorld(folder)) {
            row.arrange().accept(world);
            world.check(row.id(), row.fragment());
        }
    }

    static Stream<HostileRow> hostile_discovery_is_refused_and_opens_nothing() {
        return Stream.of(endpoints(), networks(), resources(), issuers(), documents(), bodies())
                .flatMap(List::stream);
    }

    // ---- Endpoints

    private static List<HostileRow> endpoints() {
        List<HostileRow> rows = new ArrayList<>();
        String noUrl = ": a URL is not http:// or https://";
        List<String> urls = List.of(
                "javascript:alert(1)",
                "file:///etc/passwd",
                "data:text/html,x",
                "fusebox:open",
                "http://user:secret@127.0.0.1/x",
                "http://127.0.0.1/x#fragment");
        List<String> names = List.of(
                "authorization_endpoint",
                "token_endpoint",
                "registration_endpoint",
                "device_authorization_endpoint",
                "revocation_endpoint");
        for (String name : names) {
            for (String url : urls) {
                rows.add(metadata(name + " is " + url, name + "=\"" + url + "\"", name + noUrl));
            }
            rows.add(metadata(name + " is private", name + "=\"https://10.0.0.1/x\"", "is not allowed"));
            rows.add(metadata(name + " is plain http", name + "=\"http://192.0.9.1/x\"", "is not allowed"));
        }
        rows.add(metadata(
                "state is in the authorization endpoint",
                "authorization_endpoint=\"http://127.0.0.1:9/authorize?x=1&stat%65=mine\"",
                "a parameter of the request"));
        rows.add(metadata("token endpoint is a number", "token_endpoint=1", "token_endpoint is not a string"));
        rows.add(metadata("token endpoint is null", "token_endpoint=null", "token_endpoint is missing"));
        rows.add(metadata("methods are an object", "code_challenge_methods_supported={}", "is not an array"));
        rows.add(new HostileRow(
                "all endpoints are private",
                world -> world.fault(METADATA, ENDPOINTS_AT, "http://192.168.0.1"),
                ISSUER_INVALID,
                "is not allowed"));
        return rows;
    }

    private static HostileRow metadata(String name, String member, String fragment) {
        return new HostileRow(name, world -> world.fault(METADATA, MEMBER, member), ISSUER_INVALID, fragment);
    }

    // ---- Networks

    /// The server is not on this machine in these rows.
    private static List<HostileRow> networks() {
        List<HostileRow> rows = new ArrayList<>();
        rows.add(outside("issuer is on this machine", port -> "http://127.0.0.1:" + port, "is not allowed"));
        rows.add(outside("issuer is private", port -> "https://10.0.0.1", "is not allowed"));
        rows.add(outside("issuer is a cloud's metadata", port -> "https://169.254.169.254", "is not allowed"));
        rows.add(outside("issuer is mapped", port -> "https://[::ffff:10.0.0.1]", "is not allowed"));
        rows.add(outside("issuer is localhost", port -> "https://localhost:" + port, "is not allowed"));
        rows.add(outside("name is private", port -> "https://private.example", "resolves to a private network"));
        rows.add(outside("name is here", port -> "https://here.example:" + port, "resolves to a private network"));
        rows.add(outside("name is a cloud's", port -> "https://cloud.example", "resolves to a private network"));
        rows.add(named("https://10.0.0.1/x", "is not allowed"));
        rows.add(named("http://93.184.216.34/x", "is not allowed"));
        rows.add(named("https://private.example/x", "resolves to a private network"));
        rows.add(new HostileRow(
                "registration endpoint of a known issuer is private",
                world -> world.outside()
                        .configuredIssuer(Map.of("registration_endpoint", "https://private.example/register")),
                ISSUER_INVALID,
                "resolves to a private network"));
        rows.add(new HostileRow(
                "authorization endpoint of a known issuer is private",
                world -> world.outside().configuredIssuer(Map.of("authorization_endpoint", "https://10.0.0.7/x")),
                ISSUER_INVALID,
                "is not allowed"));
        return rows;
    }

    private static HostileRow outside(String name, Function<Integer, String> issuer, String fragment) {
        return new HostileRow(
                name,
                world -> {
                    String url = issuer.apply(world.server.uri().getPort());
                    world.outside().server.set(settings -> settings.withIssuers(List.of(url)));
                },
                ISSUER_INVALID,
                fragment);
    }

    private static HostileRow named(String url, String fragment) {
        return new HostileRow(
                "resource_metadata is " + url,
                world -> world.outside().challenge("Bearer resource_metadata=\"" + url + "\""),
                RESOURCE_METADATA_MISSING,
                fragment);
    }

    // ---- Look-alikes

    private static List<HostileRow> resources() {
        List<HostileRow> rows = new ArrayList<>();
        rows.add(resource("prefix without a boundary", url -> url.substring(0, url.length() - 1)));
        rows.add(resource("child", url -> url + "/files"));
        rows.add(resource("another path", url -> url.replace("/mcp", "/MCP")));
        rows.add(resource("path with dots", url -> url.replace("/mcp", "/x/../mcp")));
        rows.add(resource("encoded path", url -> url.replace("/mcp", "/%6dcp")));
        rows.add(resource("another port", url -> url.replaceFirst(":\\d+", ":1")));
        rows.add(resource("another host", url -> url.replace("127.0.0.1", "localhost")));
        rows.add(resource("host that begins alike", url -> url.replace("127.0.0.1", "127.0.0.1.example")));
        rows.add(resource("another scheme", url -> url.replace("http:", "https:")));
        rows.add(resource("with a query", url -> url + "?tenant=1"));
        rows.add(resource("with a fragment", url -> url + "#x"));
        rows.add(resource("with a user", url -> url.replace("//", "//127.0.0.1@")));
        rows.add(resource("javascript", url -> "javascript:alert(1)"));
        rows.add(resource("no url", url -> "files"));
        return rows;
    }

    private static HostileRow resource(String name, Function<String, String> change) {
        return new HostileRow(
                "resource: " + name,
                world -> world.server.set(settings ->
                        settings.withResource(change.apply(world.server.uri().toString()))),
                RESOURCE_MISMATCH,
                "is about another resource");
    }

    private static List<HostileRow> issuers() {
        List<HostileRow> rows = new ArrayList<>();
        rows.add(issuer("slash at the end", url -> url + "/"));
        rows.add(issuer("upper case", url -> url.replace("http", "HTTP")));
        rows.add(issuer("another name", url -> url.replace("127.0.0.1", "localhost")));
        rows.add(issuer("user", url -> url.replace("//", "//x@")));
        rows.add(issuer("path", url -> url + "/tenant"));
        rows.add(issuer("another server", url -> "https://issuer.example"));
        rows.add(issuer("markup", url -> "<script>alert(1)</script>"));
        String invalid = "the identifier of the authorization server is not valid";
        rows.add(namedIssuer("javascript:alert(1)", invalid));
        rows.add(namedIssuer("file:///etc/passwd", invalid));
        rows.add(namedIssuer("http://127.0.0.1:9/?x=1", "it has a query"));
        rows.add(namedIssuer("http://127.0.0.1:9/#x", invalid));
        rows.add(namedIssuer("http://user@127.0.0.1:9", invalid));
        rows.add(namedIssuer("http://127.0.0.1:9\u0007", invalid));
        rows.add(namedIssuer("https://\u0430pple.example", invalid));
        return rows;
    }

    private static HostileRow issuer(String name, Function<String, String> change) {
        return new HostileRow(
                "issuer in its metadata: " + name,
                world -> world.fault(METADATA, WRONG_ISSUER, change.apply(world.issuer.issuer())),
                ISSUER_INVALID,
                "its issuer is not exactly http://127.0.0.1:");
    }

    private static HostileRow namedIssuer(String url, String fragment) {
        return new HostileRow(
                "issuer that the server names: " + url,
                world -> world.server.set(settings -> settings.withIssuers(List.of(url))),
                ISSUER_INVALID,
                fragment);
    }

    // ---- Documents

    private static List<HostileRow> documents() {
        List<HostileRow> rows = new ArrayList<>();
        rows.add(HostileRow.of("no S256", METADATA, NO_S256, "")
                .refused(PKCE_MISSING, "does not announce PKCE with S256"));
        rows.add(HostileRow.of("plain only", METADATA, NO_S256, "plain")
                .refused(PKCE_MISSING, "does not announce PKCE with S256"));
        rows.add(new HostileRow(
                "redirected metadata of the issuer",
                world -> world.fault(METADATA, REDIRECT, world.elsewhere.endpoint("metadata")),
                ISSUER_INVALID,
                "answered with HTTP 307"));
        rows.add(new HostileRow(
                "redirected metadata of the server",
                world -> {
                    world.fault(RESOURCE_METADATA, REDIRECT, world.elsewhere.endpoint("metadata"));
                    world.challenge("Bearer resource_metadata=\""
                            + world.server.uri().resolve("/.well-known/oauth-protected-resource/mcp") + "\"");
                },
                RESOURCE_METADATA_MISSING,
                "answered with HTTP 307"));
        rows.add(HostileRow.of("array", METADATA, ANSWER, "[]").refused(ISSUER_INVALID, "is not a JSON object"));
        rows.add(HostileRow.of("half", METADATA, ANSWER, "{\"issuer\":").refused(ISSUER_INVALID, "is not JSON"));
        String deep = "{\"a\":" + "[".repeat(5_000) + "]".repeat(5_000) + "}";
        rows.add(HostileRow.of("nested", METADATA, ANSWER, deep).refused(ISSUER_INVALID, "is not JSON"));
        rows.add(HostileRow.of("no resource", RESOURCE_METADATA, ANSWER, "{}")
                .refused(RESOURCE_METADATA_MISSING, "resource is"));
        String many = "{\"resource\":\"x\",\"authorization_servers\":[" + "1,".repeat(5_000) + "1]}";
        rows.add(HostileRow.of("numbers", RESOURCE_METADATA, ANSWER, many)
                .refused(RESOURCE_METADATA_MISSING, "is not a string"));
        rows.add(new HostileRow(
                "no issuer",
                world ->
                        world.fault(RESOURCE_METADATA, ANSWER, "{\"resource\":\"$/mcp\",\"authorization_servers\":[]}"),
                RESOURCE_METADATA_MISSING,
                "names no authorization server"));
        return rows;
    }

    private static List<HostileRow> bodies() {
        List<HostileRow> rows = new ArrayList<>();
        rows.add(HostileRow.of("page", METADATA, HTML, "").refused(ISSUER_INVALID, "answered with HTTP 200"));
        rows.add(HostileRow.of("empty", METADATA, EMPTY, "").refused(ISSUER_INVALID, "is not JSON"));
        rows.add(HostileRow.of("10 MB", METADATA, HUGE, 10 << 20).refused(ISSUER_INVALID, "has more than"));
        rows.add(HostileRow.of("gzip bomb", METADATA, GZIP_BOMB, 100 << 20).refused(ISSUER_INVALID, "has more than"));
        rows.add(HostileRow.of("dripping", METADATA, DRIP, 50)
                .refused(ISSUER_DOWN, "timed out")
                .slow());
        rows.add(HostileRow.of("hanging", METADATA, HANG, 60_000)
                .refused(ISSUER_DOWN, "timed out")
                .slow());
        ErrorId missing = RESOURCE_METADATA_MISSING;
        rows.add(
                HostileRow.of("page of the server", RESOURCE_METADATA, HTML, "").refused(missing, "neither names"));
        rows.add(HostileRow.of("empty of the server", RESOURCE_METADATA, EMPTY, "")
                .refused(missing, "is not JSON"));
        rows.add(HostileRow.of("10 MB of the server", RESOURCE_METADATA, HUGE, 10 << 20)
                .refused(missing, "has more than"));
        rows.add(HostileRow.of("gzip bomb of the server", RESOURCE_METADATA, GZIP_BOMB, 100 << 20)
                .refused(missing, "has more than"));
        rows.add(HostileRow.of("dripping of the server", RESOURCE_METADATA, DRIP, 50)
                .refused(missing, "timed out")
                .slow());
        rows.add(HostileRow.of("hanging of the server", RESOURCE_METADATA, HANG, 60_000)
                .refused(missing, "timed out")
                .slow());
        return rows;
    }
}
