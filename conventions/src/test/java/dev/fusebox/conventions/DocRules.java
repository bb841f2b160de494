package dev.fusebox.conventions;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.ExportsTree;
import com.sun.source.tree.ModuleTree;
import com.sun.source.tree.Tree;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;

/// The rules for doc comments of public types. Stateless.
final class DocRules {
    private static final Pattern SAYS_SOMETHING_ON_THREADS =
            Pattern.compile("(?i)thread|immutable|concurren|\\bblocks?\\b|\\bwaits?\\b");

    private DocRules() {}

    /// The packages that a module of the checkout exports.
    static Set<String> exportedPackages(List<Source> sources) {
        return sources.stream()
                .map(source -> source.unit().getModule())
                .filter(ModuleTree.class::isInstance)
                .flatMap(module -> module.getDirectives().stream())
                .filter(ExportsTree.class::isInstance)
                .map(exports -> ((ExportsTree) exports).getPackageName().toString())
                .collect(Collectors.toUnmodifiableSet());
    }

    /// Every public top-level type of main code has a doc comment.
    static Stream<String> missingDocs(Source source) {
        return publicTypes(source)
                .filter(type -> source.docOf(type).filter(doc -> !doc.isBlank()).isEmpty())
                .map(type -> source.at(type) + type.getSimpleName() + " has no doc comment");
    }

    /// Types that users share among threads document their thread safety: classes, and interfaces that others
    /// implement. Exempt are values (records, enums, annotations, exceptions and sealed interfaces) and functional
    /// interfaces, whose caller documents from which thread it calls them.
    static Stream<String> silentOnThreads(Source source, Set<String> exported) {
        String inPackage = String.valueOf(source.unit().getPackageName());
        return publicTypes(source)
                .filter(type -> exported.contains(inPackage) && !isValue(type))
                .filter(type -> source.docOf(type)
                        .filter(SAYS_SOMETHING_ON_THREADS.asPredicate())
                        .isEmpty())
                .map(type -> source.at(type) + type.getSimpleName()
                        + " does not say whether it is thread-safe and what blocks");
    }

    private static Stream<ClassTree> publicTypes(Source source) {
        Predicate<ClassTree> isPublic = type -> type.getModifiers().getFlags().contains(Modifier.PUBLIC);
        return Stream.of(source)
                .filter(Source::isMain)
                .flatMap(it -> it.unit().getTypeDecls().stream())
                .filter(ClassTree.class::isInstance)
                .map(ClassTree.class::cast)
                .filter(isPublic);
    }

    private static boolean isValue(ClassTree type) {
        return switch (type.getKind()) {
            case CLASS -> isException(type);
            case INTERFACE -> type.getModifiers().getFlags().contains(Modifier.SEALED) || isFunctional(type);
            default -> true;
        };
    }

    private static boolean isException(ClassTree type) {
        Tree above = type.getExtendsClause();
        return above != null && above.toString().matches(".*(Exception|Error)");
    }

    private static boolean isFunctional(ClassTree type) {
        return type.getModifiers().getAnnotations().stream()
                .anyMatch(it -> it.getAnnotationType().toString().equals("FunctionalInterface"));
    }
}
