package dev.fusebox.simulation;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;

/// A reference model of a fair queue in which clients take turns and each client's calls keep their order. Not
/// thread-safe.
final class FairQueueModel {
    private final Map<Integer, Queue<Visit>> turns = new LinkedHashMap<>();

    /// A call of a client.
    record Visit(int client, int number, long bytes) {}

    void add(Visit visit) {
        turns.computeIfAbsent(visit.client(), client -> new ArrayDeque<>()).add(visit);
    }

    /// The call whose turn it is.
    Visit first() {
        return turns.values().iterator().next().element();
    }

    Visit take() {
        Map.Entry<Integer, Queue<Visit>> first = turns.entrySet().iterator().next();
        Visit visit = first.getValue().remove();
        turns.remove(first.getKey());
        if (!first.getValue().isEmpty()) {
            turns.put(first.getKey(), first.getValue());
        }
        return visit;
    }

    /// Returns false if it does not wait here any more.
    boolean remove(Visit visit) {
        Queue<Visit> line = turns.getOrDefault(visit.client(), new ArrayDeque<>());
        boolean was = line.remove(visit);
        if (line.isEmpty()) {
            turns.remove(visit.client());
        }
        return was;
    }

    int size() {
        return turns.values().stream().mapToInt(Queue::size).sum();
    }
}
