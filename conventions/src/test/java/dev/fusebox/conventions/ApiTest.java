package dev.fusebox.conventions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// Compares the public API of each published module with the accepted one, a text file in
/// `conventions/src/test/api`.
class ApiTest {
    /// The modules that users compile against.
    private static final List<String> PUBLISHED = List.of("breaker", "testkit");

    private static final String ACCEPT = "./fusebox test -pl conventions -am -Dapi.accept";

    @TempDir
    private Path folder;

    @TestFactory
    Stream<DynamicTest> api_of_a_published_module_is_the_accepted_one() {
        List<ModuleFolder> published = Production.modules().stream()
                .filter(module -> PUBLISHED.contains(module.name()))
                .toList();
        assertThat(published).isNotEmpty();
        return published.stream()
                .map(module -> DynamicTest.dynamicTest("surface_of_" + module.name(), () -> compare(module)));
    }

    @Test
    void added_or_removed_line_is_shown_with_the_command_that_accepts_it() throws IOException {
        Path agreed = Files.write(folder.resolve("a.txt"), List.of("a", "b", "c"));
        assertThat(verdict("shop", agreed, List.of("a", "b", "c"))).isEmpty();
        assertThat(verdict("shop", agreed, List.of("a", "c", "d")))
                .contains("- b\n+ d\n", ACCEPT)
                .doesNotContain("- a");
        assertThat(verdict("shop", folder.resolve("gone.txt"), List.of("a"))).contains("not been accepted", ACCEPT);
    }

    @Test
    void every_accessible_declaration_has_a_line() throws IOException {
        Path classes = Compiled.into(folder, """
                package dev.fusebox.shop;
                import java.util.List;
                import org.jspecify.annotations.Nullable;
                public abstract sealed class Shop<T extends Comparable<T>> extends Base implements Runnable {
                    public static final int SIZE = 1;
                    protected int stock;
                    int hidden;
                    protected Shop(@Nullable T first) {}
                    Shop() {}
                    public abstract <X extends Exception> List<? super T> find(T[] all, Kind... kinds) throws X;
                    void inside() {}
                    public enum Kind { BIG, SMALL }
                    public record Pair(@Nullable String left, List<@Nullable Pair> right) {
                        public Pair(String left) { this(left, List.of()); }
                        public Pair swap() { return this; }
                    }
                    public interface Door { default void open() {} int width(); }
                    static final class Corner extends Shop<String> {
                        public List<? super String> find(String[] all, Kind... kinds) { return List.of(); }
                    }
                }
                class Base { public void run() {} protected void close() {} }
                """);
        assertThat(surface(List.of(classes), Set.of("dev.fusebox.shop")))
                .containsExactly("""
                Shop: public abstract sealed class Shop<T extends Comparable<T>> extends Base implements Runnable\
                 permits Shop.Corner
                Shop:   protected Shop(@Nullable T)
                Shop:   protected int stock
                Shop:   protected void close()
                Shop:   public abstract <X extends Exception> java.util.List<? super T> find(T[], Shop.Kind...) throws X
                Shop:   public static final int SIZE
                Shop:   public void run()
                Shop.Door: public static interface Shop.Door
                Shop.Door:   default public void open()
                Shop.Door:   public abstract int width()
                Shop.Kind: public static final enum Shop.Kind
                Shop.Kind:   public static final Shop.Kind BIG
                Shop.Kind:   public static final Shop.Kind SMALL
                Shop.Pair: public static final record Shop.Pair(@Nullable String left,\
                 java.util.List<@Nullable Shop.Pair> right)
                Shop.Pair:   public Shop.Pair swap()
                Shop.Pair:   public Shop.Pair(String)
                """.lines().toArray(String[]::new));
    }

    @Test
    void package_that_is_not_exported_has_no_api() throws IOException {
        Path classes = Compiled.into(folder, "package dev.fusebox.shop.inside; public class Till {}");
        assertThat(surface(List.of(classes), Set.of("dev.fusebox.shop"))).isEmpty();
        assertThat(surface(List.of(classes), Set.of("dev.fusebox.shop.inside"))).hasSize(2);
    }

    private static void compare(ModuleFolder module) throws IOException {
        Path agreed = Checkout.HERE.root().resolve("conventions/src/test/api/" + module.name() + ".txt");
        List<Path> classes = new ArrayList<>(List.of(module.classes()));
        Production.modules().stream().map(ModuleFolder::classes).forEach(classes::add);
        List<String> actual = surface(classes, module.exportedPackages());
        assertThat(actual).isNotEmpty();
        if (System.getProperty("api.accept") != null) {
            Files.write(agreed, actual);
        }
        String verdict = verdict(module.name(), agreed, actual);
        if (!verdict.isEmpty()) {
            fail(verdict);
        }
    }

    private static String verdict(String module, Path file, List<String> actual) throws IOException {
        if (!Files.exists(file)) {
            return "the API of %s has not been accepted yet; to accept it: %s".formatted(module, ACCEPT);
        }
        List<String> agreed = Files.readAllLines(file);
        String difference = Stream.concat(
                        agreed.stream().filter(line -> !actual.contains(line)).map(line -> "- " + line),
                        actual.stream().filter(line -> !agreed.contains(line)).map(line -> "+ " + line))
                .reduce("", (text, line) -> text + line + "\n");
        return difference.isEmpty() && agreed.size() == actual.size()
                ? ""
                : "the API of %s differs from the accepted one:\n%sif this is intended and in the CHANGELOG: %s"
                        .formatted(module, difference, ACCEPT);
    }

    /// Of the classes in the first folder, as they were just compiled, not those of a repository.
    private static List<String> surface(List<Path> folders, Set<String> exported) throws IOException {
        URL nullness = NullMarked.class.getProtectionDomain().getCodeSource().getLocation();
        URL[] classPath = Stream.concat(folders.stream().map(ApiTest::url), Stream.of(nullness))
                .toArray(URL[]::new);
        try (var loader = new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader())) {
            List<Class<?>> types = new ArrayList<>();
            for (Path file : ModuleFolder.filesUnder(folders.getFirst(), ".class")) {
                String name = folders.getFirst()
                        .relativize(file)
                        .toString()
                        .replace('/', '.')
                        .replaceFirst("\\.class$", "");
                if (exported.contains(name.replaceFirst("\\.[^.]+$", ""))) {
                    types.add(load(loader, name));
                }
            }
            return ApiText.of(types.stream());
        }
    }

    private static Class<?> load(ClassLoader loader, String name) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(name + " was compiled but cannot be loaded", e);
        }
    }

    private static URL url(Path folder) {
        try {
            return folder.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }
}
