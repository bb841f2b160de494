package dev.fusebox.worker;

import com.oracle.js.parser.ErrorManager;
import com.oracle.js.parser.Parser;
import com.oracle.js.parser.ParserException;
import com.oracle.js.parser.ScriptEnvironment;
import com.oracle.js.parser.ir.Block;
import com.oracle.js.parser.ir.Expression;
import com.oracle.js.parser.ir.ExpressionStatement;
import com.oracle.js.parser.ir.FunctionNode;
import com.oracle.js.parser.ir.Statement;
import org.graalvm.polyglot.Source;
import org.jspecify.annotations.Nullable;

/// The conversion of a script to an asynchronous function, so that it may await and return, and so that the value
/// of its last expression is its result. Stateless, thread-safe.
final class AsyncScript {
    /// The name of the script in messages of the engine.
    static final String NAME = "script.js";

    /// On the first line of the script, so that line numbers match the author's.
    private static final String HEAD = "(async () => {";

    private static final String TAIL = "\n})";

    private static final int LANGUAGE = 16;

    private AsyncScript() {}

    static Source of(String code) {
        String whole = HEAD + code + TAIL;
        return Source.newBuilder("js", returning(whole, lastExpression(whole)), NAME)
                .cached(false)
                .buildLiteral();
    }

    /// The column in the author's text, counted from 1.
    ///
    /// @param column as the engine counts it, from 0
    static int column(int line, int column) {
        return 1 + (line == 1 ? Math.max(0, column - HEAD.length()) : column);
    }

    private static String returning(String whole, @Nullable Expression last) {
        if (last == null) {
            return whole;
        }
        int from = last.getStart();
        int to = last.getFinish();
        return whole.substring(0, from) + "return (" + whole.substring(from, to) + "\n)" + whole.substring(to);
    }

    /// The last expression of the script; null if it does not end with one, or cannot be parsed: then the engine
    /// reports why.
    private static @Nullable Expression lastExpression(String whole) {
        try {
            ScriptEnvironment rules = ScriptEnvironment.builder()
                    .ecmaScriptVersion(LANGUAGE)
                    .allowBigInt(true)
                    .annexB(true)
                    .classFields(true)
                    .privateFieldsIn(true)
                    .build();
            FunctionNode program = new Parser(
                            rules,
                            com.oracle.js.parser.Source.sourceFor(NAME, whole),
                            new ErrorManager.ThrowErrorManager())
                    .parse();
            return program != null && last(program.getBody()) instanceof FunctionNode script
                    ? last(script.getBody())
                    : null;
        } catch (ParserException | StackOverflowError unreadable) {
            return null;
        }
    }

    private static @Nullable Expression last(Block block) {
        Statement last = block.getLastStatement();
        return last instanceof ExpressionStatement statement ? statement.getExpression() : null;
    }
}
