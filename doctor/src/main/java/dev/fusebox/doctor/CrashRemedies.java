package dev.fusebox.doctor;

import dev.fusebox.config.CommandWords;
import dev.fusebox.platform.FuseboxCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Remedies for known causes of a crash. A name from standard error becomes part of a command only if it has the
/// syntax of such names. Thread-safe; checks the file system for folders.
final class CrashRemedies {
    private static final Pattern NPM_NAME = Pattern.compile("(@[a-z0-9~][a-z0-9._~-]*/)?[A-Za-z0-9~][A-Za-z0-9._~-]*");
    private static final Pattern PYTHON_NAME = Pattern.compile("[A-Za-z0-9_]+");
    private static final Pattern IMAGE_NAME = Pattern.compile("[a-z0-9][A-Za-z0-9._/:@-]*");

    private final DiagnosedServer server;
    private final String command;

    /// @param command the executable file
    CrashRemedies(DiagnosedServer server, String command) {
        this.server = server;
        this.command = command;
    }

    String cause(CrashCause cause) {
        return switch (cause) {
            case CrashCause.UnknownPackage(var installer, String name, String version) ->
                unknown(installer, name, version);
            case CrashCause.MissingModule(var runtime, String module, String from) ->
                "the " + (runtime == CrashCause.Loader.NODE ? "Node.js" : "Python") + " module " + module
                        + " is not installed" + (from == null ? "" : "; it is loaded by " + from);
            case CrashCause.MissingFile(String path) -> "the file " + path + " does not exist";
            case CrashCause.StaleNpxCache(String folder) -> "the package's copy in the npx cache is incomplete";
            case CrashCause.NpxUnconfirmed _ -> "npx does not install the package without \"-y\"";
            case CrashCause.MissingPath(String path) -> path + " does not exist";
            case CrashCause.UnreachableDocker(boolean isForbidden) ->
                isForbidden ? "this user has no access to the Docker daemon" : "the Docker daemon is not running";
            case CrashCause.UnsetVariable(String name) -> "the server requires the environment variable " + name;
            case CrashCause.NestedGateway(String file) ->
                "it starts Fusebox itself with " + file + ", which would cause endless recursion";
        };
    }

    private static String unknown(CrashCause.Installer installer, String name, @Nullable String version) {
        return switch (installer) {
            case NPM ->
                version == null
                        ? "npm cannot find package " + name
                        : "npm cannot find version " + version + " of package " + name;
            case UV -> "uv cannot find package " + name;
            case DOCKER -> "Docker cannot find image " + name;
        };
    }

    String of(CrashCause cause) {
        return switch (cause) {
            case CrashCause.UnknownPackage(var installer, String name, String version) ->
                ofPackage(installer, name, version != null);
            case CrashCause.MissingModule(var runtime, String module, String from) ->
                runtime == CrashCause.Loader.NODE ? ofNode(module, from) : ofPython(module);
            case CrashCause.MissingFile(String path) ->
                place("args") + ": correct the path, or build the server that " + path + " belongs to";
            case CrashCause.StaleNpxCache(String folder) ->
                "`rm -rf " + FuseboxCommand.quoted(folder) + "` removes that copy; the next start reinstalls it";
            case CrashCause.NpxUnconfirmed _ ->
                place("args") + ": put \"-y\" before the package: \"args\": " + confirmed();
            case CrashCause.MissingPath(String path) -> ofPath(path);
            case CrashCause.UnreachableDocker(boolean isForbidden) -> ofDocker(isForbidden);
            case CrashCause.UnsetVariable(String name) ->
                place("env") + ": write \"env\": {\"" + name + "\": \"${" + name + "}\"}, and `export " + name
                        + "=VALUE` where Fusebox is started";
            case CrashCause.NestedGateway(String file) ->
                "`" + FuseboxCommand.onFile("remove", server.server().id()) + "` removes it";
        };
    }

