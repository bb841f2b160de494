package dev.fusebox.client.process;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Extractor of the stderr line with the cause of an exit. The last line is seldom that line: Node.js ends with
/// its version, npm with the name of its log, Docker with a hint at its help. Pure functions, thread-safe.
public final class CrashReason {
    /// A reason is part of one line of a log or a table.
    private static final int MAX_CHARACTERS = 500;

    private static final String CAUSED_BY = "; caused by ";

    /// Escape sequences of terminals (ECMA-48, 5.4 and 5.6), in their escaped form.
    private static final Pattern TERMINAL =
            Pattern.compile("\\\\x1b(\\[[0-?]*[ -/]*[@-~]|\\].*?(\\\\x07|\\\\x1b\\\\)|[@-Z^_])");

    private static final Pattern CARET = Pattern.compile("[\\^~]+");
    private static final Pattern FRAME = Pattern.compile("at .+|\\.\\.\\. \\d+ (more|common frames omitted)");
    private static final Pattern NODE_CAUSE = Pattern.compile("\\[cause\\]: (?<cause>[A-Z]\\w*.*)");
    private static final Pattern PROCESS_ID = Pattern.compile("^\\[\\d+] ");
    private static final Pattern NPM = Pattern.compile("npm (ERR!|error)(?<text>.*)");
    private static final Pattern NPM_CODE = Pattern.compile("code (?<code>\\S+)");
    private static final Pattern NPM_NOISE =
            Pattern.compile("(code|syscall|path|errno|dest) .*|A complete log of .*|Log files were .*|"
                    + "You can rerun .*|\\s*at .*|(npm )?[Ee]rror: *");
    /// npm ran a script, and the script failed.
    private static final Pattern NPM_SCRIPT = Pattern.compile("ELIFECYCLE|\\d+");

    private static final Pattern PYTHON_GROUP_BORDER = Pattern.compile("^[|+ -]+");
    private static final Pattern PYTHON_ERROR =
            Pattern.compile("([A-Za-z_]\\w*\\.)*[A-Z]\\w*(Error|Exception|Exit|Interrupt|NotFound|Warning)(: .*)?");
    private static final Pattern JAVA_THROWN =
            Pattern.compile("(Exception in thread \"[^\"]*\" )?(?<error>([a-z]\\w*\\.)+[A-Z][\\w$]*(: .*)?)");
    private static final Pattern RUST_PANIC = Pattern.compile("thread '[^']*' (\\(\\d+\\) )?(?<panic>panicked at .*)");
    private static final Pattern DOCKER = Pattern.compile("(docker|ERROR): (Error response|Cannot connect|.*daemon).*");
    private static final Pattern EXPLICIT =
            Pattern.compile("(?i)((fatal|critical|uncaught)( error)?|error( \\[\\w+\\])?|panic|[\\w.]+(Error|Exception)"
                    + "( \\[\\w+\\])?): \\S.*|FATAL ERROR: .*|\\[(error|fatal)\\].*");
    private static final Pattern NOISE = Pattern.compile("Node\\.js v\\d.*|[\\^~]+|at .+|exit status \\d+|"
            + "[\\[\\]{}(),;]+|npm (notice|warn|WARN)\\b.*|note: .*|hint: .*|(Run|See) '.* --help'.*|"
            + "\\(Use `node .*|\\.\\.\\. \\d+ more|goroutine \\d+ .*|-+|<---.*|\\d+: 0x.*");

    private CrashReason() {}

    /// A match and the index of its line: if several programs report errors, the last one is the one that exited.
    private record Found(int at, String text) {}

    /// The line with the reason, or the necessary parts of several lines; null if there is no line at all.
    ///
    /// @param tail the last lines, oldest first
    public static @Nullable String of(List<String> tail) {
        Found found = found(tail);
        return found == null ? null : shortened(found.text());
    }

    /// The index of that line, or of the first of several; -1 if there is no line at all.
    ///
    /// @param tail the last lines, oldest first
    public static int at(List<String> tail) {
        Found found = found(tail);
        return found == null ? -1 : found.at();
    }

    private static @Nullable Found found(List<String> tail) {
        List<String> plain = tail.stream()
                .map(line -> TERMINAL.matcher(line).replaceAll("").strip())
                .toList();
        // If there are only escape sequences, they are shown, because something was written.
        boolean isEmpty = plain.stream().allMatch(String::isEmpty);
        return ofPlain(isEmpty ? tail.stream().map(String::strip).toList() : plain);
    }

