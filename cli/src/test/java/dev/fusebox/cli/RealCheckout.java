package dev.fusebox.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/// A copy of this source tree, which the tests build with the real Maven and the real JDK. The tree itself is being
/// built by the run that these tests belong to.
final class RealCheckout {
    private static final Set<String> NOT_COPIED = Set.of(".git", "target", "node_modules");
    private static final Path BUILT = Checkout.launcher().resolveSibling("build");

    private final Path root;

    private RealCheckout(Path root) {
        this.root = root;
    }

    static RealCheckout copyTo(Path root) {
        copyTree(BUILT.resolveSibling("").normalize(), root);
        return new RealCheckout(root);
    }

    Path root() {
        return root;
    }

    /// A process in a folder of the checkout, without what the surrounding build has set.
    ProcessBuilder process(String folder, List<String> command) {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(root.resolve(folder).toFile());
        builder.environment().keySet().removeAll(List.of("FUSEBOX_BUILDING", "MAVEN_OPTS", "JAVA_HOME"));
        builder.environment().put("FUSEBOX_JAVA_HOME", System.getProperty("java.home"));
        return builder;
    }

    private static void copyTree(Path from, Path to) {
        for (String name : Disk.namesIn(from)) {
            Path path = from.resolve(name);
            if (NOT_COPIED.contains(name) || path.equals(BUILT)) {
                continue;
            }
            if (Files.isDirectory(path)) {
                copyTree(path, to.resolve(name));
            } else {
                Disk.copy(path, to.resolve(name));
            }
        }
    }
}
