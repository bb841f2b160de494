package dev.fusebox.gateway.reload;

import dev.fusebox.config.ConfigFile;
import dev.fusebox.config.Configuration;
import dev.fusebox.config.Overrides;
import dev.fusebox.config.ReadResult;
import dev.fusebox.gateway.settings.HostEnvironments;
import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// A configuration file.
record Disk(Path file) {
    Configuration read(String text) throws IOException {
        return read(Platform.system().withEnvironment(Map.of()), text);
    }

    /// @param platform of the machine that reads the file; its memory is the default of the pool size
    Configuration read(Platform platform, String text) throws IOException {
        Files.writeString(file, text);
        ReadResult readResult = ConfigFile.read(HostEnvironments.of(platform), file, Overrides.NONE);
        if (readResult instanceof ReadResult.Usable(Configuration configuration, var warnings)) {
            return configuration;
        }
        throw new AssertionError(readResult.problems());
    }
}
