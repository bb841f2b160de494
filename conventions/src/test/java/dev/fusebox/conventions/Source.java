package dev.fusebox.conventions;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.TreePath;
import java.util.List;
import java.util.Optional;

/// A parsed Java source: its path from the root of the checkout, its text and its tree. Used by one thread at a
/// time, as the compiler's trees require.
record Source(String name, String text, CompilationUnitTree unit, DocTrees trees) {
    boolean isMain() {
        return name.contains("src/main/java/");
    }

    /// The folder of its module.
    String module() {
        return name.substring(0, name.indexOf('/'));
    }

    List<String> lines() {
        return text.lines().toList();
    }

    /// The position of a tree, for messages.
    String at(Tree tree) {
        return at(firstLine(tree));
    }

    String at(long line) {
        return name + ":" + line + ": ";
    }

    long firstLine(Tree tree) {
        return lineAt(trees.getSourcePositions().getStartPosition(unit, tree));
    }

    long lastLine(Tree tree) {
        return lineAt(trees.getSourcePositions().getEndPosition(unit, tree) - 1);
    }

    /// The first line after the annotations and modifiers.
    long firstLineAfterModifiers(Tree tree, Tree modifiers) {
        long end = trees.getSourcePositions().getEndPosition(unit, modifiers);
        if (end < 0) {
            return firstLine(tree);
        }
        int next = (int) end;
        while (Character.isWhitespace(text.charAt(next))) {
            next++;
        }
        return lineAt(next);
    }

    Optional<String> docOf(Tree tree) {
        return Optional.ofNullable(trees.getDocComment(TreePath.getPath(unit, tree)));
    }

    private long lineAt(long position) {
        return unit.getLineMap().getLineNumber(position);
    }
}
