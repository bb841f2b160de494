package dev.fusebox.gateway.doctor;

import dev.fusebox.config.CommandWords;
import dev.fusebox.platform.FuseboxCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What a known cause of a crash means for this server, and what mends it. A name that comes out of a server's
/// standard error becomes part of a command only in the form that such names have. Thread-safe; asks the file
/// system whether folders are there.
final class CrashRemedies {
    private static final Pattern NPM_NAME = Pattern.compile("(@[a-z0-9~][a-z0-9._~-]*/)?[A-Za-z0-9~][A-Za-z0-9._~-]*");
    private static final Pattern PYTHON_NAME = Pattern.compile("[A-Za-z0-9_]+");
    private static final Pattern IMAGE_NAME = Pattern.compile("[a-z0-9][A-Za-z0-9._/:@-]*");

    private final DiagnosedServer server;
    private final String command;

    /// @param command the file that is started
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
                        + " is not installed" + (from == null ? "" : ", which " + from + " loads");
            case CrashCause.MissingFile(String path) -> "there is no file " + path;
            case CrashCause.StaleNpxCache(String folder) -> "the copy of the package in the cache of npx is incomplete";
            case CrashCause.NpxUnconfirmed _ -> "npx may not install the package without \"-y\"";
            case CrashCause.MissingPath(String path) -> "there is no " + path;
            case CrashCause.UnreachableDocker(boolean isForbidden) ->
                isForbidden ? "this user may not use the Docker daemon" : "the Docker daemon does not run";
            case CrashCause.UnsetVariable(String name) -> "the server needs the environment variable " + name;
            case CrashCause.NestedGateway(String file) ->
                "it starts Fusebox itself with " + file + ", which would start it again without end";
        };
    }

    private static String unknown(CrashCause.Installer installer, String name, @Nullable String version) {
        return switch (installer) {
            case NPM ->
                version == null
                        ? "npm finds no package " + name
                        : "npm finds no version " + version + " of the package " + name;
            case UV -> "uv finds no package " + name;
            case DOCKER -> "Docker finds no image " + name;
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
                "`rm -rf " + FuseboxCommand.quoted(folder) + "` removes that copy; the next start installs it anew";
            case CrashCause.NpxUnconfirmed _ ->
                place("args") + ": put \"-y\" in front of the package: \"args\": " + confirmed();
            case CrashCause.MissingPath(String path) -> ofPath(path);
            case CrashCause.UnreachableDocker(boolean isForbidden) -> ofDocker(isForbidden);
            case CrashCause.UnsetVariable(String name) ->
                place("env") + ": write \"env\": {\"" + name + "\": \"${" + name + "}\"}, and `export " + name
                        + "=VALUE` where Fusebox is started";
            case CrashCause.NestedGateway(String file) ->
                "`" + FuseboxCommand.onFile("remove", server.server().id()) + "` takes it out";
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

    /// The arguments as they are written, with consent and without its opposite.
    private String confirmed() {
        Stream<String> others = server.args().stream()
                .filter(arg -> !arg.equals("--no") && !arg.equals("--no-install") && !arg.equals("--yes=false"));
        return CommandWords.array(Stream.concat(Stream.of("-y"), others));
    }

    private String ofPath(String path) {
        boolean isFolder = server.args().contains(path)
                && !path.substring(path.lastIndexOf('/') + 1).contains(".");
        return isFolder
                ? place("args") + ": make the folder or correct the argument; `mkdir -p " + FuseboxCommand.quoted(path)
                        + "` makes it"
                : place("args") + ": correct what names " + path + ", or make it";
    }

    /// Of a module that is a part of a package: `@scope/name/part.js`, `name/part.js`.
    private static String packageOf(String module) {
        String[] parts = module.split("/", -1);
        int count = module.startsWith("@") ? 2 : 1;
        return parts.length <= count ? module : String.join("/", List.of(parts).subList(0, count));
    }

    /// npm itself looks for the package that a folder belongs to.
    private String ofNode(String part, @Nullable String from) {
        String module = packageOf(part);
        Path folder =
                from == null || !from.startsWith("/") ? null : Path.of(from).getParent();
        return folder == null
                        || !Files.isDirectory(folder)
                        || !NPM_NAME.matcher(module).matches()
                ? place("args") + ": install the server's dependencies, " + module + " among them, with npm install"
                : "`cd " + FuseboxCommand.quoted(folder.toString()) + " && npm install " + module + "` installs it";
    }

    /// Packages are mostly called like the module that they bring.
    private String ofPython(String module) {
        String first = module.split("\\.", 2)[0];
        boolean isPython = command.substring(command.lastIndexOf('/') + 1).startsWith("python");
        if (!isPython || !PYTHON_NAME.matcher(first).matches()) {
            return place("args") + ": install the Python module " + first + " for the Python that runs the server";
        }
        String python = FuseboxCommand.quoted(command);
        return isExternallyManaged(Path.of(command))
                ? inEnvironment(python, first)
                : "`" + python + " -m pip install " + first + "` installs it, if the package is called like the module";
    }

    /// Whether the system's packages own this Python, so that pip refuses to install anything into it (PEP 668).
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
                + "` installs it beside the Python of the system, if the package is called like the module; then set"
                + " \"command\" to \"${HOME}/" + folder + "/bin/python\" at " + place("command");
    }

    private static String ofDocker(boolean isForbidden) {
        if (isForbidden) {
            return "`sudo usermod -aG docker \"$(id -un)\"` adds this user to the group docker, from the next login on";
        }
        String start = Files.isDirectory(Path.of("/run/systemd/system"))
                ? "`sudo systemctl start docker` starts it"
                : Files.isDirectory(Path.of("/Applications/Docker.app"))
                        ? "`open -a Docker` starts it"
                        : "start Docker Desktop, or the daemon (dockerd)";
        return start + "; `docker info` tells when it runs";
    }

    private String place(String... keys) {
        return server.place(keys);
    }
}
