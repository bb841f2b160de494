package dev.fusebox.gateway.reload;

import dev.fusebox.gateway.config.ConfigFile;
import dev.fusebox.gateway.config.Configuration;
import dev.fusebox.gateway.config.Overrides;
import dev.fusebox.gateway.config.Reading;
import dev.fusebox.world.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// A configuration file.
record Disk(Path file) {
    Configuration read(String text) throws IOException {
        Files.writeString(file, text);
        Reading reading = ConfigFile.read(World.system().withEnvironment(Map.of()), file, Overrides.NONE);
        if (reading instanceof Reading.Usable(Configuration configuration, var warnings)) {
            return configuration;
        }
        throw new AssertionError(reading.problems());
    }
}
