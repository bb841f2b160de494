package dev.fusebox.races;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openjdk.jcstress.annotations.JCStressTest;

/// Runs the races in JVMs of their own, with the main program of jcstress.
///
/// The short form takes about a minute, far more than a unit test may: each of the races gets a JVM, and in it
/// three times a third of a second, because less than that misses rare interleavings (with the code broken on
/// purpose, a failure was lost 15 times in half a million). The long form, `./fusebox test -pl races -am
/// -Draces=long`, adds every way to compile the two actors: some three hundred JVMs, which take up to an hour.
@Tag("load")
class RacesTest {
    private static final boolean LONG = "long".equals(System.getProperty("races"));
    private static final long MINUTES_AT_MOST = LONG ? 120 : 25;
    private static final Pattern PASSED = Pattern.compile("All remaining tests: (\\d+) matching test results");
    private static final Path FOLDER = Path.of("target", "jcstress").toAbsolutePath();

    @Test
    void every_race_has_only_acceptable_outcomes() throws Exception {
        Files.createDirectories(FOLDER);
        Path log = FOLDER.resolve("log.txt");
        int status = run(log);
        String said = Files.readString(log);
        assertThat(status).as("output of jcstress:%n%s", said).isZero();
        assertThat(said).contains("Failed tests: No matches", "Error tests: No matches");
        assertThat(racesPassed(said)).as("races passed, of %s", races()).isGreaterThanOrEqualTo(races().size());
    }

    @Test
    void every_file_of_races_contains_a_race() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src", "main", "java", "dev", "fusebox", "races"))) {
            List<String> names = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith("Races.java"))
                    .map(name -> name.replace(".java", ""))
                    .toList();
            assertThat(groups()).extracting(Class::getSimpleName).containsExactlyInAnyOrderElementsOf(names);
        }
        assertThat(groups()).allSatisfy(group -> assertThat(racesOf(group)).isNotEmpty());
    }

    private static int run(Path log) throws IOException, InterruptedException {
        Process jcstress = new ProcessBuilder(command())
                .directory(FOLDER.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(jcstress.waitFor(MINUTES_AT_MOST, TimeUnit.MINUTES))
                    .as("jcstress ends within %d minutes; its output is in %s", MINUTES_AT_MOST, log)
                    .isTrue();
            return jcstress.exitValue();
        } finally {
            jcstress.descendants().forEach(ProcessHandle::destroyForcibly);
            jcstress.destroyForcibly();
        }
    }

    private static List<String> command() {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(List.of(java, "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of("org.openjdk.jcstress.Main", "-v", "-r", FOLDER.toString()));
        command.addAll(List.of("-m", "quick", "-af", "NONE", "-iters", "3", "-time", "300"));
        if (!LONG) {
            // One JVM per race instead of one for each way to compile it.
            command.addAll(List.of("-sc", "false", "-jvmArgs", "-XX:+UseSerialGC"));
        }
        return command;
    }

    /// From the report of jcstress at its end, not from our own list.
    private static int racesPassed(String said) {
        Matcher passed = PASSED.matcher(said);
        return passed.find() ? Integer.parseInt(passed.group(1)) : 0;
    }

    private static List<Class<?>> groups() {
        return List.of(
                ProbeRaces.class,
                StaleRaces.class,
                TransitionRaces.class,
                PermitRaces.class,
                BulkheadRaces.class,
                FairBulkheadRaces.class);
    }

    private static List<Class<?>> races() {
        return groups().stream().flatMap(group -> racesOf(group).stream()).toList();
    }

    private static List<Class<?>> racesOf(Class<?> group) {
        return Stream.of(group.getDeclaredClasses())
                .filter(type -> type.isAnnotationPresent(JCStressTest.class))
                .<Class<?>>map(type -> type)
                .toList();
    }
}
