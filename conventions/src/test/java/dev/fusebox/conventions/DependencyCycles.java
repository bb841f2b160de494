package dev.fusebox.conventions;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The files of one package that depend on each other in circles: the strongly connected components of their
/// dependencies, by Tarjan's algorithm. Not thread-safe.
final class DependencyCycles {
    private final Map<String, Set<String>> uses = new TreeMap<>();
    private final Map<String, Integer> order = new HashMap<>();
    private final Map<String, Integer> lowest = new HashMap<>();
    private final Deque<String> path = new ArrayDeque<>();
    private final List<Set<String>> circles = new ArrayList<>();

    private DependencyCycles() {}

    /// The circles of more than this many files, each as the names of its types.
    static List<Set<String>> largerThan(int most, JavaClasses classes) {
        DependencyCycles search = new DependencyCycles();
        classes.forEach(search::add);
        search.uses.keySet().forEach(search::visit);
        return search.circles.stream().filter(circle -> circle.size() > most).toList();
    }

    /// Types in one file count as the file's own type.
    private static String file(JavaClass type) {
        return type.getName().replaceFirst("\\$.*", "");
    }

    private void add(JavaClass type) {
        Set<String> used = uses.computeIfAbsent(file(type), first -> new TreeSet<>());
        type.getDirectDependenciesFromSelf().stream()
                .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                .filter(target ->
                        !target.isPrimitive() && target.getPackageName().equals(type.getPackageName()))
                .map(DependencyCycles::file)
                .filter(target -> !target.equals(file(type)))
                .forEach(used::add);
    }

    private void visit(String file) {
        if (order.containsKey(file)) {
            return;
        }
        int number = order.size();
        order.put(file, number);
        lowest.put(file, number);
        path.push(file);
        for (String used : uses.getOrDefault(file, Set.of())) {
            if (!order.containsKey(used)) {
                visit(used);
                lowest.merge(file, lowest.getOrDefault(used, number), Math::min);
            } else if (path.contains(used)) {
                lowest.merge(file, order.getOrDefault(used, number), Math::min);
            }
        }
        if (lowest.getOrDefault(file, number) == number) {
            circles.add(circle(file));
        }
    }

    private Set<String> circle(String first) {
        Set<String> circle = new TreeSet<>();
        while (!circle.contains(first)) {
            circle.add(path.pop());
        }
        return circle;
    }
}
