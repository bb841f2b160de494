package dev.fusebox.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.openjdk.jmh.runner.RunnerException;

/// The entry point of `bench/run`: runs all benchmarks and writes their results.
final class Main {
    private static final String BEGIN = "<!-- figures: begin (bench/run writes what is between these two lines) -->";
    private static final String END = "<!-- figures: end -->";

    private Main() {}

    /// Takes the document to write into, and perhaps `--quick`, which prints the figures and writes nothing.
    public static void main(String[] arguments) throws IOException, RunnerException {
        List<String> given = List.of(arguments);
        boolean quick = given.contains("--quick");
        BenchmarkRun run = quick ? BenchmarkRun.QUICK : BenchmarkRun.FULL;
        Path document = Path.of(given.getFirst());
        String before = Files.readString(document);
        checkMarkers(document, before);
        long retained = Retained.bytes();
        Figures figures = run.run();
        String tables = new Report(machine(run, figures), figures, retained).markdown();
        System.out.println(tables);
        if (!quick) {
            Files.writeString(document, between(before, tables));
        }
    }

    /// Before the benchmarks run, not after it.
    private static void checkMarkers(Path document, String text) {
        if (!text.contains(BEGIN) || text.indexOf(END) < text.indexOf(BEGIN)) {
            throw new IllegalArgumentException(
                    document + " lacks the lines between which the figures go: " + BEGIN + " and " + END);
        }
    }

    private static String between(String document, String tables) {
        String head = document.substring(0, document.indexOf(BEGIN) + BEGIN.length());
        return head + "\n" + tables + "\n" + document.substring(document.indexOf(END));
    }

    private static String machine(BenchmarkRun run, Figures figures) {
        return ("%s; commit %s; Java %s; %s %s, %d processors."
                                + " %d JVMs for each benchmark, %d iterations of %d ms in each.")
                        .formatted(
                                LocalDate.now(ZoneOffset.UTC),
                                System.getProperty("fusebox.commit", "unknown"),
                                Runtime.version(),
                                System.getProperty("os.name"),
                                System.getProperty("os.arch"),
                                Runtime.getRuntime().availableProcessors(),
                                run.rounds(),
                                run.iterations(),
                                run.millis())
                + " One thread got " + Math.round(100 * figures.share(1)) + " % of a processor, two got "
                + Math.round(100 * figures.share(2)) + " % of two: what is missing there, other programs took.";
    }
}
