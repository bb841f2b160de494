package dev.fusebox.cli;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// The person with a browser, for tests: follows redirects and keeps the pages. Thread-safe.
final class BrowserOfTest {
    private final HttpClient httpClient = HttpClient.newHttpClient();
    private final List<String> pages = new CopyOnWriteArrayList<>();
    private final List<URI> opened = new CopyOnWriteArrayList<>();

    /// Opens a page, on a thread of its own.
    void open(URI address) {
        Thread.ofVirtual().start(() -> load(address));
    }

    private void load(URI address) {
        opened.add(address);
        try {
            HttpResponse<String> answer =
                    httpClient.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
            String location = answer.headers().firstValue("location").orElse("");
            if (location.isEmpty()) {
                pages.add(answer.body());
            } else {
                load(address.resolve(location));
            }
        } catch (IOException unreachable) {
            pages.add("unreachable: " + unreachable);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /// The pages that it has shown.
    List<String> pages() {
        return pages;
    }

    /// The addresses that it has opened.
    List<URI> opened() {
        return opened;
    }
}
