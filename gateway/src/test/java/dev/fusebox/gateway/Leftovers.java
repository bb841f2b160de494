package dev.fusebox.gateway;

import static dev.fusebox.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The child processes and the threads of this process at one time, and the files below a folder. Blocks for a thread
/// dump, which is the only list of virtual threads.
final class Leftovers {
    private static final Pattern THREAD = Pattern.compile("(?m)^#(\\d+) \"(fusebox[^\"]*)\"");

    private final Path folder;
    private final Set<Long> children;
    private final Set<String> threads;
    private final Set<Path> files;

    private Leftovers(Path folder) {
        this.folder = folder;
        this.children = children();
        this.threads = threads();
        this.files = files(folder);
    }

    static Leftovers before(Path folder) {
        return new Leftovers(folder);
    }

    private static Set<Long> children() {
        return ProcessHandle.current().descendants().map(ProcessHandle::pid).collect(Collectors.toSet());
    }

    /// Our own, each as its number and its name.
    static Set<String> threads() {
        try {
            Path dump = Files.createTempDirectory("threads").resolve("dump");
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(dump.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
            String text = Files.readString(dump);
            Files.delete(dump);
            Files.delete(dump.getParent());
            return THREAD.matcher(text)
                    .results()
                    .map(thread -> thread.group(1) + " " + thread.group(2))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<Path> files(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Nothing is there that was not there before.
    void assertNone() {
        eventually("no child process is left", () -> assertThat(children).containsAll(children()));
        eventually("no thread is left", () -> assertThat(threads).containsAll(threads()));
        assertThat(files(folder)).isEqualTo(files);
    }
}
