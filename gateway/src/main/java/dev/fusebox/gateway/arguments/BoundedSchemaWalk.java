package dev.fusebox.gateway.arguments;

import com.networknt.schema.Error;
import com.networknt.schema.ExecutionContext;

/// One check's way through a schema, which ends when its budget is used up or where the schema leads too deep. The
/// library tells every step it takes, for it keeps the path. For one thread and one check.
final class BoundedSchemaWalk extends ExecutionContext {
    private static final int STEP = 10;

    /// A problem takes memory, and branches copy those below them.
    private static final int PROBLEM = 500;

    /// Arguments are at most 128 deep, and a schema takes a few steps for each level.
    private static final int DEEPEST = 1_000;

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
        if (++depth > DEEPEST) {
            // How deep it gets depends on the arguments, too.
            throw new CheckAbandoned("its schema leads in circles, or deeper than " + DEEPEST + " steps").forOneCall();
        }
    }
}
