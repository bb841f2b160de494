package dev.fusebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// The person with a browser, for tests: follows redirects and keeps the pages. Thread-safe.
final class BrowserOfTest {
    private final List<String> pages = new CopyOnWriteArrayList<>();
    private final List<URI> opened = new CopyOnWriteArrayList<>();

    /// Opens a page, on a thread of its own.
    void open(URI address) {
        Thread.ofVirtual().start(() -> load(address));
    }

    private void load(URI address) {
        opened.add(address);
        try {
            HttpURLConnection page = (HttpURLConnection) address.toURL().openConnection();
            page.setInstanceFollowRedirects(true);
            try (InputStream body = page.getResponseCode() < 400 ? page.getInputStream() : page.getErrorStream()) {
                pages.add(body == null ? "" : new String(body.readAllBytes(), UTF_8));
            }
        } catch (IOException unreachable) {
            pages.add("unreachable: " + unreachable);
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
