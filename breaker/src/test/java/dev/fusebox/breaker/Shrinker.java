package dev.fusebox.breaker;

import java.util.ArrayList;
import java.util.List;

/** Takes out of a failing history what it does not need to fail. A pure function. */
final class Shrinker {
    private Shrinker() {}

    /** Tries to do without half of the steps, a quarter, and so on down to single ones, until nothing more can go. */
    static Script shrink(Script failing) {
        Script shortest = failing;
        for (int chunk = failing.steps().size() / 2; chunk > 0; chunk = chunk / 2) {
            int before;
            do {
                before = shortest.steps().size();
                shortest = withoutChunks(shortest, chunk);
            } while (shortest.steps().size() < before);
        }
        return shortest;
    }

    private static Script withoutChunks(Script script, int chunk) {
        Script shortest = script;
        for (int from = script.steps().size() - chunk; from >= 0; from -= chunk) {
            List<Op> fewer = new ArrayList<>(shortest.steps());
            int until = Math.min(from + chunk, fewer.size());
            if (from < until) {
                fewer.subList(from, until).clear();
                Script shorter = shortest.with(fewer);
                shortest = Duel.play(shorter).isPresent() ? shorter : shortest;
            }
        }
        return shortest;
    }
}
