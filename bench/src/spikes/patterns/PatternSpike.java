package dev.fusebox.schema;

import dev.fusebox.protocol.JsonView;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/// Compares regular expression engines for patterns from servers: the matcher of Fusebox, RE2/J and
/// `java.util.regex` (docs/adr/0067). Belongs to the package of the matcher, which is package-private; runs on the
/// class path.
public final class PatternSpike {
    private static final Usual[] USUAL = {
        new Usual("^[GDZTKOFS]*$", "GDZTK", "GDXTK"),
        new Usual("^AS\\d+$", "AS13335", "13335"),
        new Usual("^\\d{4}-\\d{2}-\\d{2}$", "2026-11-27", "2026-11-2x"),
        new Usual("^[a-zA-Z0-9_-]{1,64}$", "my-project_name-42", "my project name"),
        new Usual(
                "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
                "123e4567-e89b-12d3-a456-426614174000",
                "123e4567-e89b-12d3-a456-42661417400z"),
        new Usual("^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$", "someone@example.org", "someone.example.org"),
        new Usual("^https?://", "https://example.org/a/b/c?d=e", "ftp://example.org/a/b/c"),
        new Usual("^(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)\\.?){4}$", "192.168.100.200", "192.168.100.300.1")
    };

    private static final String[] HOSTILE = {
        "(a+)+$", "^(a|a)*$", "^(a|aa)+$", "^(.*a){20}$", "^(([a-z])+.)+[A-Z]([a-z])+$", "(a*)*(a*)*(a*)*b", "(x+x+)+y",
        "^(" + "|)(".repeat(32) + "|)b", "(a?){500}b", "[a-z]{900}[0-9]",
        // Large when compiled.
        "(a{1000}){1000}", "((a{1000}){1000}){1000}", "((a{100}){100}){100}", "(((){1000}){1000}){1000}",
        "((((a{30}){30}){30}){30}){30}", "(".repeat(3_000) + ")".repeat(3_000), "[\\p{L}]{1000}".repeat(20),
        "(x{500}){2}".repeat(2_000)
    };

    private static volatile boolean sink;

    private PatternSpike() {}

    private record Usual(String pattern, String match, String other) {}

    private enum Engine {
        OURS,
        RE2J,
        JDK;

        Predicate<String> compile(String pattern) {
            switch (this) {
                case OURS -> {
                    var automaton = new PatternAutomaton(pattern);
                    return text -> automaton.findsIn(text, CheckBudget.ofACall());
                }
                case RE2J -> {
                    var compiled = com.google.re2j.Pattern.compile(pattern);
                    return text -> compiled.matcher(text).find();
                }
                case JDK -> {
                    return java.util.regex.Pattern.compile(pattern).asPredicate();
                }
            }
            throw new IllegalStateException();
        }
    }

    /// `usual`; `hostile ENGINE NUMBER`; `answers FILE`, with lines of pattern, text and the answer of a
    /// JavaScript engine, as JSON, separated by tabs.
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "usual" -> {
                for (Usual usual : USUAL) {
                    for (String text : List.of(usual.match(), usual.other(), usual.match().repeat(200))) {
                        compare(usual.pattern(), text);
                    }
                }
            }
            case "hostile" -> hostile(Engine.valueOf(args[1]), HOSTILE[Integer.parseInt(args[2])]);
            case "answers" -> {
                List<String[]> rows = Files.readAllLines(Path.of(args[1])).stream()
                        .map(row -> row.split("\t"))
                        .toList();
                for (Engine engine : Engine.values()) {
                    answers(engine, rows);
                }
            }
            default -> throw new IllegalArgumentException(args[0]);
        }
        System.exit(0);
    }

    /// Engines take turns for nine rounds, of which two warm up; nanoseconds of a test and microseconds of
    /// compiling.
    private static void compare(String pattern, String text) {
        var times = new TreeMap<Engine, List<Long>>();
        var compiling = new TreeMap<Engine, List<Long>>();
        for (int round = 0; round < 9; round++) {
            for (Engine engine : Engine.values()) {
                long start = System.nanoTime();
                Predicate<String> test = engine.compile(pattern);
                long compiled = System.nanoTime() - start;
                long time = nanos(test, text);
                if (round > 1) {
                    times.computeIfAbsent(engine, it -> new ArrayList<>()).add(time);
                    compiling.computeIfAbsent(engine, it -> new ArrayList<>()).add(compiled / 1_000);
                }
            }
        }
        System.out.printf("%-56s %5d characters", pattern, text.length());
        times.forEach((engine, all) ->
                System.out.printf("  %s %,d ns, %d us", engine, median(all), median(compiling.get(engine))));
        System.out.println();
    }

    private static long nanos(Predicate<String> test, String text) {
        int batch = text.length() > 500 ? 20 : 500;
        long[] samples = new long[200];
        for (int i = 0; i < samples.length; i++) {
            long start = System.nanoTime();
            for (int n = 0; n < batch; n++) {
                sink ^= test.test(text);
            }
            samples[i] = (System.nanoTime() - start) / batch;
        }
        Arrays.sort(samples);
        return samples[samples.length / 2];
    }

    private static long median(List<Long> all) {
        return all.stream().sorted().toList().get(all.size() / 2);
    }

    private static void hostile(Engine engine, String pattern) throws Exception {
        System.out.printf("%s %s", engine, pattern.length() > 38 ? pattern.substring(0, 35) + "..." : pattern);
        for (int length : new int[] {30, 1_000, 10_000, 100_000}) {
            System.out.print("  " + timed(() -> engine.compile(pattern).test("a".repeat(length) + "!")));
        }
        System.out.println();
    }

    private static String timed(BooleanSupplier work) throws Exception {
        var result = new CompletableFuture<String>();
        Thread.ofPlatform().daemon().start(() -> {
            long start = System.nanoTime();
            String outcome;
            try {
                outcome = String.valueOf(work.getAsBoolean());
            } catch (RuntimeException | StackOverflowError | OutOfMemoryError why) {
                outcome = why.getClass().getSimpleName();
            }
            result.complete(String.format("%s %.1f ms", outcome, (System.nanoTime() - start) / 1e6));
        });
        try {
            return result.get(10, TimeUnit.SECONDS);
        } catch (TimeoutException tooLong) {
            System.out.println("  over 10 s");
            Runtime.getRuntime().halt(0);
            throw new IllegalStateException(tooLong);
        }
    }

    private static void answers(Engine engine, List<String[]> rows) {
        int same = 0;
        int refused = 0;
        var different = new TreeMap<String, String>();
        for (String[] row : rows) {
            try {
                boolean found = engine.compile(text(row[0])).test(text(row[1]));
                if (found == Boolean.parseBoolean(row[2])) {
                    same++;
                } else {
                    different.put(row[0], row[1] + " should be " + row[2]);
                }
            } catch (RuntimeException | StackOverflowError why) {
                refused++;
            }
        }
        System.out.printf("%s: same %d, refused %d%n", engine, same, refused);
        System.out.println("different answers for " + different.size() + " patterns");
        different.forEach((pattern, text) -> System.out.println("    " + pattern + " in " + text));
    }

    private static String text(String json) {
        return JsonView.of(json).string();
    }
}
