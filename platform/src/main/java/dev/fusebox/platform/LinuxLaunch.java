package dev.fusebox.platform;

import dev.fusebox.platform.LaunchResult.Cause;
import dev.fusebox.platform.Libc.Arguments;
import dev.fusebox.platform.Libc.Errno;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One launch of a program on Linux. For one thread, used once.
///
/// Uses `posix_spawn` because it starts the program in a session of its own, reports exactly why it cannot, copies
/// no memory and never runs our code in the child.
final class LinuxLaunch {
    private static final MemorySegment SPAWN = Libc.find("posix_spawn");
    private static final MemorySegment ATTRIBUTES = Libc.find("posix_spawnattr_init");
    private static final MemorySegment SET_FLAGS = Libc.find("posix_spawnattr_setflags");
    private static final MemorySegment SET_DEFAULTS = Libc.find("posix_spawnattr_setsigdefault");
    private static final MemorySegment SET_MASK = Libc.find("posix_spawnattr_setsigmask");
    private static final MemorySegment ACTIONS = Libc.find("posix_spawn_file_actions_init");
    private static final MemorySegment FREE_ACTIONS = Libc.find("posix_spawn_file_actions_destroy");
    private static final MemorySegment DUPLICATE = Libc.find("posix_spawn_file_actions_adddup2");
    /// Since glibc 2.34 and 2.29 respectively.
    private static final Optional<MemorySegment> CLOSE_FROM =
            Libc.findIfThere("posix_spawn_file_actions_addclosefrom_np");

    private static final Optional<MemorySegment> CHANGE_DIRECTORY =
            Libc.findIfThere("posix_spawn_file_actions_addchdir_np");

    /// `POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID`
    private static final int FLAGS = 0x04 | 0x08 | 0x80;

    /// More than glibc (336 and 80) or musl need for spawn attributes, file actions or a signal set.
    private static final int STRUCTURE_BYTES = 1024;

    private static final int MAY_EXECUTE = 1;
    private static final int EXISTS = 0;
    private static final String USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";

    private final Arena arena;
    private final Program program;
    private final Errno errno;

    LinuxLaunch(Arena arena, Program program) {
        this.arena = arena;
        this.program = program;
        this.errno = new Errno(arena);
    }

    static boolean isPossible() {
        return CLOSE_FROM.isPresent() && CHANGE_DIRECTORY.isPresent();
    }

    LaunchResult run() {
        if (holdsNul()) {
            return new LaunchResult.Failed(Cause.OTHER, "the command line or the environment contains a NUL character");
        }
        String directory = absolute(program.directory());
        if (directory != null && Libc.access(errno, text(directory), MAY_EXECUTE) != 0) {
            return new LaunchResult.Failed(Cause.BAD_DIRECTORY, "no such working directory: " + program.directory());
        }
        int refusal = Libc.ENOENT;
        for (String candidate : candidates(directory == null ? System.getProperty("user.dir", "/") : directory)) {
            int answer = Libc.access(errno, text(candidate), MAY_EXECUTE);
            if (answer == 0) {
                return start(candidate, directory);
            }
            boolean isThere = Libc.access(errno, text(candidate), EXISTS) == 0;
            refusal = isThere ? Libc.EACCES : refusal;
        }
        return refusal == Libc.EACCES
                ? new LaunchResult.Failed(Cause.NOT_EXECUTABLE, "not executable: " + program.command())
                : new LaunchResult.Failed(Cause.NOT_FOUND, "command not found: " + program.command());
    }

    /// Executes the program in the place of this process; returns only if that fails.
    void replaceSelf() {
        if (holdsNul()) {
            return;
        }
        for (String candidate : candidates(System.getProperty("user.dir", "/"))) {
            if (Libc.access(errno, text(candidate), MAY_EXECUTE) == 0) {
                Libc.posix(
                        Libc.find("execve"),
                        errno,
                        new Arguments(
                                text(candidate).address(),
                                line(candidate, false).address(),
                                variables().address()));
            }
        }
    }

    private boolean holdsNul() {
        var texts = Stream.of(
                        Stream.of(program.command()),
                        program.arguments().stream(),
                        program.environment().keySet().stream(),
                        program.environment().values().stream(),
                        Stream.ofNullable(program.directory()))
                .flatMap(part -> part);
        return texts.anyMatch(text -> text.indexOf('\0') >= 0);
    }

    private static @Nullable String absolute(@Nullable String directory) {
        boolean isRelative = directory != null && !directory.startsWith("/");
        return isRelative ? System.getProperty("user.dir", "") + "/" + directory : directory;
    }

    /// The files that the command may refer to, in order of preference.
    private List<String> candidates(String directory) {
        String command = program.command();
        if (command.isEmpty()) {
            return List.of();
        }
        if (command.contains("/")) {
            return List.of(below(directory, command));
        }
        String path = program.environment().getOrDefault("PATH", USUAL_PATH);
        return Stream.of(path.split(":"))
                .map(folder -> below(directory, folder.isEmpty() ? command : folder + "/" + command))
                .toList();
    }

    private static String below(String directory, String file) {
        return file.startsWith("/") ? file : directory + "/" + file;
    }

