package dev.fusebox.bench;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.openjdk.jmh.results.RunResult;

/// The results of all benchmarks in all rounds. Not thread-safe.
final class Figures {
    /// One benchmark with one number of threads.
    record Key(String benchmark, int threads) {}

    private final List<Map<Key, Figure>> rounds = new ArrayList<>();

    void addRound(Collection<RunResult> results) {
        Map<Key, Figure> round = new LinkedHashMap<>();
        for (RunResult result : results) {
            Key key = new Key(nameOf(result), result.getParams().getThreads());
            round.put(key, Figure.of(result));
        }
        rounds.add(round);
    }

    /// `WindowBenchmark.oursCall` is `Window.oursCall`; a parameter is appended.
    private static String nameOf(RunResult result) {
        String full = result.getParams().getBenchmark();
        String name = full.substring(full.lastIndexOf('.', full.lastIndexOf('.') - 1) + 1)
                .replace("Benchmark.", ".");
        String calls = result.getParams().getParam("callsBefore");
        return calls == null ? name : name + "." + calls;
    }

    int rounds() {
        return rounds.size();
    }

    SortedSet<String> benchmarks() {
        SortedSet<String> names = new TreeSet<>();
        rounds.forEach(round -> round.keySet().forEach(key -> names.add(key.benchmark())));
        return names;
    }

    boolean has(Key key) {
        return rounds.stream().anyMatch(round -> round.containsKey(key));
    }

    Figure of(Key key) {
        return Figure.ofRounds(rounds.stream()
                .filter(round -> round.containsKey(key))
                .map(round -> round.get(key))
                .toList());
    }

    /// Our time divided by that of the fastest peer of the same round; of all rounds the median.
    double ratio(String ours, List<String> peers, int threads) {
        return Figure.median(rounds, round -> {
            double best = peers.stream()
                    .mapToDouble(peer -> compared(round, peer, threads))
                    .min()
                    .orElseThrow();
            return compared(round, ours, threads) / best;
        });
    }

    /// The peer that is fastest by the median of all rounds.
    String fastest(List<String> peers, int threads) {
        return peers.stream()
                .min((one, other) -> Double.compare(
                        of(new Key(one, threads)).compared(threads),
                        of(new Key(other, threads)).compared(threads)))
                .orElseThrow();
    }

    /// The share of the processors that so many threads got, by the call that never waits for another thread.
    double share(int threads) {
        Figure call = of(new Key("Consecutive.oursCall", threads));
        return Math.min(1, call.processor() / call.elapsed());
    }

    private static double compared(Map<Key, Figure> round, String benchmark, int threads) {
        Figure figure = round.get(new Key(benchmark, threads));
        if (figure == null) {
            throw new IllegalArgumentException("no figure of " + benchmark + " with " + threads + " threads");
        }
        return figure.compared(threads);
    }
}
