package dev.fusebox.breaker;

import java.util.random.RandomGenerator;

/**
 * One step of a random history. The numbers mean something only together with the state in which the step is made, so
 * that a history still makes sense when steps are taken out of it.
 *
 * @param which picks a permit, an edge or a variant
 * @param amount nanoseconds
 */
record Op(Kind kind, int which, long amount) {
    private static final int LARGEST_EXPONENT = 16;

    /** What can happen to a breaker. */
    enum Kind {
        ACQUIRE(14),
        ACQUIRE_WITH_LEASE(6),
        SUCCEED(12),
        FAIL(16),
        ABANDON(5),
        CALL_THAT_RETURNS(8),
        CALL_THAT_THROWS(8),
        CALL_THAT_IS_CANCELLED(2),
        MOVE_CLOCK(8),
        MOVE_CLOCK_TO_EDGE(16),
        JUMP_WALL(1),
        PAUSE(5),
        RESUME(4),
        FORCE_OPEN(1),
        DISABLE(1),
        RESET(1),
        READ(6);

        private final int weight;

        Kind(int weight) {
            this.weight = weight;
        }
    }

    static Op random(RandomGenerator random) {
        double size = Math.pow(10, random.nextInt(LARGEST_EXPONENT));
        return new Op(randomKind(random), random.nextInt(1_000), (long) (random.nextDouble() * size));
    }

    private static Kind randomKind(RandomGenerator random) {
        int all = 0;
        for (Kind kind : Kind.values()) {
            all += kind.weight;
        }
        int left = random.nextInt(all);
        for (Kind kind : Kind.values()) {
            left -= kind.weight;
            if (left < 0) {
                return kind;
            }
        }
        throw new AssertionError("weights do not add up");
    }

    /** The amount as a time that the library takes. */
    long time() {
        return Math.max(1_000_000, amount);
    }

    @Override
    public String toString() {
        return kind + " which=" + which + " amount=" + amount;
    }
}
