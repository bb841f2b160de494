package dev.fusebox.conventions;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/// The rules over compiled classes: what may be used from where. Immutable and thread-safe.
final class DependencyRules {
    /// Modules that may use the real surroundings, each with its reason.
    private static final Map<String, String> REAL_SURROUNDINGS = Map.of(
            "platform", "it is the interface to the machine itself",
            "bench", "it measures real time",
            "races", "its harness controls threads and time",
            "examples", "it represents a user's program, which has no Platform");

    /// Modules that may print, each with its reason.
    private static final Map<String, String> PRINTERS = Map.of(
            "cli", "standard output is its user interface",
            "worker", "its standard output is its pipe to the gateway",
            "demo", "the standard output of its servers is their pipe to the gateway",
            "bench", "it prints its tables",
            "examples", "it shows the results to the reader");

    /// Single classes that may use the real surroundings in modules that may not, each with its reason.
    private static final Map<String, String> EDGES = Map.of(
            "dev.fusebox.breaker.SystemSurroundings", "the breaker library has no Platform; this is its own seam",
            "dev.fusebox.platform.StandardOutput", "it is the seam to standard output",
            "dev.fusebox.search.model.MatrixProduct",
                    "it finds out once, by its time, whether the processor has an instruction",
            "dev.fusebox.fixtures.server.OwnProcess",
                    "it is the process that tests damage: its pipes, its signals, its forks",
            "dev.fusebox.fixtures.program.StartupCache", "it runs before a test has a Platform",
            "dev.fusebox.fixtures.program.ProgramJars", "the jar tool prints its errors");

    /// The permitted dependencies between modules. A module that is not a key violates a rule.
    private static final Map<String, Set<String>> MAY_USE = Map.ofEntries(
            Map.entry("breaker", Set.of()),
            Map.entry("platform", Set.of()),
            Map.entry("search", Set.of()),
            Map.entry("protocol", Set.of()),
            Map.entry("http", Set.of("platform")),
            Map.entry("schema", Set.of("protocol", "platform")),
            Map.entry("config", Set.of("protocol", "platform")),
            Map.entry("testkit", Set.of("breaker", "platform")),
            Map.entry("fixtures", Set.of("protocol", "platform")),
            Map.entry("client", Set.of("breaker", "protocol", "platform")),
            Map.entry("worker", Set.of("protocol", "platform")),
            Map.entry("oauth", Set.of("breaker", "protocol", "platform", "http", "client")),
            Map.entry("sandbox", Set.of("protocol", "platform", "client")),
            Map.entry(
                    "gateway",
                    Set.of(
                            "breaker",
                            "protocol",
                            "platform",
                            "http",
                            "config",
                            "client",
                            "oauth",
                            "sandbox",
                            "schema",
                            "search")),
            Map.entry("doctor", Set.of("protocol", "platform", "config", "client", "oauth", "gateway")),
            Map.entry("demo", Set.of("breaker", "protocol", "platform")),
            Map.entry(
                    "cli",
                    Set.of(
                            "breaker",
                            "protocol",
                            "platform",
                            "http",
                            "config",
                            "client",
                            "oauth",
                            "sandbox",
                            "gateway",
                            "doctor",
                            "demo")),
            Map.entry("examples", Set.of("breaker", "platform", "testkit", "gateway")),
            Map.entry("races", Set.of("breaker", "platform", "client", "testkit")),
            Map.entry(
                    "bench",
                    Set.of(
                            "breaker",
                            "protocol",
                            "platform",
                            "http",
                            "config",
                            "client",
                            "oauth",
                            "sandbox",
                            "search",
                            "gateway",
                            "testkit")));

    /// Modules that use nothing but the JDK at run time.
    private static final Set<String> WITHOUT_DEPENDENCIES = Set.of("breaker", "platform", "search");

    private DependencyRules() {}

    static ArchRule surroundingsAreReachedThroughThePlatformOnly() {
        return rule(
                "use their surroundings through Platform only",
                type -> accesses(type)
                        .filter(access -> !mayTouchTheRealThing(type) && Surroundings.reachedBy(Target.of(access)))
                        .map(JavaAccess::getDescription));
    }

    static ArchRule timeLimitsAreKeptByThePlatformOnly() {
        return rule(
                "wait with a limit through Platform only",
                type -> accesses(type)
                        .filter(access -> !mayTouchTheRealThing(type))
                        .filter(access -> TimeLimits.takenBy(Target.of(access)) && !isTheCallersExecutor(type, access))
                        .map(JavaAccess::getDescription));
    }

    static ArchRule onlyPrintersPrint() {
        return rule(
                "not use standard output and standard error",
                type -> accesses(type)
                        .filter(access -> !PRINTERS.containsKey(moduleOf(type)) && !isAnEdge(type))
                        .filter(access -> prints(Target.of(access)))
                        .map(JavaAccess::getDescription));
    }

    static ArchRule modulesKnowOnlyThoseBelow() {
        return rule(
                "depend only on the modules below their own",
                type -> usedTypes(type)
                        .filter(used -> isOurs(used) && !moduleOf(used).equals(moduleOf(type)))
                        .filter(used ->
                                !MAY_USE.getOrDefault(moduleOf(type), Set.of()).contains(moduleOf(used)))
                        .map(used -> type.getName() + " must not depend on " + used.getName()));
    }

