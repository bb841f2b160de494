package dev.fusebox.gateway.provision;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.http.HttpFailure;
import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.client.http.WebClient;
import dev.fusebox.client.http.WebResponse;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Registry documents at a URL, page by page. All of them are fetched, so that search terms are never sent.
/// Thread-safe; reading blocks on the network.
final class HttpRegistrySource implements RegistrySource {
    /// The time for which a mirror is not queried again.
    private static final Duration FRESH = Duration.ofMinutes(5);

    private static final int MAX_PAGES = 100;
    private static final int OK = 200;

    /// Usually there is one in five. More are started only for callers that give up before the mirror has
    /// responded.
    private static final int MAX_PER_MINUTE = 6;

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Platform platform;
    private final WebClient webClient;
    private final HttpTarget target;
    private final Deque<Long> begun = new ArrayDeque<>();

    HttpRegistrySource(Platform platform, WebClient webClient, HttpTarget target) {
        this.platform = platform;
        this.webClient = webClient;
        this.target = target;
    }

    @Override
    public Object mark() {
        return platform.ticker().nanos() / FRESH.toNanos();
    }

    @Override
    public List<byte[]> read(Deadline deadline) throws IOException {
        note();
        List<byte[]> pages = new ArrayList<>();
        Set<String> cursors = new HashSet<>();
        URI next = target.uri();
        int left = MAX_LENGTH;
        while (next != null) {
            byte[] page = page(next, deadline);
            left -= page.length;
            if (left < 0 || pages.size() >= MAX_PAGES) {
                throw new IOException(
                        origin() + ": the registry exceeds " + MAX_PAGES + " pages or " + MAX_LENGTH + " bytes");
            }
            pages.add(page);
            String cursor = cursor(page);
            next = cursor == null || !cursors.add(cursor) ? null : at(cursor);
        }
        return pages;
    }

    private byte[] page(URI address, Deadline deadline) throws IOException {
        try {
            WebResponse response = webClient.get(target.towards(address), deadline);
            if (response.status() != OK) {
                throw new IOException(origin() + " answered with HTTP " + response.status());
            }
            return response.body();
        } catch (HttpFailure httpFailure) {
            throw new IOException(httpFailure.failure().message(), httpFailure);
        }
    }

    /// Protects the mirror from a caller that polls.
    private synchronized void note() throws IOException {
        long now = platform.ticker().nanos();
        begun.removeIf(before -> now - before >= MINUTE.toNanos());
        if (begun.size() >= MAX_PER_MINUTE) {
            long left = begun.getFirst() + MINUTE.toNanos() - now;
            throw new IOException(origin() + " was queried " + MAX_PER_MINUTE + " times within a minute; try again in "
                    + (1 + left / 1_000_000_000) + " s");
        }
        begun.addLast(now);
    }

    private @Nullable String cursor(byte[] page) throws IOException {
        try {
            JsonView cursor = JsonView.parse(page).path("metadata", "nextCursor");
            String text = cursor == null ? null : cursor.string();
            return text == null || text.isEmpty() ? null : text;
        } catch (JsonSyntaxError noJson) {
            throw new IOException(origin() + " did not respond with JSON", noJson);
        }
    }

    /// Without the rest, which may contain a key.
    private String origin() {
        return target.uri().getScheme() + "://" + target.uri().getRawAuthority();
    }

    private URI at(String cursor) {
        String address = target.uri().toString();
        String escaped = URLEncoder.encode(cursor, StandardCharsets.UTF_8);
        return URI.create(address + (address.contains("?") ? "&" : "?") + "cursor=" + escaped);
    }
}