    private static @Nullable Found ofPlain(List<String> lines) {
        return Stream.of(node(lines), npm(lines), python(lines), java(lines), go(lines), rust(lines), uv(lines))
                .filter(Objects::nonNull)
                .max(Comparator.comparingInt(Found::at))
                .or(() -> Stream.of(nodeObject(lines), docker(lines), explicit(lines), last(lines))
                        .filter(Objects::nonNull)
                        .findFirst())
                .orElse(null);
    }

    private static String shortened(String text) {
        return text.length() <= MAX_CHARACTERS ? text : text.substring(0, MAX_CHARACTERS) + "...";
    }

    // ---- Formats

    /// The first line after the caret that points into the source, with the next line if it ends in a colon.
    private static @Nullable Found node(List<String> lines) {
        int caret = last(lines, CARET);
        int at = caret < 0 ? -1 : next(lines, caret);
        // Python also prints carets, in its tracebacks.
        boolean isPython = lines.stream().anyMatch(line -> line.contains("Traceback (most recent call last)"));
        if (at < 0 || isPython) {
            return null;
        }
        String error = lines.get(at);
        int after = next(lines, at);
        String more = error.endsWith(":") && after > 0 ? " " + lines.get(after) : "";
        return new Found(at, error + more + nodeCause(lines.subList(at, lines.size())));
    }

    /// An error that the program printed as an object, with its cause and the members of both below the stack
    /// frames. Each may begin with the process id.
    private static @Nullable Found nodeObject(List<String> lines) {
        int at = last(lines, NODE_CAUSE) - 1;
        while (at >= 0
                && (lines.get(at).isEmpty() || FRAME.matcher(lines.get(at)).matches())) {
            at--;
        }
        if (at < 0) {
            return null;
        }
        String error = PROCESS_ID.matcher(lines.get(at)).replaceFirst("");
        return new Found(at, error + nodeCause(lines.subList(at, lines.size())));
    }

    private static String nodeCause(List<String> lines) {
        return lines.stream()
                .map(NODE_CAUSE::matcher)
                .filter(Matcher::matches)
                .map(match -> CAUSED_BY + match.group("cause"))
                .findFirst()
                .orElse("");
    }

    private static @Nullable Found npm(List<String> lines) {
        List<String> messages = new ArrayList<>();
        String code = "";
        int at = -1;
        for (int i = 0; i < lines.size(); i++) {
            Matcher npm = NPM.matcher(lines.get(i));
            if (npm.matches()) {
                Matcher named = NPM_CODE.matcher(npm.group("text").strip());
                code = named.matches() ? named.group("code") : code;
                messages.add(npm.group("text").strip());
                at = i;
            }
        }
        if (at < 0 || NPM_SCRIPT.matcher(code).matches()) {
            return null;
        }
        String text = npm(code, messages);
        return new Found(at, code.isEmpty() ? "npm: " + text : "npm " + code + ": " + text);
    }

    /// The message of npm for this code, else its first message.
    private static String npm(String code, List<String> messages) {
        String prefix = code.startsWith("E") ? code.substring(1) : code;
        Pattern own =
                Pattern.compile("(" + Pattern.quote(prefix) + "|notarget) +(?<own>\\S.*)", Pattern.CASE_INSENSITIVE);
        Pattern thrown = Pattern.compile("\\[?Error: " + Pattern.quote(code) + ": (?<own>.*)");
        List<String> matches = Stream.of(thrown, own)
                .flatMap(pattern -> messages.stream()
                        .map(pattern::matcher)
                        .filter(Matcher::matches)
                        .map(match -> match.group("own")))
                .toList();
        return matches.stream()
                .filter(line -> line.contains("requested resource") || line.contains("not in this registry"))
                .findFirst()
                .or(() -> matches.stream().findFirst())
                .or(() -> call(messages))
                .or(() -> messages.stream()
                        .filter(line ->
                                !line.isEmpty() && !NPM_NOISE.matcher(line).matches())
                        .findFirst())
                .orElse("no reason given");
    }

    /// The failed system call, where npm names nothing else.
    private static Optional<String> call(List<String> messages) {
        Optional<String> call = messages.stream()
                .filter(line -> line.startsWith("syscall "))
                .map(line -> line.substring("syscall ".length()))
                .findFirst();
        return call.flatMap(name -> messages.stream()
                .filter(line -> line.startsWith("path "))
                .map(line -> name + " " + line.substring("path ".length()))
                .findFirst());
    }

