package dev.fusebox.gateway.config;

import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Finds and reads the configuration file. Thread-safe; reading blocks as the file does.
public final class ConfigFile {
    /// No configuration is that long; whatever is, is something else.
    private static final int LONGEST = 16 << 20;

    /// The file of a project, in its folder.
    public static final String PROJECT = ".mcp.json";

    private static final String AT_HOME = "config.json";

    private ConfigFile() {}

    /// The user's own file, which need not exist; empty if the environment names no home.
    public static Optional<Path> home(Platform platform) {
        String state = platform.environment().getOrDefault("FUSEBOX_HOME", "");
        String home = platform.environment().getOrDefault("HOME", "");
        if (state.isEmpty() && home.isEmpty()) {
            return Optional.empty();
        }
        Path folder = state.isEmpty() ? Path.of(home).resolve(".fusebox") : Path.of(state);
        return Optional.of(folder.resolve(AT_HOME));
    }

    /// Reads a file.
    ///
    /// @param platform whose environment fills in variables, and whose memory says how many processes there may be
    /// @param overrides what wins over the file
    public static ReadResult read(Platform platform, Path file, Overrides overrides) {
        return read(platform, file, overrides, ContentCheck.NONE);
    }

    /// Reads a file whose content must pass a check. What is checked is what is used: the file is read once.
    ///
    /// @param platform whose environment fills in variables
    /// @param overrides what wins over the file
    public static ReadResult read(Platform platform, Path file, Overrides overrides, ContentCheck check) {
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
        return check.objection(text)
                .map(objection -> refused(file, objection))
                .orElseGet(() -> reader(platform, file, overrides).read(text));
    }

    /// Reads a text as if it stood in this file.
    ///
    /// @param platform whose environment fills in variables, and whose memory says how many processes there may be
    public static ReadResult read(Platform platform, Path file, byte[] text) {
        return reader(platform, file, Overrides.NONE).read(text);
    }

    private static FileReader reader(Platform platform, Path file, Overrides overrides) {
        return new FileReader(
                file, platform.environment(), overrides, platform.processes().memory());
    }

    private static ReadResult refused(Path file, String what) {
        ProblemList problems = new ProblemList(SourceText.of(file.toString(), new byte[0]));
        SourceLocation.nowhere(problems).error(what);
        return new ReadResult.Refused(problems.errors(), List.of());
    }
}