    private String ofPackage(CrashCause.Installer installer, String name, boolean isVersion) {
        String correct = place("args") + ": correct the " + (isVersion ? "version" : "name of the package");
        boolean isPlain = NPM_NAME.matcher(name).matches();
        return switch (installer) {
            case NPM ->
                !isPlain
                        ? correct
                        : isVersion
                                ? correct + "; `npm view " + name + " versions` lists all versions"
                                : correct + ", or log in if it is private; `npm view " + name + "` looks it up";
            case UV -> correct;
            case DOCKER ->
                place("args") + ": correct the name of the image, or log in if it is private"
                        + (IMAGE_NAME.matcher(name).matches() ? "; `docker pull " + name + "` downloads it" : "");
        };
    }

    /// The arguments as written, with `-y` and without its opposite.
    private String confirmed() {
        Stream<String> others = server.args().stream()
                .filter(arg -> !arg.equals("--no") && !arg.equals("--no-install") && !arg.equals("--yes=false"));
        return CommandWords.array(Stream.concat(Stream.of("-y"), others));
    }

    private String ofPath(String path) {
        boolean isFolder = server.args().contains(path)
                && !path.substring(path.lastIndexOf('/') + 1).contains(".");
        return isFolder
                ? place("args") + ": create the folder or correct the argument; `mkdir -p "
                        + FuseboxCommand.quoted(path) + "` creates it"
                : place("args") + ": correct " + path + ", or create it";
    }

    /// The package of a module path: `@scope/name/part.js`, `name/part.js`.
    private static String packageOf(String module) {
        String[] parts = module.split("/", -1);
        int count = module.startsWith("@") ? 2 : 1;
        return parts.length <= count ? module : String.join("/", List.of(parts).subList(0, count));
    }

    /// npm itself finds the package to which a folder belongs.
    private String ofNode(String part, @Nullable String from) {
        String module = packageOf(part);
        Path folder =
                from == null || !from.startsWith("/") ? null : Path.of(from).getParent();
        return folder == null
                        || !Files.isDirectory(folder)
                        || !NPM_NAME.matcher(module).matches()
                ? place("args") + ": install the server's dependencies, including " + module + ", with npm install"
                : "`cd " + FuseboxCommand.quoted(folder.toString()) + " && npm install " + module + "` installs it";
    }

    /// A Python package usually has the name of its module.
    private String ofPython(String module) {
        String first = module.split("\\.", 2)[0];
        boolean isPython = command.substring(command.lastIndexOf('/') + 1).startsWith("python");
        if (!isPython || !PYTHON_NAME.matcher(first).matches()) {
            return place("args") + ": install the Python module " + first + " into the Python that runs the server";
        }
        String python = FuseboxCommand.quoted(command);
        return isExternallyManaged(Path.of(command))
                ? inEnvironment(python, first)
                : "`" + python + " -m pip install " + first
                        + "` installs it, if the package has the name of the module";
    }

    /// Whether this Python belongs to the system's package manager, so that pip refuses to install into it (PEP
    /// 668).
    private static boolean isExternallyManaged(Path python) {
        if (Files.exists(python.resolve("../../pyvenv.cfg").normalize())) {
            return false;
        }
        try {
            Path real = python.toRealPath();
            Path libraries = real.resolve("../../lib").resolve(real.getFileName());
            return Files.exists(libraries.resolve("EXTERNALLY-MANAGED").normalize());
        } catch (IOException notThere) {
            return false;
        }
    }

    private String inEnvironment(String python, String module) {
        String folder = ".venvs/" + server.server().id();
        return "`" + python + " -m venv ~/" + folder + " && ~/" + folder + "/bin/pip install " + module
                + "` installs it outside of the system Python, if the package has the name of the module; then set"
                + " \"command\" to \"${HOME}/" + folder + "/bin/python\" at " + place("command");
    }

    private static String ofDocker(boolean isForbidden) {
        if (isForbidden) {
            return "`sudo usermod -aG docker \"$(id -un)\"` adds this user to the group docker at the next login";
        }
        String start = Files.isDirectory(Path.of("/run/systemd/system"))
                ? "`sudo systemctl start docker` starts it"
                : Files.isDirectory(Path.of("/Applications/Docker.app"))
                        ? "`open -a Docker` starts it"
                        : "start Docker Desktop, or the daemon (dockerd)";
        return start + "; `docker info` succeeds when it is running";
    }

    private String place(String... keys) {
        return server.place(keys);
    }
}
