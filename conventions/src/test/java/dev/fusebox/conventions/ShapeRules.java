package dev.fusebox.conventions;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The rules for length, depth and width of methods and files. Stateless.
final class ShapeRules {
    static final int LINES_OF_A_METHOD = 60;
    static final int LINES_OF_A_FILE = 500;
    static final int LEVELS = 3;
    static final int PARAMETERS = 4;
    static final int SOFT_LINES_OF_A_METHOD = 16;
    static final int SOFT_LINES_OF_A_FILE = 250;

    /// Modules whose code no user gets.
    private static final Set<String> UNSHIPPED = Set.of("bench", "examples", "fixtures", "races", "simulation");

    private static final Pattern BLOCK_COMMENT = Pattern.compile("(?ms)^ *+/\\*.*?\\*/");

    private ShapeRules() {}

    static Stream<String> tooLongFiles(Source source) {
        int lines = source.lines().size();
        return Stream.of(source)
                .filter(it -> lines > LINES_OF_A_FILE)
                .map(it -> it.at(1) + "has " + lines + " lines, at most " + LINES_OF_A_FILE);
    }

    static Stream<String> tooLongMethods(Source source) {
        return withBody(source)
                .filter(method -> method.length() > LINES_OF_A_METHOD)
                .map(method -> method.place() + "has " + method.length() + " lines, at most " + LINES_OF_A_METHOD);
    }

    static Stream<String> tooDeepMethods(Source source) {
        return withBody(source)
                .filter(method -> Nesting.of(method.tree()) > LEVELS)
                .map(method -> method.place() + "is nested " + Nesting.of(method.tree()) + " deep, at most " + LEVELS);
    }

    /// Not for tests, whose parameters come from their source of values, for methods whose signature a supertype
    /// determines, and for the canonical constructor of a record.
    static Stream<String> tooManyParameters(Source source) {
        return MethodSource.in(source).stream()
                .filter(method -> !method.isTest() && !method.isOverride() && !method.isConstructorOfRecord())
                .filter(method -> method.parameters() > PARAMETERS)
                .map(method -> method.place() + "takes " + method.parameters() + " parameters, at most " + PARAMETERS
                        + "; make a record of them");
    }

    static Figures lengthsOfMethods(List<Source> sources) {
        return Figures.of(sources.stream().flatMap(ShapeRules::withBody).mapToInt(MethodSource::length));
    }

    static Figures lengthsOfFiles(List<Source> sources) {
        return Figures.of(sources.stream().mapToInt(source -> source.lines().size()));
    }

    /// The soft limits apply to nine tenths, not to each.
    static List<String> softLimitsBroken(Figures methods, Figures files) {
        var broken = new ArrayList<String>();
        if (methods.p90() > SOFT_LINES_OF_A_METHOD) {
            broken.add("methods: " + methods + ", p90 at most " + SOFT_LINES_OF_A_METHOD);
        }
        if (files.p90() > SOFT_LINES_OF_A_FILE) {
            broken.add("files: " + files + ", p90 at most " + SOFT_LINES_OF_A_FILE);
        }
        return broken;
    }

    /// Lines of all shipped modules together, without blank lines and lines of comments.
    static long shippedLines(List<Source> sources) {
        return sources.stream()
                .filter(source -> source.isMain() && !UNSHIPPED.contains(source.module()))
                .flatMap(source ->
                        BLOCK_COMMENT.matcher(source.text()).replaceAll("").lines())
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("//"))
                .count();
    }

    private static Stream<MethodSource> withBody(Source source) {
        return MethodSource.in(source).stream().filter(MethodSource::hasBody);
    }
}
