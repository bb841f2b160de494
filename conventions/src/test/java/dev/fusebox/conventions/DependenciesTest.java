package dev.fusebox.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// Applies the rules over compiled classes to every module of the checkout.
///
/// Takes over five seconds on a busy machine: the first test reads the classes of all modules.
class DependenciesTest {
    @Test
    void every_module_with_sources_is_compiled() {
        assertThat(Production.modules()).isNotEmpty().allSatisfy(module -> {
            assertThat(Files.isDirectory(module.classes()))
                    .as("%s is compiled; if not: ./fusebox test", module.name())
                    .isTrue();
            assertThat(Production.classesOf(module)).as(module.name()).isNotEmpty();
        });
    }

    @Test
    void surroundings_are_used_through_the_platform_only() {
        assertNoViolation(module -> DependencyRules.surroundingsAreReachedThroughThePlatformOnly());
    }

    @Test
    void waits_with_a_limit_use_the_platform_only() {
        assertNoViolation(module -> DependencyRules.timeLimitsAreKeptByThePlatformOnly());
    }

    @Test
    void only_programs_print() {
        assertNoViolation(module -> DependencyRules.onlyPrintersPrint());
    }

    @Test
    void modules_depend_only_on_lower_ones() {
        assertNoViolation(module -> DependencyRules.modulesKnowOnlyThoseBelow());
    }

    @Test
    void every_module_has_a_position_in_the_order() {
        assertNoViolation(module -> DependencyRules.everyModuleHasAPlace());
    }

    @Test
    void modules_without_dependencies_have_none() {
        assertNoViolation(module -> DependencyRules.librariesWithoutDependenciesHaveNone());
    }

    @Test
    void only_protocol_uses_jackson() {
        assertNoViolation(module -> DependencyRules.onlyProtocolNamesJackson());
    }

    @Test
    void packages_have_no_cycles() {
        assertNoViolation(module -> DependencyRules.packagesKnowEachOtherOneWay());
    }

    /// The breaker library is a state machine whose files know each other.
    @Test
    void files_of_a_package_depend_on_each_other_in_small_circles() {
        List<Set<String>> circles = Production.modules().stream()
                .filter(module -> !module.name().equals("breaker"))
                .flatMap(module -> DependencyCycles.largerThan(8, Production.classesOf(module)).stream())
                .toList();
        assertThat(circles).isEmpty();
    }

    @Test
    void accessible_fields_are_immutable() {
        assertNoViolation(module -> DependencyRules.fieldsSeenFromOutsideDoNotChange());
    }

    @Test
    void public_types_of_named_modules_are_exported() {
        List<ModuleFolder> named = Production.modules().stream()
                .filter(module -> module.descriptor().isPresent())
                .toList();
        assertThat(named)
                .isNotEmpty()
                .allSatisfy(module -> DependencyRules.publicTypesAreExported(module.exportedPackages())
                        .check(Production.classesOf(module)));
    }

    @Test
    void types_are_in_the_package_of_their_module() {
        assertNoViolation(module -> DependencyRules.typesLiveInThePackageOfTheirModule(module.rootPackage()));
    }

    private static void assertNoViolation(Function<ModuleFolder, ArchRule> rule) {
        for (ModuleFolder module : Production.modules()) {
            JavaClasses classes = Production.classesOf(module);
            rule.apply(module).check(classes);
        }
    }
}
