package dev.fusebox.doctor;

import dev.fusebox.client.ErrorId;
import dev.fusebox.client.process.CrashReason;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A known cause of a crash, recognized in the standard error of npm, npx, Node.js, Python, uv and Docker. There
/// is no other evidence: they all exit with 1, or with 125. Immutable, thread-safe.
sealed interface CrashCause {
    /// A package or an image that is not in its registry.
    ///
    /// @param version the missing version; null if the package itself is missing
    record UnknownPackage(
            Installer installer, String name, @Nullable String version) implements CrashCause {}

    /// A module that is not installed.
    ///
    /// @param from the file that loads it; null if unknown
    record MissingModule(
            Loader runtime, String module, @Nullable String from) implements CrashCause {}

    /// A file that the server loads, usually its script.
    record MissingFile(String path) implements CrashCause {}

    /// A package in the npx cache that is incomplete, or that npx cannot replace.
    ///
    /// @param folder of this package in the cache
    record StaleNpxCache(String folder) implements CrashCause {}

    /// A package that npx would have to install without permission to do so.
    record NpxUnconfirmed() implements CrashCause {}

    /// A path among the arguments that does not exist.
    record MissingPath(String path) implements CrashCause {}

    /// The Docker client cannot reach its daemon.
    ///
    /// @param isForbidden whether the daemon may be running, and this user has no access to it
    record UnreachableDocker(boolean isForbidden) implements CrashCause {}

    /// An environment variable that the server requires.
    record UnsetVariable(String name) implements CrashCause {}

    /// Fusebox, started as a server of the file that it serves.
    record NestedGateway(String file) implements CrashCause {}

    /// The program that installs packages.
    enum Installer {
        NPM,
        UV,
        DOCKER
    }

    /// The program that loads modules.
    enum Loader {
        NODE,
        PYTHON
    }

    /// The cause; null if none is recognized.
    ///
    /// @param stderr the last lines of standard error, oldest first
    static @Nullable CrashCause of(List<String> stderr) {
        String reason = CrashReason.of(stderr);
        return reason == null ? null : Patterns.of(reason, stderr);
    }

    /// The error id of its finding.
    default ErrorId errorId() {
        return switch (this) {
            case UnknownPackage _ -> ErrorId.PACKAGE_NOT_FOUND;
            case MissingModule _, MissingFile _ -> ErrorId.MODULE_MISSING;
            case StaleNpxCache _ -> ErrorId.NPX_CACHE_STALE;
            case NpxUnconfirmed _, MissingPath _ -> ErrorId.SERVER_EXITED;
            case UnreachableDocker _ -> ErrorId.DOCKER_UNREACHABLE;
            case UnsetVariable _ -> ErrorId.VARIABLE_MISSING;
            case NestedGateway _ -> ErrorId.SERVER_INVALID;
        };
    }

    /// The patterns of their messages.
    final class Patterns {
        private static final Pattern NPM_UNKNOWN = Pattern.compile(
                "npm E404: .*'(?<name>(@[^'@]+/)?[^'@]+)(@[^']*)?' (could not be found|is not in this registry).*");
        private static final Pattern NPM_VERSION =
                Pattern.compile("npm ETARGET: No matching version found for (?<name>@?[^@\\s]+)@(?<version>\\S+?)\\.?");
        private static final Pattern NPX_UNCONFIRMED =
                Pattern.compile("npm: npx canceled due to missing packages and no YES option.*");
        private static final Pattern NO_ENTRY =
                Pattern.compile(".*\\bENOENT: no such file or directory, \\w+ '(?<path>/[^']+)'.*");
        /// Of servers whose arguments are folders, such as the reference filesystem server.
        private static final Pattern NO_FOLDER =
                Pattern.compile("(Warning: Cannot access|Error accessing) directory (?<path>/[^,:]+)[,:].*");
        private static final Pattern NO_FOLDERS =
                Pattern.compile("Error: None of the specified directories are accessible.*");
        private static final Pattern UV_UNKNOWN =
                Pattern.compile("uv: Because (?<name>\\S+) was not found in the package registry.*");
        private static final Pattern DOCKER_UNKNOWN = Pattern.compile(
                "docker: Error response from daemon: (pull access denied for|manifest for) (?<name>[^\\s,]+)"
                        + "( not found|, repository does not exist).*");
        private static final Pattern DOCKER_SILENT = Pattern.compile(
                "(docker|ERROR): ([Cc]annot connect to the Docker daemon|failed to connect to the docker API).*");
        private static final Pattern DOCKER_FORBIDDEN =
                Pattern.compile("docker: permission denied while trying to connect to the [Dd]ocker .*");
        private static final Pattern NODE = Pattern.compile("(Error( \\[ERR_MODULE_NOT_FOUND])?: )?"
                + "Cannot find (module|package) '(?<module>[^']+)'( imported from (?<from>.+))?");
        private static final Pattern NODE_FROM = Pattern.compile("- (?<from>/.+)");
        private static final Pattern PYTHON =
                Pattern.compile("(ModuleNotFoundError: |\\S*python[\\w.]*: )No module named '?(?<module>[\\w.]+)'?");
        private static final Pattern PYTHON_PART = Pattern.compile("\\S*python[\\w.]*: Error while finding module"
                + " specification for .*ModuleNotFoundError: No module named '(?<module>[\\w.]+)'.*");
        private static final Pattern PYTHON_FILE =
                Pattern.compile("\\S*python[\\w.]*: can't open file '(?<path>[^']+)': \\[Errno 2].*");
        /// There is no standard wording, but all such messages mention an environment variable, whose name is in
        /// capital letters.
        private static final Pattern UNSET =
                Pattern.compile("(?i)(?=.*\\benvironment variable)(?=.*\\b(required|missing|set|not defined)\\b)(?-i)"
                        + ".*?\\b(?<name>[A-Z][A-Z0-9]*(_[A-Z0-9]+)+)\\b.*");
        private static final Pattern NESTED = Pattern.compile(
                "fusebox: not serving (?<file>.+), because this gateway was started by a gateway that serves"
                        + " the same file .*");
        /// npx names the folder of a package in its cache with sixteen hexadecimal digits.
        private static final Pattern NPX = Pattern.compile("(?<folder>/[^'\"\\s]*/_npx/[0-9a-f]{16})(/.*|$)");

