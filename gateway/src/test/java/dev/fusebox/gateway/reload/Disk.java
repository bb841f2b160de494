package dev.fusebox.gateway.reload;

import dev.fusebox.gateway.config.ConfigFile;
import dev.fusebox.gateway.config.Configuration;
import dev.fusebox.gateway.config.Overrides;
import dev.fusebox.gateway.config.ReadResult;
import dev.fusebox.world.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// A configuration file.
record Disk(Path file) {
    Configuration read(String text) throws IOException {
        return read(World.system().withEnvironment(Map.of()), text);
    }

    /// @param world of the machine that the file is read on; its memory is the default of the pool's size
    Configuration read(World world, String text) throws IOException {
        Files.writeString(file, text);
        ReadResult readResult = ConfigFile.read(world, file, Overrides.NONE);
        if (readResult instanceof ReadResult.Usable(Configuration configuration, var warnings)) {
            return configuration;
        }
        throw new AssertionError(readResult.problems());
    }
}
