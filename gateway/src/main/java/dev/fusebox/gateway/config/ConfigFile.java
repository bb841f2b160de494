package dev.fusebox.gateway.config;

import dev.fusebox.world.World;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/// Finds and reads the configuration file. Thread-safe; reading blocks as the file does.
public final class ConfigFile {
    /// No configuration is that long; whatever is, is something else.
    private static final int LONGEST = 16 << 20;

    private static final Path HERE = Path.of(".mcp.json");
    private static final String AT_HOME = "config.json";

    private ConfigFile() {}

    /// Where a configuration is looked for that nobody has named, in this order.
    public static List<Path> places(World world) {
        String state = world.environment().get("FUSEBOX_HOME");
        String home = world.environment().get("HOME");
        if (state != null && !state.isEmpty()) {
            return List.of(HERE, Path.of(state).resolve(AT_HOME));
        }
        return home == null || home.isEmpty()
                ? List.of(HERE)
                : List.of(HERE, Path.of(home).resolve(".fusebox").resolve(AT_HOME));
    }

    /// Reads a file.
    ///
    /// @param world whose environment fills in variables, and whose memory says how many processes there may be
    /// @param overrides what wins over the file
    public static Reading read(World world, Path file, Overrides overrides) {
        byte[] text;
        try (InputStream in = Files.newInputStream(file)) {
            text = in.readNBytes(LONGEST + 1);
        } catch (NoSuchFileException missing) {
            return refused(file, "does not exist");
        } catch (IOException unreadable) {
            return refused(file, "cannot be read: " + unreadable.getMessage());
        }
        if (text.length > LONGEST) {
            return refused(file, "is longer than " + LONGEST + " bytes, which no configuration is");
        }
        return reader(world, file, overrides).read(text);
    }

    /// Reads a text as if it stood in this file.
    ///
    /// @param world whose environment fills in variables, and whose memory says how many processes there may be
    public static Reading read(World world, Path file, byte[] text) {
        return reader(world, file, Overrides.NONE).read(text);
    }

    private static FileReader reader(World world, Path file, Overrides overrides) {
        return new FileReader(
                file, world.environment(), overrides, world.processes().memory());
    }

    private static Reading refused(Path file, String what) {
        Problems problems = new Problems(Source.of(file.toString(), new byte[0]));
        Spot.nowhere(problems).error(what);
        return new Reading.Refused(problems.errors(), List.of());
    }
}
