package dev.fusebox.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A formatter of the tables in docs/benchmarks.md. Immutable.
///
/// @param machine the machine, date and parameters of the run
/// @param figures the results
/// @param retained bytes that the breakers retain after ten million calls, beyond those after a thousand
record Report(String machine, Figures figures, long retained) {
    /// The variation of the heap from class loading and compiled code.
    static final long RETAINED_LIMIT = 65_536;

    /// Below this share of two processors, two threads ran concurrently too rarely to contend.
    private static final double TOGETHER = 0.9;

    String markdown() {
        List<String> lines = new ArrayList<>();
        lines.add(machine);
        lines.add("");
        lines.add("| | threads | ns | B | fastest peer | peer ns | ratio | goal | |");
        lines.add("|---|---|---|---|---|---|---|---|---|");
        for (Goal goal : Goal.ALL) {
            lines.add(row(goal, 1));
            if (!Double.isNaN(goal.atTwo())) {
                lines.add(row(goal, 2));
            }
        }
        lines.add("");
        lines.add(retainedLine());
        lines.add("");
        lines.add("All figures in ns: processor time, with elapsed time in brackets.");
        lines.add("");
        lines.add("| benchmark | 1 thread | B | 2 threads | B |");
        lines.add("|---|---|---|---|---|");
        figures.benchmarks().forEach(name -> lines.add(row(name)));
        return String.join("\n", lines);
    }

    private String row(Goal goal, int threads) {
        Figure ours = figures.of(new Figures.Key(goal.ours(), threads));
        String peer = figures.fastest(goal.peers(), threads);
        double ratio = figures.ratio(goal.ours(), goal.peers(), threads);
        return "| " + goal.what() + " | " + threads + " | " + number(ours.compared(threads), 1) + " | "
                + number(ours.bytes(), 0) + " | `" + peer + "` | "
                + number(figures.of(new Figures.Key(peer, threads)).compared(threads), 1) + " | "
                + number(ratio, 2) + " | " + wanted(goal, threads) + " | "
                + verdict(goal, threads) + " |";
    }

    private static String wanted(Goal goal, int threads) {
        if (Double.isInfinite(goal.limit(threads))) {
            return "none";
        }
        String bytes = Double.isInfinite(goal.bytes()) ? "" : ", " + number(goal.bytes(), 0) + " B";
        return number(goal.limit(threads), 2) + bytes;
    }

    private String verdict(Goal goal, int threads) {
        if (Double.isInfinite(goal.limit(threads))) {
            return "reported";
        }
        if (threads > 1 && figures.share(threads) < TOGETHER) {
            return "not judged";
        }
        boolean fast = figures.ratio(goal.ours(), goal.peers(), threads) <= goal.limit(threads);
        boolean lean = goal.allowsBytes(
                figures.of(new Figures.Key(goal.ours(), threads)).bytes());
        return fast && lean ? "met" : "**missed**";
    }

    private String retainedLine() {
        return "Four breakers (failures in a row, time window, time window with slow calls, open) held " + retained
                + " bytes more after 10^7 calls each than after 10^3: "
                + (retained <= RETAINED_LIMIT ? "no memory is retained" : "**memory is retained**") + " per call.";
    }

    private String row(String name) {
        Figures.Key two = new Figures.Key(name, 2);
        return "| `" + name + "` | " + cells(figures.of(new Figures.Key(name, 1))) + " | "
                + (figures.has(two) ? cells(figures.of(two)) : "| ") + " |";
    }

    private static String cells(Figure figure) {
        return number(figure.processor(), 1) + " (" + number(figure.elapsed(), 1) + ") | " + number(figure.bytes(), 0);
    }

    private static String number(double value, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }
}
