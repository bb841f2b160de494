package dev.fusebox.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Finds and reads the configuration file. Thread-safe; reading blocks on file I/O.
public final class ConfigFile {
    /// Longer files are not configurations.
    private static final int LONGEST = 16 << 20;

    /// The name of a project's configuration file, in its folder.
    public static final String PROJECT = ".mcp.json";

    private static final String AT_HOME = "config.json";

    private ConfigFile() {}

    /// The user's own file, which need not exist; empty if the environment names no home.
    ///
    /// @param variables environment variables
    public static Optional<Path> home(Map<String, String> variables) {
        String state = variables.getOrDefault("FUSEBOX_HOME", "");
        String home = variables.getOrDefault("HOME", "");
        if (state.isEmpty() && home.isEmpty()) {
            return Optional.empty();
        }
        Path folder = state.isEmpty() ? Path.of(home).resolve(".fusebox") : Path.of(state);
        return Optional.of(folder.resolve(AT_HOME));
    }

    /// Reads a file.
    ///
    /// @param overrides options that take precedence over the file
    public static ReadResult read(HostEnvironment host, Path file, Overrides overrides) {
        return read(host, file, overrides, ContentCheck.NONE);
    }

    /// Reads a file whose content must pass a check. The file is read once: the checked content is the content
    /// that is used.
    ///
    /// @param overrides options that take precedence over the file
    public static ReadResult read(HostEnvironment host, Path file, Overrides overrides, ContentCheck check) {
        byte[] text;
        try (InputStream in = Files.newInputStream(file)) {
            text = in.readNBytes(LONGEST + 1);
        } catch (NoSuchFileException missing) {
            return refused(file, "does not exist");
        } catch (IOException unreadable) {
            return refused(file, "cannot be read: " + unreadable.getMessage());
        }
        if (text.length > LONGEST) {
            return refused(file, "is longer than " + LONGEST + " bytes, the limit for configuration files");
        }
        return check.problem(text)
                .map(objection -> refused(file, objection))
                .orElseGet(() -> new FileReader(host, file, overrides).read(text));
    }

    /// Reads a text as if it were the content of this file.
    public static ReadResult read(HostEnvironment host, Path file, byte[] text) {
        return new FileReader(host, file, Overrides.NONE).read(text);
    }

    private static ReadResult refused(Path file, String what) {
        ProblemList problems = new ProblemList(SourceText.of(file.toString(), new byte[0]));
        SourceLocation.unknown(problems).error(what);
        return new ReadResult.Refused(problems.errors(), List.of());
    }
}
