package dev.fusebox.gateway.provision;

import dev.fusebox.client.http.DocumentFetcher;
import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.client.http.OutboundSettings;
import dev.fusebox.client.http.ProxyRules;
import dev.fusebox.world.World;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The registry that the configuration names at the moment. Thread-safe; nothing blocks but [#close], for a second
/// at most.
final class CurrentRegistry implements AutoCloseable {
    private final World world;
    private final DocumentFetcher documentFetcher;
    private @Nullable Open open;

    /// The last one that was asked for.
    private record Open(String place, Registry registry) {}

    /// @param proxyRules that the environment names
    CurrentRegistry(World world, ProxyRules proxyRules) {
        this.world = world;
        OutboundSettings settings = OutboundSettings.usual()
                .withConnectTimeout(Duration.ofSeconds(5))
                .withMaxBodyBytes(RegistrySource.LONGEST)
                .withProxies(proxyRules);
        this.documentFetcher = new DocumentFetcher(world, settings);
    }

    synchronized Registry at(String place) {
        Open known = open;
        if (known == null || !known.place().equals(place)) {
            known = new Open(place, new Registry(world, registrySource(place)));
            open = known;
        }
        return known.registry();
    }

    private RegistrySource registrySource(String place) {
        return place.contains("://")
                ? new HttpRegistrySource(world, documentFetcher, HttpTarget.of(URI.create(place)))
                : new FileRegistrySource(Path.of(place));
    }

    @Override
    public void close() {
        documentFetcher.close();
    }
}
