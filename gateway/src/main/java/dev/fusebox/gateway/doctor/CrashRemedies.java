package dev.fusebox.gateway.doctor;

import dev.fusebox.world.FuseboxCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What a known cause of a crash means for this server, and what mends it. A name that comes out of a server's standard
/// error becomes part of a command only in the form that such names have. Thread-safe; asks the file system whether
/// folders are there.
final class CrashRemedies {
    private static final Pattern NPM_NAME = Pattern.compile("(@[a-z0-9~][a-z0-9._~-]*/)?[A-Za-z0-9~][A-Za-z0-9._~-]*");
    private static final Pattern PYTHON_NAME = Pattern.compile("[A-Za-z0-9_]+");
    private static final Pattern IMAGE_NAME = Pattern.compile("[a-z0-9][A-Za-z0-9._/:@-]*");

    private final Patient patient;
    private final String command;

    /// @param command the file that is started
    CrashRemedies(Patient patient, String command) {
        this.patient = patient;
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
            case CrashCause.UnreachableDocker(boolean isForbidden) ->
                isForbidden ? "this user may not use the Docker daemon" : "the Docker daemon does not run";
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
            case CrashCause.UnreachableDocker(boolean isForbidden) -> ofDocker(isForbidden);
        };
    }

    private String ofPackage(CrashCause.Installer installer, String name, boolean isVersion) {
        String correct = place("args") + ": correct the name of the " + (isVersion ? "version" : "package");
        boolean isPlain = NPM_NAME.matcher(name).matches();
        return switch (installer) {
            case NPM ->
                !isPlain
                        ? correct
                        : isVersion
                                ? correct + "; `npm view " + name + " versions` lists those that there are"
                                : correct + ", or log in if it is private; `npm view " + name + "` asks for it alone";
            case UV -> correct;
            case DOCKER ->
                place("args") + ": correct the name of the image, or log in if it is private"
                        + (IMAGE_NAME.matcher(name).matches() ? "; `docker pull " + name + "` asks for it alone" : "");
        };
    }

    /// npm itself looks for the package that a folder belongs to.
    private String ofNode(String module, @Nullable String from) {
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
        return isPython && PYTHON_NAME.matcher(first).matches()
                ? "`" + FuseboxCommand.quoted(command) + " -m pip install " + first
                        + "` installs it, if the package is called like the module"
                : place("args") + ": install the Python module " + first + " for the Python that runs the server";
    }

    private static String ofDocker(boolean isForbidden) {
        if (isForbidden) {
            return "`sudo usermod -aG docker \"$(id -un)\"` lets this user use it, from the next login on";
        }
        String start = Files.isDirectory(Path.of("/run/systemd/system"))
                ? "`sudo systemctl start docker` starts it"
                : Files.isDirectory(Path.of("/Applications/Docker.app"))
                        ? "`open -a Docker` starts it"
                        : "start Docker Desktop, or the daemon (dockerd)";
        return start + "; `docker info` tells when it runs";
    }

    private String place(String... keys) {
        return patient.place(keys);
    }
}
