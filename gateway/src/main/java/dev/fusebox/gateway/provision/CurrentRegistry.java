package dev.fusebox.gateway.provision;

import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.client.http.OutboundSettings;
import dev.fusebox.client.http.ProxyRules;
import dev.fusebox.client.http.WebClient;
import dev.fusebox.platform.Platform;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The registry that the configuration currently names. Thread-safe; only [#close] blocks, for at most a second.
final class CurrentRegistry implements AutoCloseable {
    private final Platform platform;
    private final WebClient webClient;
    private @Nullable Open open;

    /// The registry used last.
    private record Open(String place, Registry registry) {}

    /// @param proxyRules from the environment
    CurrentRegistry(Platform platform, ProxyRules proxyRules) {
        this.platform = platform;
        OutboundSettings settings = OutboundSettings.defaults()
                .withConnectTimeout(Duration.ofSeconds(5))
                .withMaxBodyBytes(RegistrySource.MAX_LENGTH)
                .withProxies(proxyRules);
        this.webClient = WebClient.forLargeBodies(platform, settings);
    }

    synchronized Registry at(String place) {
        Open known = open;
        if (known == null || !known.place().equals(place)) {
            known = new Open(place, new Registry(platform, registrySource(place)));
            open = known;
        }
        return known.registry();
    }

    private RegistrySource registrySource(String place) {
        return place.contains("://")
                ? new HttpRegistrySource(platform, webClient, HttpTarget.of(URI.create(place)))
                : new FileRegistrySource(Path.of(place));
    }

    @Override
    public void close() {
        webClient.close();
    }
}
