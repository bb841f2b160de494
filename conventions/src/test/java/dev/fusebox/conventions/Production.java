package dev.fusebox.conventions;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.Source;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/// The compiled classes of the modules that have a source: neither generated ones nor those of deleted sources.
/// Each module is read once. Thread-safe; the first use of a module blocks.
final class Production {
    private static final ConcurrentHashMap<ModuleFolder, JavaClasses> READ = new ConcurrentHashMap<>();

    private Production() {}

    static List<ModuleFolder> modules() {
        return Checkout.HERE.modules().stream()
                .filter(ModuleFolder::hasMainSources)
                .toList();
    }

    static JavaClasses classesOf(ModuleFolder module) {
        return READ.computeIfAbsent(
                module,
                it -> new ClassFileImporter()
                        .importPath(it.classes())
                        .that(DescribedPredicate.describe("have a source", type -> hasSource(it, type))));
    }

    private static boolean hasSource(ModuleFolder module, JavaClass type) {
        Path folder = module.mainSources().resolve(type.getPackageName().replace('.', '/'));
        return type.getSource()
                .flatMap(Source::getFileName)
                .map(name -> Files.exists(folder.resolve(name)))
                .orElse(false);
    }
}
