package dev.fusebox.oauth.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CallbackListenerTest {
    private final HttpClient httpClient = HttpClient.newHttpClient();
    private CallbackListener listener;
    private AuthorizationRequest request;

    @BeforeEach
    void open() throws IOException {
        listener = CallbackListener.open(Platform.system(), List.of(0));
        request = AuthorizationRequest.of(listener.redirectUri(), "https://as.example", false);
        listener.expect(request);
    }

    @AfterEach
    void close() {
        listener.close();
    }

    private HttpRequest.Builder callback(String query) {
        return HttpRequest.newBuilder(URI.create(listener.redirectUri() + "?" + query));
    }

    private HttpResponse<String> send(HttpRequest httpRequest) throws Exception {
        return httpClient.send(httpRequest, HttpResponse.BodyHandlers.ofString());
    }

    private String valid() {
        return "code=c1&state=" + request.state();
    }

    @Test
    void valid_response_ends_the_wait_and_the_page_shows_the_outcome() throws Exception {
        CompletableFuture<HttpResponse<String>> page =
                httpClient.sendAsync(callback(valid()).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(listener.await(Duration.ofSeconds(20), () -> false)).isEqualTo(new AuthorizationResponse.Code("c1"));
        assertThat(page).isNotDone();
        listener.finish(LoginPage.loggedIn("<jira>", "mcp.example"));
        assertThat(page.join().body()).contains("&lt;jira&gt; (mcp.example)").doesNotContain("<jira>");
        assertThat(page.join().headers().firstValue("content-security-policy").orElse(""))
                .startsWith("default-src 'none'");
        assertThat(page.join().headers().firstValue("cache-control")).contains("no-store");
        assertThat(send(callback(valid()).build()).statusCode()).isEqualTo(409);
    }

    @Test
    void foreign_requests_change_nothing() throws Exception {
        assertThat(send(callback("code=c1&state=other").build()).statusCode()).isEqualTo(400);
        assertThat(send(callback(valid()).header("Sec-Fetch-Mode", "cors").build())
                        .statusCode())
                .isEqualTo(403);
        assertThat(send(callback(valid())
                                .header("Origin", "https://evil.example")
                                .build())
                        .statusCode())
                .isEqualTo(403);
        assertThat(send(callback(valid())
                                .POST(HttpRequest.BodyPublishers.ofString("x"))
                                .build())
                        .statusCode())
                .isEqualTo(405);
        assertThat(send(HttpRequest.newBuilder(URI.create(listener.redirectUri() + "/x?" + valid()))
                                .build())
                        .statusCode())
                .isEqualTo(404);
        assertThat(listener.await(Duration.ZERO, () -> false)).isNull();
    }

    @Test
    void markup_in_an_error_is_not_shown() throws Exception {
        CompletableFuture<HttpResponse<String>> page = httpClient.sendAsync(
                callback("error=%3Cb%3E&error_description=%3Cscript%3E&state=" + request.state())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        AuthorizationResponse response = listener.await(Duration.ofSeconds(20), () -> false);
        assertThat(response).isInstanceOf(AuthorizationResponse.Denied.class);
        listener.finish(LoginPage.failed("jira", "the login was not completed"));
        assertThat(page.join().body()).doesNotContain("script", "<b>");
    }

    @Test
    void entered_response_is_taken_once() throws Exception {
        assertThat(listener.take(AuthorizationResponse.pasted("state=x&code=y", request)))
                .isFalse();
        assertThat(listener.take(AuthorizationResponse.pasted(valid(), request)))
                .isTrue();
        assertThat(listener.take(AuthorizationResponse.pasted(valid(), request)))
                .isFalse();
        assertThat(listener.await(Duration.ofSeconds(1), () -> false)).isEqualTo(new AuthorizationResponse.Code("c1"));
    }

    @Test
    void taken_port_is_passed_over_or_reported() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress());
                CallbackListener other = CallbackListener.open(Platform.system(), List.of(taken.getLocalPort(), 0))) {
            assertThat(other.redirectUri()).doesNotContain(":" + taken.getLocalPort() + "/");
            assertThatThrownBy(() -> CallbackListener.open(Platform.system(), List.of(taken.getLocalPort())))
                    .isInstanceOf(IOException.class);
        }
    }
}
