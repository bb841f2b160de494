package dev.fusebox.schema;

/// The steps left to one check: a step of a pattern costs one, a step of the schema ten. Not thread-safe.
final class CheckBudget {
    /// The budget of the check that runs on this thread.
    static final ScopedValue<CheckBudget> CURRENT = ScopedValue.newInstance();

    private final int steps;
    private int left;

    private CheckBudget(int steps) {
        this.steps = steps;
        this.left = steps;
    }

    /// For one call: a tenth of a second, or four in a cold JVM; a typical check takes a few hundred steps.
    static CheckBudget ofACall() {
        return new CheckBudget(5_000_000);
    }

    /// For compiling and validating a schema, once for each tool. A legitimate schema of 200 KB takes half of it.
    static CheckBudget ofASchema() {
        return new CheckBudget(20_000_000);
    }

    void spend(int cost) {
        left -= cost;
        if (left < 0) {
            throw new CheckAbandoned("the check exceeds " + steps + " steps");
        }
    }
}