        private Patterns() {}

        private static @Nullable CrashCause of(String reason, List<String> stderr) {
            return Stream.of(
                            ofDocker(reason),
                            ofNpm(reason, stderr),
                            ofNode(reason, stderr),
                            ofPython(reason),
                            ofPath(reason, stderr),
                            ofVariable(reason),
                            ofFusebox(reason))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
        }

        private static @Nullable CrashCause ofVariable(String reason) {
            Matcher unset = UNSET.matcher(reason);
            return unset.matches() ? new UnsetVariable(unset.group("name")) : null;
        }

        private static @Nullable CrashCause ofPath(String reason, List<String> stderr) {
            boolean isListed = NO_FOLDERS.matcher(reason).matches();
            return Stream.concat(Stream.of(reason), isListed ? stderr.stream() : Stream.empty())
                    .flatMap(line -> Stream.of(NO_ENTRY.matcher(line), NO_FOLDER.matcher(line)))
                    .filter(Matcher::matches)
                    .map(missing -> new MissingPath(missing.group("path")))
                    .findFirst()
                    .orElse(null);
        }

        private static @Nullable CrashCause ofFusebox(String reason) {
            Matcher nested = NESTED.matcher(reason);
            return nested.matches() ? new NestedGateway(nested.group("file")) : null;
        }

        private static @Nullable CrashCause ofDocker(String reason) {
            Matcher unknown = DOCKER_UNKNOWN.matcher(reason);
            if (unknown.matches()) {
                return new UnknownPackage(Installer.DOCKER, unknown.group("name"), null);
            }
            boolean isForbidden = DOCKER_FORBIDDEN.matcher(reason).matches();
            return isForbidden || DOCKER_SILENT.matcher(reason).matches() ? new UnreachableDocker(isForbidden) : null;
        }

        private static @Nullable CrashCause ofNpm(String reason, List<String> stderr) {
            Matcher unknown = NPM_UNKNOWN.matcher(reason);
            if (unknown.matches()) {
                return new UnknownPackage(Installer.NPM, unknown.group("name"), null);
            }
            if (NPX_UNCONFIRMED.matcher(reason).matches()) {
                return new NpxUnconfirmed();
            }
            Matcher version = NPM_VERSION.matcher(reason);
            if (version.matches()) {
                return new UnknownPackage(Installer.NPM, version.group("name"), version.group("version"));
            }
            Matcher uv = UV_UNKNOWN.matcher(reason);
            if (uv.matches()) {
                return new UnknownPackage(Installer.UV, uv.group("name"), null);
            }
            return reason.startsWith("npm ENOTEMPTY: ") ? staleNpx(String.join("\n", stderr)) : null;
        }

        private static @Nullable CrashCause ofNode(String reason, List<String> stderr) {
            Matcher missing = NODE.matcher(reason);
            if (!missing.matches()) {
                return null;
            }
            String module = missing.group("module");
            String from = missing.group("from") == null ? requiredFrom(stderr) : missing.group("from");
            CrashCause stale = staleNpx(module.startsWith("/") ? module : from == null ? "" : from);
            if (stale != null) {
                return stale;
            }
            return module.startsWith("/") || module.startsWith(".")
                    ? new MissingFile(module)
                    : new MissingModule(Loader.NODE, module, from);
        }

        private static @Nullable String requiredFrom(List<String> stderr) {
            return stderr.stream()
                    .map(String::strip)
                    .map(NODE_FROM::matcher)
                    .filter(Matcher::matches)
                    .map(match -> match.group("from"))
                    .findFirst()
                    .orElse(null);
        }

        private static @Nullable CrashCause staleNpx(String text) {
            Matcher folder = NPX.matcher(text);
            return folder.find() ? new StaleNpxCache(folder.group("folder")) : null;
        }

        private static @Nullable CrashCause ofPython(String reason) {
            Matcher file = PYTHON_FILE.matcher(reason);
            if (file.matches()) {
                return new MissingFile(file.group("path"));
            }
            return Stream.of(PYTHON, PYTHON_PART)
                    .map(pattern -> pattern.matcher(reason))
                    .filter(Matcher::matches)
                    .map(match -> new MissingModule(Loader.PYTHON, match.group("module"), null))
                    .findFirst()
                    .orElse(null);
        }
    }
}