    /// The last error below a traceback, also of the innermost exception of a group.
    private static @Nullable Found python(List<String> lines) {
        Found found = null;
        boolean isBelow = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = PYTHON_GROUP_BORDER.matcher(lines.get(i)).replaceFirst("");
            isBelow |= line.contains("Traceback (most recent call last):");
            if (isBelow && PYTHON_ERROR.matcher(line).matches()) {
                found = new Found(i, line);
            }
        }
        return found;
    }

    /// The exception thrown last, with its innermost cause.
    private static @Nullable Found java(List<String> lines) {
        Found thrown = null;
        String cause = "";
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            Matcher match = JAVA_THROWN.matcher(line);
            if (match.matches()) {
                thrown = new Found(i, match.group("error"));
                cause = "";
            } else if (line.startsWith("Error: ")) {
                thrown = new Found(i, line);
                cause = "";
            } else if (line.startsWith("Caused by: ") && line.length() > "Caused by: ".length()) {
                cause = CAUSED_BY + line.substring("Caused by: ".length());
            }
        }
        if (thrown == null || (thrown.text().startsWith("Error: ") && cause.isEmpty())) {
            return null;
        }
        return new Found(thrown.at(), thrown.text() + cause);
    }

    private static @Nullable Found go(List<String> lines) {
        boolean isGo = lines.stream().anyMatch(line -> line.startsWith("goroutine "));
        for (int i = lines.size() - 1; isGo && i >= 0; i--) {
            if (lines.get(i).startsWith("panic: ") || lines.get(i).startsWith("fatal error: ")) {
                return new Found(i, lines.get(i));
            }
        }
        return null;
    }

    /// Since Rust 1.73 the message is on the line after the location; a chain of causes has a heading of its own.
    private static @Nullable Found rust(List<String> lines) {
        for (int i = lines.size() - 1; i >= 0; i--) {
            Matcher panic = RUST_PANIC.matcher(lines.get(i));
            if (panic.matches()) {
                String text = panic.group("panic");
                boolean goesOn = text.endsWith(":") && i + 1 < lines.size();
                return new Found(i, goesOn ? text + " " + lines.get(i + 1) : text);
            }
        }
        int causes = lines.lastIndexOf("Caused by:");
        int error = causes < 0 ? -1 : last(lines.subList(0, causes), EXPLICIT);
        int cause = causes < 0 ? -1 : next(lines, causes);
        return error < 0 || cause < 0
                ? null
                : new Found(
                        error, lines.get(error) + CAUSED_BY + lines.get(cause).replaceFirst("^\\d+: ", ""));
    }

    /// The branch below a failed resolution, which is wrapped over several lines.
    private static @Nullable Found uv(List<String> lines) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith("╰─▶ ")) {
                String rest = String.join(
                        " ",
                        lines.subList(i, lines.size()).stream()
                                .takeWhile(line -> !line.isEmpty() && !line.startsWith("hint:"))
                                .toList());
                return new Found(i, "uv: " + rest.substring("╰─▶ ".length()));
            }
            if (lines.get(i).startsWith("An executable named ")) {
                return new Found(i, lines.get(i));
            }
        }
        return null;
    }

    private static @Nullable Found docker(List<String> lines) {
        int at = last(lines, DOCKER);
        return at < 0 ? null : new Found(at, lines.get(at));
    }

    // ---- Any program

    private static @Nullable Found explicit(List<String> lines) {
        int at = last(lines, EXPLICIT);
        int cause = at < 0 ? -1 : next(lines, at);
        boolean hasCause = cause > 0 && lines.get(cause).startsWith("Caused by: ");
        String more = hasCause ? CAUSED_BY + lines.get(cause).substring("Caused by: ".length()) : "";
        return at < 0 ? null : new Found(at, lines.get(at) + more);
    }

    /// The last line that is not a trailer; the last trailer if there is nothing else.
    private static @Nullable Found last(List<String> lines) {
        for (int i = lines.size() - 1; i >= 0; i--) {
            if (!lines.get(i).isEmpty() && !NOISE.matcher(lines.get(i)).matches()) {
                return new Found(i, lines.get(i));
            }
        }
        return lines.isEmpty() || lines.getLast().isEmpty() ? null : new Found(lines.size() - 1, lines.getLast());
    }

    private static int last(List<String> lines, Pattern pattern) {
        for (int i = lines.size() - 1; i >= 0; i--) {
            if (pattern.matcher(lines.get(i)).matches()) {
                return i;
            }
        }
        return -1;
    }

    /// The next line with text; negative if there is none.
    private static int next(List<String> lines, int after) {
        for (int i = after + 1; i < lines.size(); i++) {
            if (!lines.get(i).isEmpty() && !FRAME.matcher(lines.get(i)).matches()) {
                return i;
            }
        }
        return -1;
    }
}
