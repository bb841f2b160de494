package dev.fusebox.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the Java version of compiled classes, and of the requirements of the library's module descriptor.
class BytecodeTest {
    private static final String LIBRARY = "breaker";
    private static final String EXAMPLES = "examples";
    private static final String FOR_VIRTUAL_THREADS = "VirtualThreads";
    /// The four bytes after the magic number of a class file: minor version (0: no preview features) and major
    /// version.
    private static final int JAVA_17 = 61;
    private static final int JAVA_21 = 65;
    private static final int JAVA_25 = 69;

    @TempDir
    private Path folder;

    /// Including its tests: they run on 17 as well.
    @Test
    void library_and_its_tests_run_on_java_17() {
        List<Path> files = modules()
                .filter(module -> module.name().equals(LIBRARY))
                .flatMap(module -> Stream.concat(
                        module.classFiles().stream(), ModuleFolder.filesUnder(module.testClasses(), ".class").stream()))
                .toList();
        assertThat(files).isNotEmpty();
        assertThat(files).allMatch(file -> versionOf(file) == JAVA_17);
    }

    /// Examples must compile where the library is used.
    @Test
    void examples_are_java_17_except_those_of_virtual_threads_and_the_gateway() {
        List<Path> files = modules()
                .filter(module -> module.name().equals(EXAMPLES))
                .flatMap(module -> module.classFiles().stream())
                .toList();
        assertThat(files).anyMatch(BytecodeTest::isForVirtualThreads).anyMatch(BytecodeTest::isForTheGateway);
        assertThat(files).allMatch(file -> versionOf(file) == versionOfExample(file));
    }

    @Test
    void all_other_classes_are_java_25_without_preview_features() {
        assertThat(modules()
                        .filter(module ->
                                !module.name().equals(LIBRARY) && !module.name().equals(EXAMPLES))
                        .flatMap(module -> module.classFiles().stream()))
                .allMatch(file -> versionOf(file) == JAVA_25);
    }

    @Test
    void library_requires_only_java_base() {
        ModuleDescriptor library = modules()
                .filter(module -> module.name().equals(LIBRARY))
                .flatMap(module -> module.descriptor().stream())
                .findFirst()
                .orElseThrow();
        assertThat(beyondTheBase(library)).isEmpty();
    }

    @Test
    void descriptor_that_requires_more_is_found() {
        ModuleDescriptor greedy = ModuleDescriptor.newModule("greedy")
                .requires("java.base")
                .requires(Set.of(Requires.Modifier.STATIC), "org.jspecify")
                .requires(Set.of(Requires.Modifier.STATIC), "org.foreign")
                .requires("java.logging")
                .build();
        assertThat(beyondTheBase(greedy)).containsExactlyInAnyOrder("org.foreign", "java.logging");
        ModuleDescriptor heavy =
                ModuleDescriptor.newModule("heavy").requires("org.jspecify").build();
        assertThat(beyondTheBase(heavy)).contains("org.jspecify");
    }

    @Test
    void version_of_a_class_file_is_read_with_its_preview_flag() throws IOException {
        byte[] preview = {(byte) 0xCA, (byte) 0xFE, (byte) 0xBA, (byte) 0xBE, -1, -1, 0, JAVA_25};
        byte[] plain = {(byte) 0xCA, (byte) 0xFE, (byte) 0xBA, (byte) 0xBE, 0, 0, 0, JAVA_17};
        assertThat(versionOf(Files.write(folder.resolve("A.class"), preview))).isNotEqualTo(JAVA_25);
        assertThat(versionOf(Files.write(folder.resolve("B.class"), plain))).isEqualTo(JAVA_17);
    }

    private static int versionOfExample(Path classFile) {
        if (isForTheGateway(classFile)) {
            return JAVA_25;
        }
        return isForVirtualThreads(classFile) ? JAVA_21 : JAVA_17;
    }

    private static boolean isForTheGateway(Path classFile) {
        return classFile.toString().contains("/embedding/");
    }

    private static boolean isForVirtualThreads(Path classFile) {
        return classFile.getFileName().toString().startsWith(FOR_VIRTUAL_THREADS);
    }

    private static Stream<ModuleFolder> modules() {
        return Checkout.HERE.modules().stream();
    }

    /// Annotations for nullness may be required at compile time.
    private static List<String> beyondTheBase(ModuleDescriptor descriptor) {
        return descriptor.requires().stream()
                .filter(it -> !it.name().equals("java.base"))
                .filter(it ->
                        !it.name().equals("org.jspecify") || !it.modifiers().contains(Requires.Modifier.STATIC))
                .map(Requires::name)
                .toList();
    }

    private static int versionOf(Path classFile) {
        try (var in = new DataInputStream(Files.newInputStream(classFile))) {
            in.skipNBytes(Integer.BYTES);
            return in.readInt();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + classFile, e);
        }
    }
}
