package dev.fusebox.oauth.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.http.HttpServer;
import dev.fusebox.http.HttpSettings;
import dev.fusebox.platform.Platform;
import dev.fusebox.testkit.ManualTime;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class OneTimeLinksTest {
    private static final URI TARGET = URI.create("https://as.example/authorize?state=s1");

    private final ManualTime time = new ManualTime();
    private final OneTimeLinks links = new OneTimeLinks(time.platform());
    private HttpServer httpServer;
    private CallbackClient client;

    @BeforeEach
    void open() throws IOException {
        httpServer = HttpServer.open(HttpSettings.loopback(0), links::handle, Platform.system());
        client = new CallbackClient(httpServer.port(), "");
    }

    @AfterEach
    void close() {
        httpServer.close();
    }

    private String add() {
        return links.add(TARGET, "jira", "mcp.example");
    }

    private String get(String path, String... headers) {
        List<String> all = new ArrayList<>(List.of(client.host()));
        all.addAll(List.of(headers));
        return client.send("GET " + path, all.toArray(String[]::new));
    }

    @Test
    void page_names_server_and_hosts_and_leads_to_the_redirect() {
        String path = add();
        assertThat(get(path))
                .startsWith("HTTP/1.1 200 ")
                .contains("jira at mcp.example", "login page is at as.example", "href=\"" + path + "/go\"")
                .contains("Content-Security-Policy: default-src 'none'", "Referrer-Policy: no-referrer")
                .contains("Cache-Control: no-store")
                .doesNotContain("s1");
        assertThat(get(path + "/go"))
                .startsWith("HTTP/1.1 303 ")
                .contains("Location: " + TARGET, "Referrer-Policy: no-referrer", "Cache-Control: no-store");
    }

    @Test
    void page_can_be_read_again_and_the_redirect_works_once() {
        String path = add();
        assertThat(get(path)).startsWith("HTTP/1.1 200 ");
        assertThat(get(path)).startsWith("HTTP/1.1 200 ");
        assertThat(get(path + "/go")).startsWith("HTTP/1.1 303 ");
        assertThat(get(path + "/go")).startsWith("HTTP/1.1 404 ").doesNotContain("as.example");
        assertThat(get(path)).startsWith("HTTP/1.1 404 ");
    }

    @Test
    void one_of_many_simultaneous_clicks_is_redirected() throws Exception {
        String path = add();
        List<String> pages = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<String>> clicks = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                clicks.add(() -> get(path + "/go"));
            }
            for (Future<String> page : threads.invokeAll(clicks)) {
                pages.add(page.get());
            }
        }
        assertThat(pages.stream().filter(page -> page.startsWith("HTTP/1.1 303 ")))
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sec-Purpose: prefetch",
                "Purpose: prefetch",
                "Sec-Fetch-Mode: cors",
                "Sec-Fetch-Site: cross-site",
                "Sec-Fetch-Site: same-site",
                "Origin: http://evil.example",
                "X-Forwarded-For: 192.0.2.1",
                "X-Forwarded-Host: gateway.example",
                "X-Forwarded-Proto: https",
                "X-Real-IP: 192.0.2.1",
                "Via: 1.1 proxy",
                "Forwarded: for=192.0.2.1"
            })
    void what_is_no_click_on_this_machine_does_not_use_up_the_link(String header) {
        String path = add();
        assertThat(get(path + "/go", header)).startsWith("HTTP/1.1 403 ").doesNotContain("as.example");
        assertThat(get(path + "/go", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Site: same-origin"))
                .startsWith("HTTP/1.1 303 ");
    }

    @Test
    void other_methods_and_paths_lead_nowhere() {
        String path = add();
        assertThat(client.send("POST " + path + "/go", client.host(), "Content-Length: 0"))
                .startsWith("HTTP/1.1 405 ");
        assertThat(get("/login/")).startsWith("HTTP/1.1 404 ");
        assertThat(get("/login/go")).startsWith("HTTP/1.1 404 ");
        assertThat(get("/login/other/go")).startsWith("HTTP/1.1 404 ");
        assertThat(get(path + "x")).startsWith("HTTP/1.1 404 ");
        assertThat(get(path.toUpperCase(Locale.ROOT).replace("/LOGIN/", "/login/")))
                .startsWith("HTTP/1.1 404 ");
        assertThat(get(path)).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void link_ends_after_ten_minutes() {
        String path = add();
        time.advance(Duration.ofMinutes(10).minusNanos(1));
        assertThat(get(path)).startsWith("HTTP/1.1 200 ");
        time.advance(Duration.ofNanos(1));
        assertThat(get(path)).startsWith("HTTP/1.1 404 ");
        assertThat(get(path + "/go")).startsWith("HTTP/1.1 404 ");
    }

    @Test
    void removed_link_leads_nowhere() {
        String path = add();
        links.remove(path);
        assertThat(get(path)).startsWith("HTTP/1.1 404 ");
        links.remove(path);
    }

    @Test
    void oldest_of_more_than_a_hundred_links_makes_room() {
        List<String> paths = new ArrayList<>();
        for (int i = 0; i < 101; i++) {
            paths.add(add());
        }
        assertThat(get(paths.get(0))).startsWith("HTTP/1.1 404 ");
        assertThat(get(paths.get(1))).startsWith("HTTP/1.1 200 ");
        assertThat(get(paths.get(100))).startsWith("HTTP/1.1 200 ");
        assertThat(new HashSet<>(paths)).hasSize(101).allMatch(path -> path.matches("/login/[A-Za-z0-9_-]{43}"));
    }

    @Test
    void names_are_shown_in_letters_that_cannot_be_mistaken() {
        assertThat(get(links.add(TARGET, "<script>\"x\"", "j\u0456ra.example")))
                .contains("&lt;script&gt;&quot;x&quot;", "at xn--jra-jhd.example")
                .doesNotContain("<script>", "\u0456");
        assertThat(OneTimeLinks.plain("MCP.Example")).isEqualTo("mcp.example");
        assertThat(OneTimeLinks.plain("b\u00fccher.example")).isEqualTo("xn--bcher-kva.example");
        for (String host : List.of("a\u0000b.example", "a b.example", "", "\u00e9".repeat(100))) {
            assertThat(OneTimeLinks.plain(host)).isEqualTo("unreadable host");
        }
    }
}
