package dev.fusebox.gateway.arguments;

/// What one check may still spend: a step of a pattern costs one, a step of the schema ten. Not thread-safe.
final class CheckBudget {
    /// The one of the check that runs on this thread.
    static final ScopedValue<CheckBudget> CURRENT = ScopedValue.newInstance();

    private final int steps;
    private int left;

    private CheckBudget(int steps) {
        this.steps = steps;
        this.left = steps;
    }

    /// For one call: a tenth of a second, or four in a cold JVM; a usual check takes a few hundred steps.
    static CheckBudget ofACall() {
        return new CheckBudget(5_000_000);
    }

    /// For making a schema ready and looking whether it is one, once a tool. An honest one of 200 KB takes half of
    /// it.
    static CheckBudget ofASchema() {
        return new CheckBudget(20_000_000);
    }

    void spend(int cost) {
        left -= cost;
        if (left < 0) {
            throw new CheckAbandoned("the check takes more than " + steps + " steps");
        }
    }
}