    private LaunchResult start(String file, @Nullable String directory) {
        var pipes = new LinuxPipes(arena, errno);
        if (!pipes.open()) {
            pipes.closeAll();
            return shortage();
        }
        MemorySegment number = arena.allocate(Long.BYTES, Long.BYTES);
        int answer = spawn(file, directory, number, pipes);
        pipes.closeTheirs();
        if (answer != 0) {
            pipes.closeOurs();
            return refused(answer);
        }
        return pipes.attach(number.get(ValueLayout.JAVA_INT, 0));
    }

    private int spawn(String file, @Nullable String directory, MemorySegment number, LinuxPipes pipes) {
        MemorySegment actions = actions(directory, pipes);
        MemorySegment variables = variables();
        int answer = exec(number, file, actions, new NativeArguments(line(file, false), variables));
        // As every shell does, and `execvp`: an unknown format means a shell script.
        if (answer == Libc.ENOEXEC && isText(file)) {
            answer = exec(number, "/bin/sh", actions, new NativeArguments(line(file, true), variables));
        }
        Libc.posix(FREE_ACTIONS, errno, new Arguments(actions.address()));
        return answer;
    }

    private record NativeArguments(MemorySegment arguments, MemorySegment variables) {}

    private int exec(MemorySegment number, String file, MemorySegment actions, NativeArguments nativeArguments) {
        var words = new Arguments(
                number.address(),
                text(file).address(),
                actions.address(),
                attributes().address(),
                nativeArguments.arguments.address(),
                nativeArguments.variables.address());
        return Libc.posix(SPAWN, errno, words);
    }

    /// The JVM blocks and ignores signals in its own threads; a child that inherited that could not be terminated
    /// politely.
    private MemorySegment attributes() {
        MemorySegment attributes = structure();
        MemorySegment none = structure();
        MemorySegment all = structure().fill((byte) 0xff);
        Libc.posix(ATTRIBUTES, errno, new Arguments(attributes.address()));
        Libc.posix(SET_FLAGS, errno, new Arguments(attributes.address(), FLAGS));
        Libc.posix(SET_MASK, errno, new Arguments(attributes.address(), none.address()));
        Libc.posix(SET_DEFAULTS, errno, new Arguments(attributes.address(), all.address()));
        return attributes;
    }

    private MemorySegment actions(@Nullable String directory, LinuxPipes pipes) {
        MemorySegment actions = structure();
        long address = actions.address();
        Libc.posix(ACTIONS, errno, new Arguments(address));
        for (int standard = 0; standard <= 2; standard++) {
            Libc.posix(DUPLICATE, errno, new Arguments(address, pipes.theirs(standard), standard));
        }
        Libc.posix(CLOSE_FROM.orElseThrow(), errno, new Arguments(address, 3));
        if (directory != null) {
            Libc.posix(
                    CHANGE_DIRECTORY.orElseThrow(),
                    errno,
                    new Arguments(address, text(directory).address()));
        }
        return actions;
    }

    private MemorySegment line(String file, boolean byShell) {
        var line = new ArrayList<String>();
        line.add(byShell ? "sh" : program.command());
        if (byShell) {
            line.add(file);
        }
        line.addAll(program.arguments());
        return texts(line);
    }

    private MemorySegment variables() {
        return texts(program.environment().entrySet().stream()
                .map((Map.Entry<String, String> it) -> it.getKey() + "=" + it.getValue())
                .toList());
    }

    private MemorySegment texts(List<String> texts) {
        MemorySegment array = arena.allocate(ValueLayout.JAVA_LONG, texts.size() + 1L);
        for (int i = 0; i < texts.size(); i++) {
            array.setAtIndex(ValueLayout.JAVA_LONG, i, text(texts.get(i)).address());
        }
        return array;
    }

    private MemorySegment text(String text) {
        return arena.allocateFrom(text);
    }

    private MemorySegment structure() {
        return arena.allocate(STRUCTURE_BYTES, Long.BYTES);
    }

    private LaunchResult refused(int error) {
        return switch (error) {
            case Libc.ENOENT, Libc.ENOTDIR ->
                new LaunchResult.Failed(Cause.BAD_INTERPRETER, "interpreter of " + program.command() + " not found");
            case Libc.EACCES -> new LaunchResult.Failed(Cause.NOT_EXECUTABLE, "not executable: " + program.command());
            case Libc.ENOEXEC ->
                new LaunchResult.Failed(
                        Cause.BAD_INTERPRETER, "not executable on this machine (unknown format): " + program.command());
            case Libc.EAGAIN, Libc.ENOMEM, Libc.EMFILE, Libc.ENFILE -> shortage();
            default -> new LaunchResult.Failed(Cause.OTHER, "cannot start " + program.command() + ": error " + error);
        };
    }

    private static LaunchResult shortage() {
        return new LaunchResult.Failed(Cause.SHORTAGE, "no descriptors, processes or memory left to start a program");
    }

    private static boolean isText(String file) {
        try (var in = new FileInputStream(file)) {
            byte[] head = in.readNBytes(STRUCTURE_BYTES);
            for (byte each : head) {
                if (each == 0) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
