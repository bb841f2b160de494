package dev.fusebox.schema;

import com.networknt.schema.Error;
import com.networknt.schema.ExecutionContext;

/// The evaluation of a schema within a budget of steps and a maximum depth. It counts steps in the callbacks by
/// which the library tracks its evaluation path. For one thread and one check.
final class BoundedSchemaWalk extends ExecutionContext {
    private static final int STEP = 10;

    /// A problem takes memory, and each branch copies those of its children.
    private static final int PROBLEM = 500;

    /// Arguments are at most 128 levels deep, and a schema takes a few steps for each level.
    private static final int MAX_DEPTH = 1_000;

    private final CheckBudget budget;
    private int depth;

    BoundedSchemaWalk(CheckBudget budget) {
        super(SchemaValidator.EXECUTION);
        this.budget = budget;
    }

    @Override
    public void evaluationPathAddLast(String token) {
        step();
        super.evaluationPathAddLast(token);
    }

    @Override
    public void evaluationPathAddLast(int token) {
        step();
        super.evaluationPathAddLast(token);
    }

    @Override
    public void evaluationPathRemoveLast() {
        depth--;
        super.evaluationPathRemoveLast();
    }

    @Override
    public void addError(Error error) {
        budget.spend(PROBLEM);
        super.addError(error);
    }

    private void step() {
        budget.spend(STEP);
        if (++depth > MAX_DEPTH) {
            // The depth depends on the arguments as well as on the schema.
            throw new CheckAbandoned("its schema is recursive, or deeper than " + MAX_DEPTH + " levels").forOneCall();
        }
    }
}
