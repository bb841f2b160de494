package dev.fusebox.oauth.login;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Alone, because a port that a test has freed may be taken by another one at once.
@Isolated
@Timeout(30)
class CallbackListenerTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private CallbackListener listener;
    private AuthorizationRequest request;
    private CallbackClient client;

    @BeforeEach
    void open() throws IOException {
        listener = CallbackListener.open(Platform.system(), List.of(0));
        request = AuthorizationRequest.of(listener.redirectUri(), "https://as.example", false);
        listener.expect(request);
        client = CallbackClient.of(listener, request);
    }

    @AfterEach
    void close() {
        listener.close();
    }

    private String valid() {
        return client.valid("code=c1");
    }

    private AuthorizationResponse await() throws InterruptedException {
        return listener.await(LONG, () -> false);
    }

    private void assertNothingTaken() throws InterruptedException {
        assertThat(listener.await(Duration.ZERO, () -> false)).isNull();
    }

    // ---- Responses

    @Test
    void valid_response_ends_the_wait_and_the_page_shows_the_outcome() throws Exception {
        CompletableFuture<String> page = client.getLater(valid());
        assertThat(await()).isEqualTo(new AuthorizationResponse.Code("c1"));
        assertThat(page).isNotDone();
        listener.finish(LoginPage.loggedIn("<jira>", "mcp.example"));
        assertThat(page.join())
                .startsWith("HTTP/1.1 200 ")
                .contains("&lt;jira&gt; (mcp.example)")
                .doesNotContain("<jira>");
        assertThat(client.get(valid())).startsWith("HTTP/1.1 409 ").contains("already been finished");
    }

    @Test
    void page_forbids_everything_and_is_not_stored() {
        assertThat(client.get(client.valid("error=access_denied")))
                .startsWith("HTTP/1.1 200 ")
                .contains("Content-Security-Policy: default-src 'none'", "Referrer-Policy: no-referrer")
                .contains("Cache-Control: no-store", "X-Content-Type-Options: nosniff");
    }

    @Test
    void refusal_is_shown_at_once_with_its_reason_and_what_to_do() throws Exception {
        assertThat(client.get(client.valid("error=access_denied")))
                .contains("Not logged in", "access was denied", "start the login again");
        assertThat(await()).isInstanceOf(AuthorizationResponse.Denied.class);
    }

    @Test
    void markup_in_an_error_is_not_shown() {
        assertThat(client.get(client.valid("error=%3Cb%3Ex&error_description=%3Cscript%3E&error_uri=https%3A%2F%2Fe")))
                .contains("unknown error code")
                .doesNotContain("script", "<b>", "https://e");
    }

    @Test
    void one_of_many_valid_responses_is_taken() throws Exception {
        int count = 8;
        List<CompletableFuture<String>> pages = IntStream.range(0, count)
                .mapToObj(i -> client.getLater(client.valid("code=c" + i)))
                .toList();
        assertThat(await()).isInstanceOf(AuthorizationResponse.Code.class);
        eventually(
                "all others are answered",
                () -> assertThat(pages.stream().filter(CompletableFuture::isDone))
                        .hasSize(count - 1));
        listener.finish(LoginPage.loggedIn("jira", "mcp.example"));
        assertThat(pages.stream().map(CompletableFuture::join).filter(page -> page.startsWith("HTTP/1.1 409 ")))
                .hasSize(count - 1);
    }

    @Test
    void entered_response_is_taken_once() throws Exception {
        assertThat(listener.take(AuthorizationResponse.pasted("state=x&code=y", request)))
                .isFalse();
        assertThat(listener.take(AuthorizationResponse.pasted(valid(), request)))
                .isTrue();
        assertThat(listener.take(AuthorizationResponse.pasted(valid(), request)))
                .isFalse();
        assertThat(client.get(client.valid("code=c2"))).startsWith("HTTP/1.1 409 ");
        assertThat(await()).isEqualTo(new AuthorizationResponse.Code("c1"));
    }

    // ---- Requests that change nothing

    @Test
    void wrong_state_is_refused_and_the_wait_goes_on() throws Exception {
        assertThat(client.get("code=c1&state=other")).startsWith("HTTP/1.1 400 ");
        assertNothingTaken();
        assertThat(client.get(client.valid("error=access_denied"))).startsWith("HTTP/1.1 200 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Sec-Fetch-Mode: cors", "Sec-Fetch-Mode: no-cors", "Origin: https://evil.example"})
    void script_of_a_web_page_is_refused(String header) throws Exception {
        assertThat(client.get(valid(), header)).startsWith("HTTP/1.1 403 ");
        assertThat(client.get(valid(), "Origin: http://127.0.0.1:" + client.port()))
                .startsWith("HTTP/1.1 403 ");
        assertNothingTaken();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Host: evil.example", "Host: 127.0.0.1:1", "Host: 127.0.0.1.evil.example", "Accept: */*"})
    void request_to_another_host_is_refused(String host) throws Exception {
        assertThat(client.send("GET /callback?" + valid(), host)).startsWith("HTTP/1.1 4");
        assertNothingTaken();
    }

    @Test
    void two_hosts_are_refused() throws Exception {
        assertThat(client.get(valid(), "Host: evil.example")).startsWith("HTTP/1.1 4");
        assertNothingTaken();
    }

    @ParameterizedTest
    @ValueSource(strings = {"HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE"})
    void other_methods_are_refused(String method) throws Exception {
        assertThat(client.send(method + " /callback?" + valid(), client.host(), "Content-Length: 0"))
                .containsPattern("^HTTP/1\\.1 (4..|501) ");
        assertNothingTaken();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/callback/", "/callback/x", "/Callback", "/favicon.ico"})
    void other_paths_are_unknown(String path) throws Exception {
        assertThat(client.send("GET " + path + "?" + valid(), client.host())).startsWith("HTTP/1.1 404 ");
        assertNothingTaken();
    }

    @Test
    void long_query_is_refused() throws Exception {
        assertThat(client.get(client.valid("code=" + "c".repeat(9_000)))).startsWith("HTTP/1.1 4");
        assertNothingTaken();
    }

    // ---- The end

    @Test
    void close_ends_the_page_and_frees_the_port() throws Exception {
        CompletableFuture<String> page = client.getLater(valid());
        assertThat(await()).isInstanceOf(AuthorizationResponse.Code.class);
        listener.close();
        assertThat(page.join()).contains("ended before it was finished");
        assertThatThrownBy(() -> client.get(valid())).isInstanceOf(UncheckedIOException.class);
        CallbackListener.open(Platform.system(), List.of(client.port())).close();
    }

    @Test
    void close_ends_a_wait_without_a_response() throws Exception {
        CompletableFuture<AuthorizationResponse> waiting = new CompletableFuture<>();
        Thread waiter = waiter(waiting, new AtomicBoolean());
        listener.close();
        waiter.join();
        assertThat(waiting.join()).isInstanceOf(AuthorizationResponse.Invalid.class);
    }

    @Test
    void cancelled_wait_ends_without_a_response() throws Exception {
        CompletableFuture<AuthorizationResponse> waiting = new CompletableFuture<>();
        AtomicBoolean isCancelled = new AtomicBoolean();
        Thread waiter = waiter(waiting, isCancelled);
        isCancelled.set(true);
        LockSupport.unpark(waiter);
        waiter.join();
        assertThat(waiting.join()).isNull();
    }

    private Thread waiter(CompletableFuture<AuthorizationResponse> result, AtomicBoolean isCancelled) {
        return Thread.ofVirtual().start(() -> {
            try {
                result.complete(listener.await(LONG, isCancelled::get));
            } catch (InterruptedException stopped) {
                result.completeExceptionally(stopped);
            }
        });
    }

    @Test
    void taken_port_is_passed_over_or_reported() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                CallbackListener other = CallbackListener.open(Platform.system(), List.of(taken.getLocalPort(), 0))) {
            assertThat(other.redirectUri()).doesNotContain(":" + taken.getLocalPort() + "/");
            assertThatThrownBy(() -> CallbackListener.open(Platform.system(), List.of(taken.getLocalPort())))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("127.0.0.1:" + taken.getLocalPort())
                    .hasMessageContaining("end the program that uses it");
        }
    }
}
