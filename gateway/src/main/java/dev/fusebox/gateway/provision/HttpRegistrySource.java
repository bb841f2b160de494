package dev.fusebox.gateway.provision;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.http.DocumentFetcher;
import dev.fusebox.client.http.HttpTarget;
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

/// Descriptions at an address, page by page. All of them are fetched, and what anybody looks for is never sent.
/// Thread-safe; reading blocks as the network does.
final class HttpRegistrySource implements RegistrySource {
    /// So long a mirror is not asked again.
    private static final Duration FRESH = Duration.ofMinutes(5);

    private static final int MOST_PAGES = 100;

    /// Usually it is one in five. More are begun only for callers who give up before it has answered.
    private static final int MOST_A_MINUTE = 6;

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Platform platform;
    private final DocumentFetcher documentFetcher;
    private final HttpTarget target;
    private final Deque<Long> begun = new ArrayDeque<>();

    HttpRegistrySource(Platform platform, DocumentFetcher documentFetcher, HttpTarget target) {
        this.platform = platform;
        this.documentFetcher = documentFetcher;
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
        int left = LONGEST;
        while (next != null) {
            byte[] page = documentFetcher.of(target.towards(next), deadline);
            left -= page.length;
            if (left < 0 || pages.size() >= MOST_PAGES) {
                throw new IOException(
                        origin() + ": a registry has " + MOST_PAGES + " pages and " + LONGEST + " bytes at most");
            }
            pages.add(page);
            String cursor = cursor(page);
            next = cursor == null || !cursors.add(cursor) ? null : at(cursor);
        }
        return pages;
    }

    /// Keeps whoever asks in a loop from the mirror.
    private synchronized void note() throws IOException {
        long now = platform.ticker().nanos();
        begun.removeIf(before -> now - before >= MINUTE.toNanos());
        if (begun.size() >= MOST_A_MINUTE) {
            long left = begun.getFirst() + MINUTE.toNanos() - now;
            throw new IOException(origin() + " was asked " + MOST_A_MINUTE + " times within a minute; ask again in "
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
            throw new IOException(origin() + " did not answer with JSON", noJson);
        }
    }

    /// Without what stands behind it, where a key may be.
    private String origin() {
        return target.uri().getScheme() + "://" + target.uri().getRawAuthority();
    }

    private URI at(String cursor) {
        String address = target.uri().toString();
        String escaped = URLEncoder.encode(cursor, StandardCharsets.UTF_8);
        return URI.create(address + (address.contains("?") ? "&" : "?") + "cursor=" + escaped);
    }
}
