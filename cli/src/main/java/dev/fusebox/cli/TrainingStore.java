package dev.fusebox.cli;

import dev.fusebox.gateway.catalog.CatalogStore;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A catalog store in memory for a [TrainingRun], which leaves no file behind. Thread-safe; does not block.
final class TrainingStore implements CatalogStore {
    private final Map<String, String> kept = new ConcurrentHashMap<>();

    @Override
    public byte @Nullable [] load(String identity) {
        String text = kept.get(identity);
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void keep(String identity, String text) {
        kept.put(identity, text);
    }
}
