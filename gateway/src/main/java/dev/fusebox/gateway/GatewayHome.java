package dev.fusebox.gateway;

import dev.fusebox.config.Configuration;
import dev.fusebox.gateway.admin.RunFolder;
import dev.fusebox.gateway.cache.SchemaCache;
import dev.fusebox.gateway.observe.LogFolder;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The folders in which gateways of one user keep their state: `~/.fusebox`, or the folder that FUSEBOX_HOME
/// names. Stateless and thread-safe; nothing is created.
public final class GatewayHome {
    private GatewayHome() {}

    /// The schema cache for the servers of one configuration file.
    ///
    /// @throws IOException if neither HOME nor FUSEBOX_HOME is set
    public static SchemaCache schemaCache(Platform platform, Path file) throws IOException {
        return new SchemaCache(
                platform,
                cacheFolder(platform),
                file.toAbsolutePath().normalize().toString());
    }

    /// The folder of all schema caches.
    ///
    /// @throws IOException if neither HOME nor FUSEBOX_HOME is set
    public static Path cacheFolder(Platform platform) throws IOException {
        return beside(platform, "cache");
    }

    /// The folder of log files.
    ///
    /// @throws IOException if neither HOME nor FUSEBOX_HOME is set
    public static LogFolder logFolder(Platform platform) throws IOException {
        return new LogFolder(beside(platform, "log"));
    }

    /// The folder of stored logins; null if neither HOME nor FUSEBOX_HOME is set.
    public static @Nullable Path loginFolder(Platform platform) {
        try {
            return beside(platform, "tokens");
        } catch (IOException homeless) {
            return null;
        }
    }

    /// The file of the key that signs the ids of tasks; null if neither HOME nor FUSEBOX_HOME is set.
    static @Nullable Path taskKey(Platform platform) {
        try {
            return beside(platform, "keys").resolve("tasks");
        } catch (IOException homeless) {
            return null;
        }
    }

    /// Where the logins of a configuration are stored; null if neither HOME nor FUSEBOX_HOME is set.
    public static @Nullable LoginPlace loginPlace(Platform platform, Configuration configuration) {
        return LoginPlace.of(loginFolder(platform), configuration.credentials());
    }

    private static Path beside(Platform platform, String folder) throws IOException {
        return RunFolder.of(platform).path().resolveSibling(folder);
    }
}
