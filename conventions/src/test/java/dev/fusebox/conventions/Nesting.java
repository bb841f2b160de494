package dev.fusebox.conventions;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.DoWhileLoopTree;
import com.sun.source.tree.EnhancedForLoopTree;
import com.sun.source.tree.ForLoopTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.SwitchExpressionTree;
import com.sun.source.tree.SwitchTree;
import com.sun.source.tree.SynchronizedTree;
import com.sun.source.tree.TryTree;
import com.sun.source.tree.WhileLoopTree;
import com.sun.source.util.TreeScanner;
import org.jspecify.annotations.Nullable;

/// The nesting depth of the statements of a method. For one thread, used once.
///
/// One level each: `if` (an `else if` stays on the level of its `if`), `for`, `while`, `do`, `switch` as statement
/// or expression (its cases add none), `try` (its `catch` and `finally` are on the same level), `synchronized`,
/// and a lambda with a block body. Plain blocks, labels and expression lambdas add none. The methods of a local or
/// anonymous type are measured separately.
final class Nesting extends TreeScanner<@Nullable Void, Integer> {
    private int deepest;

    private Nesting() {}

    static int of(MethodTree method) {
        var nesting = new Nesting();
        nesting.scan(method.getBody(), 0);
        return nesting.deepest;
    }

    @Override
    public @Nullable Void visitIf(IfTree tree, Integer level) {
        int inside = below(level);
        scan(tree.getCondition(), level);
        scan(tree.getThenStatement(), inside);
        return scan(
                tree.getElseStatement(), tree.getElseStatement() instanceof IfTree ? level : Integer.valueOf(inside));
    }

    @Override
    public @Nullable Void visitForLoop(ForLoopTree tree, Integer level) {
        return super.visitForLoop(tree, below(level));
    }

    @Override
    public @Nullable Void visitEnhancedForLoop(EnhancedForLoopTree tree, Integer level) {
        return super.visitEnhancedForLoop(tree, below(level));
    }

    @Override
    public @Nullable Void visitWhileLoop(WhileLoopTree tree, Integer level) {
        return super.visitWhileLoop(tree, below(level));
    }

    @Override
    public @Nullable Void visitDoWhileLoop(DoWhileLoopTree tree, Integer level) {
        return super.visitDoWhileLoop(tree, below(level));
    }

    @Override
    public @Nullable Void visitSwitch(SwitchTree tree, Integer level) {
        return super.visitSwitch(tree, below(level));
    }

    @Override
    public @Nullable Void visitSwitchExpression(SwitchExpressionTree tree, Integer level) {
        return super.visitSwitchExpression(tree, below(level));
    }

    @Override
    public @Nullable Void visitTry(TryTree tree, Integer level) {
        return super.visitTry(tree, below(level));
    }

    @Override
    public @Nullable Void visitSynchronized(SynchronizedTree tree, Integer level) {
        return super.visitSynchronized(tree, below(level));
    }

    @Override
    public @Nullable Void visitLambdaExpression(LambdaExpressionTree tree, Integer level) {
        boolean isBlock = tree.getBodyKind() == LambdaExpressionTree.BodyKind.STATEMENT;
        return super.visitLambdaExpression(tree, isBlock ? Integer.valueOf(below(level)) : level);
    }

    @Override
    public @Nullable Void visitClass(ClassTree tree, Integer level) {
        return null;
    }

    private int below(int level) {
        deepest = Math.max(deepest, level + 1);
        return level + 1;
    }
}
