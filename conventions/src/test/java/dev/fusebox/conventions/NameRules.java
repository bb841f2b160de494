package dev.fusebox.conventions;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The rules for names of types, methods and tests. Stateless.
final class NameRules {
    private static final Pattern EMPTY_NAMES = Pattern.compile(
            "I[A-Z][a-z]\\w*|(Abstract|Default)([A-Z]\\w*)?|\\w*(Impl|Utils?|Helper|Manager|Processor)");
    private static final Pattern GETTER = Pattern.compile("get[A-Z]\\w*");
    private static final Pattern SENTENCE = Pattern.compile("[a-z][a-zA-Z0-9]*(_[a-zA-Z0-9]+)+");
    private static final Pattern SWITCHED_OFF = Pattern.compile("(.*\\.)?(Disabled|Ignore)");

    /// Modules that are not shipped to users; the fixtures are not either, but most tests use them.
    private static final Set<String> UNSHIPPED = Set.of("bench", "examples", "races", "simulation");

    /// The library has no dependencies, so it cannot use the clock of the platform.
    private static final Set<String> NAMED_TWICE = Set.of("Ticker");

    private NameRules() {}

    static Stream<String> meaninglessTypeNames(Source source) {
        return typesIn(source).stream()
                .filter(type -> EMPTY_NAMES.matcher(type.getSimpleName()).matches())
                .map(type -> source.at(type) + type.getSimpleName() + " has a meaningless prefix or suffix");
    }

    /// Top-level types of shipped modules with the same simple name as another.
    static Stream<String> typesNamedTwice(List<Source> sources) {
        Map<String, List<String>> places = new TreeMap<>();
        sources.stream()
                .filter(NameRules::isShipped)
                .forEach(source -> source.unit().getTypeDecls().stream()
                        .filter(ClassTree.class::isInstance)
                        .map(ClassTree.class::cast)
                        .forEach(type -> places.computeIfAbsent(
                                        type.getSimpleName().toString(), name -> new ArrayList<>())
                                .add(source.name())));
        return places.entrySet().stream()
                .filter(each -> each.getValue().size() > 1 && !NAMED_TWICE.contains(each.getKey()))
                .map(each -> each.getKey() + " is the name of several types: " + each.getValue());
    }

    private static boolean isShipped(Source source) {
        return source.isMain() && !UNSHIPPED.contains(source.module());
    }

    /// Only for methods of our own naming: overriding methods carry `@Override`.
    static Stream<String> getters(Source source) {
        return MethodSource.in(source).stream()
                .filter(method -> method.parameters() == 0 && !method.isOverride())
                .filter(method -> GETTER.matcher(method.name()).matches())
                .map(method -> method.place() + "must not have a get prefix");
    }

    static Stream<String> testsWithoutSentence(Source source) {
        return MethodSource.in(source).stream()
                .filter(MethodSource::isTest)
                .filter(method -> !SENTENCE.matcher(method.name()).matches())
                .map(method -> method.place() + "is not a sentence_with_underscores");
    }

    static Stream<String> disabledTests(Source source) {
        var found = new ArrayList<String>();
        new TreeScanner<@Nullable Void, @Nullable Void>() {
            @Override
            public @Nullable Void visitAnnotation(AnnotationTree annotation, @Nullable Void nothing) {
                String name = annotation.getAnnotationType().toString();
                if (SWITCHED_OFF.matcher(name).matches()) {
                    found.add(source.at(annotation) + "a test is disabled by @" + name);
                }
                return super.visitAnnotation(annotation, null);
            }
        }.scan(source.unit(), null);
        return found.stream();
    }

    private static List<ClassTree> typesIn(Source source) {
        var found = new ArrayList<ClassTree>();
        new TreeScanner<@Nullable Void, @Nullable Void>() {
            @Override
            public @Nullable Void visitClass(ClassTree type, @Nullable Void nothing) {
                found.add(type);
                return super.visitClass(type, null);
            }
        }.scan(source.unit(), null);
        return found;
    }
}