    static ArchRule everyModuleHasAPlace() {
        return rule(
                "be in a module that is listed in MAY_USE",
                type -> Stream.of(type)
                        .filter(it -> !MAY_USE.containsKey(moduleOf(it)))
                        .map(it ->
                                it.getName() + " is of module '" + moduleOf(it) + "', which is not listed in MAY_USE"));
    }

    static ArchRule librariesWithoutDependenciesHaveNone() {
        return rule(
                "use nothing but the JDK in modules without dependencies",
                type -> usedTypes(type)
                        .filter(used -> WITHOUT_DEPENDENCIES.contains(moduleOf(type)))
                        .filter(used -> !isOurs(used) && !used.getName().matches("java\\..*|org\\.jspecify\\..*"))
                        .map(used -> type.getName() + " must not use " + used.getName()));
    }

    static ArchRule onlyProtocolNamesJackson() {
        return rule(
                "use Jackson in protocol only",
                type -> usedTypes(type)
                        .filter(used -> !moduleOf(type).equals("protocol"))
                        .filter(used -> used.getName().matches("(tools|com\\.fasterxml)\\.jackson\\..*"))
                        .map(used -> type.getName() + " must not use " + used.getName()));
    }

    static ArchRule packagesKnowEachOtherOneWay() {
        return SlicesRuleDefinition.slices()
                .matching("dev.fusebox.(**)")
                .should()
                .beFreeOfCycles()
                .allowEmptyShould(true);
    }

    static ArchRule fieldsSeenFromOutsideDoNotChange() {
        return rule(
                "expose no mutable field",
                type -> type.getFields().stream()
                        .filter(DependencyRules::isSeenFromOutside)
                        .filter(field -> !field.getModifiers().contains(JavaModifier.FINAL)
                                || field.getRawType().isArray())
                        .map(field -> field.getFullName() + " is accessible from outside and mutable"));
    }

    /// For the classes of one module. The class with a `main` is exempt: the launcher requires it to be public.
    static ArchRule publicTypesAreExported(Set<String> exported) {
        return rule(
                "be public only in an exported package",
                type -> Stream.of(type)
                        .filter(it -> it.isTopLevelClass() && it.getModifiers().contains(JavaModifier.PUBLIC))
                        .filter(it -> !exported.contains(it.getPackageName()))
                        .filter(it -> it.tryGetMethod("main", String[].class).isEmpty())
                        .map(it -> it.getName() + " is public, but its package is not exported"));
    }

    /// For the classes of one module.
    static ArchRule typesLiveInThePackageOfTheirModule(String rootPackage) {
        return rule(
                "be in " + rootPackage,
                type -> Stream.of(type)
                        .filter(it -> !(it.getPackageName() + ".").startsWith(rootPackage + "."))
                        .map(it -> it.getName() + " is not in " + rootPackage));
    }

    private static boolean mayTouchTheRealThing(JavaClass type) {
        return REAL_SURROUNDINGS.containsKey(moduleOf(type)) || isAnEdge(type);
    }

    /// One of them, or a class nested in it.
    private static boolean isAnEdge(JavaClass type) {
        return EDGES.containsKey(type.getName().replaceFirst("\\$.*", ""));
    }

    /// The breaker library starts no thread; the executor of its caller is the seam.
    private static boolean isTheCallersExecutor(JavaClass type, JavaAccess<?> access) {
        return moduleOf(type).equals("breaker")
                && Target.of(access).is("java.util.concurrent.ScheduledExecutorService", "schedule");
    }

    private static boolean prints(Target target) {
        return target.is("java.lang.System", "out", "err")
                || target.is("java.io.FileDescriptor", "out", "err")
                || target.is("java.lang.IO", "print", "println")
                || (target.name().equals("printStackTrace") && target.takesNothing());
    }

    private static boolean isSeenFromOutside(JavaField field) {
        return field.getModifiers().contains(JavaModifier.PUBLIC)
                || field.getModifiers().contains(JavaModifier.PROTECTED);
    }

    private static Stream<JavaAccess<?>> accesses(JavaClass type) {
        return type.getAccessesFromSelf().stream();
    }

    private static Stream<JavaClass> usedTypes(JavaClass type) {
        return type.getDirectDependenciesFromSelf().stream()
                .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                .filter(used -> !used.isPrimitive())
                .distinct();
    }

    private static boolean isOurs(JavaClass type) {
        return type.getName().startsWith("dev.fusebox.");
    }

    private static String moduleOf(JavaClass type) {
        return type.getPackageName().replaceFirst("^dev\\.fusebox\\.([^.]+).*$", "$1");
    }

    private static ArchRule rule(String description, Function<JavaClass, Stream<String>> violations) {
        return ArchRuleDefinition.classes()
                .should(new ArchCondition<JavaClass>(description) {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        violations.apply(type).forEach(it -> events.add(SimpleConditionEvent.violated(type, it)));
                    }
                })
                .allowEmptyShould(true);
    }
}
