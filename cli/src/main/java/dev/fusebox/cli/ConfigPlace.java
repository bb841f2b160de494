package dev.fusebox.cli;

import dev.fusebox.gateway.config.ConfigFile;
import dev.fusebox.world.World;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Finds the configuration file that a command is about. Pure but for looking at files.
final class ConfigPlace {
    private ConfigPlace() {}

    /// The named one, or the first that is there.
    ///
    /// @throws ServeOptions.Problem if none was named and none is there, with all places that were looked at
    static Path find(@Nullable Path named, World world) throws ServeOptions.Problem {
        if (named != null) {
            return named;
        }
        List<Path> places = ConfigFile.places(world);
        Optional<Path> found = places.stream().filter(Files::exists).findFirst();
        if (found.isEmpty()) {
            throw new ServeOptions.Problem("there is no configuration: none was named with --config FILE, "
                    + "there is no ./.mcp.json, and there is no " + last(places)
                    + "; ./fusebox import or ./fusebox add makes one");
        }
        return found.get();
    }

    private static String last(List<Path> places) {
        return places.size() == 1
                ? "~/.fusebox/config.json, as HOME is not set"
                : places.getLast().toString();
    }
}
