package dev.fusebox.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/// A checksum of a server's launch, in addition to its identity: the values of its variables or headers, the
/// executable, the files that its arguments name, and the `package.json` of a script's package. It changes when a
/// package is upgraded in place. Pure functions; they block on disk I/O.
///
/// The values may be secrets and the checksum is written to the cache, so it has 32 bits only: too few to test a
/// guess.
public final class LaunchChecksum {
    private static final String USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";
    private static final String MANIFEST = "package.json";

    /// A script is at most this many folders below the root of its package: `dist/esm/bin/index.js`.
    private static final int PACKAGE_DEPTH = 5;

    private LaunchChecksum() {}

    /// The checksum at this moment.
    ///
    /// @param variables environment variables; PATH finds commands
    public static String of(Map<String, String> variables, ServerEndpoint endpoint) {
        StringBuilder facts = new StringBuilder();
        switch (endpoint) {
            case ServerEndpoint.Stdio spec -> {
                facts.append(new TreeMap<>(spec.env()));
                files(variables, spec).forEach(file -> facts.append('\n').append(state(file)));
            }
            case ServerEndpoint.Http(var remote) -> facts.append(new TreeMap<>(remote.headers()));
            case ServerEndpoint.Sse(var remote) -> facts.append(new TreeMap<>(remote.headers()));
            case ServerEndpoint.WebSocket(var remote) -> facts.append(new TreeMap<>(remote.headers()));
            case ServerEndpoint.Tcp _, ServerEndpoint.Unix _ -> {}
        }
        CRC32 sum = new CRC32();
        sum.update(facts.toString().getBytes(StandardCharsets.UTF_8));
        return String.format("%08x", sum.getValue());
    }

    private static Stream<Path> files(Map<String, String> variables, ServerEndpoint.Stdio spec) {
        Path folder = Path.of(Objects.requireNonNullElse(spec.cwd(), "")).toAbsolutePath();
        Stream<Path> named = spec.args().stream().flatMap(arg -> regular(folder, arg).stream());
        return Stream.concat(executable(variables, spec, folder).stream(), named)
                .flatMap(file -> Stream.concat(Stream.of(file), manifest(file).stream()));
    }

    private static Optional<Path> executable(Map<String, String> variables, ServerEndpoint.Stdio spec, Path folder) {
        if (spec.command().contains("/")) {
            return regular(folder, spec.command());
        }
        String path = spec.env().getOrDefault("PATH", variables.getOrDefault("PATH", USUAL_PATH));
        return Stream.of(path.split(":", -1))
                .flatMap(each -> regular(folder, each + "/" + spec.command()).stream())
                .filter(Files::isExecutable)
                .findFirst();
    }

    /// The file behind all links, because installers replace the link.
    private static Optional<Path> regular(Path folder, String name) {
        try {
            Path file = folder.resolve(name);
            return Files.isRegularFile(file) ? Optional.of(file.toRealPath()) : Optional.empty();
        } catch (InvalidPathException | IOException noFile) {
            return Optional.empty();
        }
    }

    private static Optional<Path> manifest(Path file) {
        Path folder = file.getParent();
        for (int up = 0; folder != null && up < PACKAGE_DEPTH; up++) {
            Optional<Path> found = regular(folder, MANIFEST);
            if (found.isPresent()) {
                return found;
            }
            folder = folder.getParent();
        }
        return Optional.empty();
    }

    private static String state(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return file + " " + attributes.size() + " " + attributes.lastModifiedTime();
        } catch (IOException gone) {
            return file + " gone";
        }
    }
}
