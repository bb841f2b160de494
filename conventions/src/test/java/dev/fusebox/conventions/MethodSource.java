package dev.fusebox.conventions;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import org.jspecify.annotations.Nullable;

/// A method or constructor in a source, with its enclosing type. Includes those of local and anonymous types.
/// Immutable.
record MethodSource(Source source, ClassTree owner, MethodTree tree) {
    private static final Pattern TEST = Pattern.compile("Test|\\w+Test|TestFactory|Property|Example");

    static List<MethodSource> in(Source source) {
        var found = new ArrayList<MethodSource>();
        new TreeScanner<@Nullable Void, ClassTree>() {
            @Override
            public @Nullable Void visitClass(ClassTree type, @Nullable ClassTree around) {
                return super.visitClass(type, type);
            }

            @Override
            public @Nullable Void visitMethod(MethodTree method, ClassTree around) {
                found.add(new MethodSource(source, around, method));
                return super.visitMethod(method, around);
            }
        }.scan(source.unit(), null);
        return found;
    }

    String name() {
        boolean isConstructor = tree.getReturnType() == null;
        return isConstructor ? owner.getSimpleName().toString() : tree.getName().toString();
    }

    String place() {
        return source.at(tree) + name() + " ";
    }

    boolean hasBody() {
        return tree.getBody() != null;
    }

    /// Lines from the first line of the declaration to its closing brace. Annotations do not count; blank lines
    /// and comments inside do.
    int length() {
        return (int) (source.lastLine(tree) - source.firstLineAfterModifiers(tree, tree.getModifiers()) + 1);
    }

    int parameters() {
        return tree.getParameters().size();
    }

    boolean isTest() {
        return annotations().anyMatch(name -> TEST.matcher(name).matches());
    }

    boolean isOverride() {
        return annotations().anyMatch("Override"::equals);
    }

    boolean isConstructorOfRecord() {
        return owner.getKind() == Tree.Kind.RECORD
                && tree.getReturnType() == null
                && typesOf(tree.getParameters().stream()).equals(typesOf(components()));
    }

    Stream<String> annotations() {
        return tree.getModifiers().getAnnotations().stream()
                .map(annotation -> annotation.getAnnotationType().toString())
                .map(name -> name.substring(name.lastIndexOf('.') + 1));
    }

    private Stream<VariableTree> components() {
        return owner.getMembers().stream()
                .filter(VariableTree.class::isInstance)
                .map(VariableTree.class::cast)
                .filter(field -> !field.getModifiers().getFlags().contains(Modifier.STATIC));
    }

    private static List<String> typesOf(Stream<? extends VariableTree> variables) {
        return variables.map(variable -> String.valueOf(variable.getType())).toList();
    }
}
