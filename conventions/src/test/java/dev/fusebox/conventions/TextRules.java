package dev.fusebox.conventions;

import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The rules for lines, comments and sleeping. Stateless.
final class TextRules {
    static final int WIDTH = 120;

    private static final Pattern PUT_OFF = Pattern.compile("\\b(TODO|FIXME|XXX)\\b");

    /// A comment line is code when it opens or closes a block, or when it ends in `;` and also has a feature of a
    /// statement: a call, a string or an index before the `;`, an assignment, or a leading keyword. Prose may end
    /// a line in `;` as well.
    private static final Pattern CODE = Pattern.compile(".*\\{|}|.*[)\"\\]];|.* = .*;"
            + "|(return|throw|import|package|break|continue|final|var|int|long|boolean|private|public)\\b.*;");

    private static final Pattern SLEEPER = Pattern.compile("(.*\\.)?(Thread|TimeUnit(\\..*)?|[A-Z]+SECONDS)");

    /// Calls that start processes: directly, except `mkfifo`, which ends at once, or by a test harness.
    private static final Pattern PROCESS_STARTER =
            Pattern.compile("new ProcessBuilder\\((?!\"mkfifo\")|new Checkout\\(|\\bSingleServerHarness\\.server\\("
                    + "|\\b(RunningGateway|Configured|Launched|Terminal)\\.");

    /// Symbols that editors show for line ends, tabs and blanks; in a file they are left over from an edit.
    private static final Pattern SYMBOL = Pattern.compile("[\u21B5\u23CE\u240A\u240D\u2423\u2424]");

    private TextRules() {}

    static Stream<String> deferredWork(Source source) {
        return commentLines(source, Comment::text, PUT_OFF.asPredicate(), "defers work; do it, or remove the comment");
    }

    static Stream<String> codeInComments(Source source) {
        return commentLines(source, Comment::prose, CODE.asMatchPredicate(), "is code in a comment");
    }

    static Stream<String> tooWideLines(Source source) {
        return lines(
                source.name(),
                source.text(),
                line -> line.length() > WIDTH && !line.startsWith("import "),
                "is wider than " + WIDTH);
    }

    /// For every hand-written text except prose, in which two blanks at the end of a line have a meaning.
    static Stream<String> untidyWhiteSpace(String name, String text) {
        return Stream.concat(
                lines(name, text, line -> line.contains("\t"), "has a tab"),
                Stream.concat(
                        lines(name, text, SYMBOL.asPredicate(), "has a symbol for white space"),
                        lines(name, text, line -> !line.equals(line.stripTrailing()), "ends in white space")));
    }

    static Stream<String> sleeps(Source source) {
        var found = new ArrayList<String>();
        new TreeScanner<@Nullable Void, @Nullable Void>() {
            @Override
            public @Nullable Void visitMemberSelect(MemberSelectTree tree, @Nullable Void nothing) {
                note(tree.getExpression(), tree.getIdentifier());
                return super.visitMemberSelect(tree, null);
            }

            @Override
            public @Nullable Void visitMemberReference(MemberReferenceTree tree, @Nullable Void nothing) {
                note(tree.getQualifierExpression(), tree.getName());
                return super.visitMemberReference(tree, null);
            }

            private void note(ExpressionTree type, CharSequence member) {
                if (member.toString().equals("sleep")
                        && SLEEPER.matcher(type.toString()).matches()) {
                    found.add(source.at(type) + "sleeps; wait for a condition, with a limit");
                }
            }
        }.scan(source.unit(), null);
        return found.stream();
    }

    /// The tests of this module contain such calls in the texts that they check.
    static Stream<String> processesWithoutTag(Source source) {
        boolean isTest = source.name().endsWith("Test.java") && !source.name().startsWith("conventions/");
        boolean isTagged = source.text().contains("@Tag(\"");
        return isTest && !isTagged && PROCESS_STARTER.matcher(source.text()).find()
                ? Stream.of(source.name() + " starts processes and has no @Tag(\"process\")")
                : Stream.empty();
    }

    private static Stream<String> commentLines(
            Source source, Function<Comment, String> part, Predicate<String> bad, String verdict) {
        return Comment.in(source.text()).stream().flatMap(comment -> {
            List<String> lines = part.apply(comment).lines().toList();
            return IntStream.range(0, lines.size())
                    .filter(i -> bad.test(lines.get(i).strip()))
                    .mapToObj(i ->
                            source.at(comment.line() + i) + "'" + lines.get(i).strip() + "' " + verdict);
        });
    }

    private static Stream<String> lines(String name, String text, Predicate<String> bad, String verdict) {
        List<String> lines = text.lines().toList();
        return IntStream.range(0, lines.size())
                .filter(i -> bad.test(lines.get(i)))
                .mapToObj(i -> name + ":" + (i + 1) + ": " + verdict);
    }
}
