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

/// The rules over compiled classes: what may be reached from where. Immutable and thread-safe.
final class SeamRules {
    /// Modules that may touch the real surroundings, each with its reason.
    private static final Map<String, String> REAL_SURROUNDINGS = Map.of(
            "platform", "it is the seam itself",
            "bench", "measuring real time is its job",
            "races", "its harness owns the threads and the time",
            "examples", "it stands for a user's program, which has no Platform");

    /// Modules whose job it is to print, each with its reason.
    private static final Map<String, String> PRINTERS = Map.of(
            "cli", "standard output is its surface",
            "worker", "its standard output is its pipe",
            "bench", "it prints its tables",
            "examples", "it shows the reader what happens");

    /// Single classes that may touch the real surroundings in modules that may not, each with its reason.
    private static final Map<String, String> EDGES = Map.of(
            "dev.fusebox.breaker.SystemSurroundings", "the breaker library has no Platform; this is its own edge",
            "dev.fusebox.testkit.server.OwnProcess",
                    "it is the process a test harms: its pipes, its signals, its forks");

    /// Who may know whom. A module that is not a key has no place yet, and the rule says so.
    private static final Map<String, Set<String>> MAY_KNOW = Map.ofEntries(
            Map.entry("breaker", Set.of()),
            Map.entry("platform", Set.of()),
            Map.entry("search", Set.of()),
            Map.entry("protocol", Set.of()),
            Map.entry("http", Set.of("platform")),
            Map.entry("config", Set.of("protocol")),
            Map.entry("testkit", Set.of("breaker", "protocol", "platform")),
            Map.entry("client", Set.of("breaker", "protocol", "platform")),
            Map.entry("worker", Set.of("protocol", "platform")),
            Map.entry("sandbox", Set.of("protocol", "platform", "client")),
            Map.entry(
                    "gateway",
                    Set.of("breaker", "protocol", "platform", "http", "config", "client", "sandbox", "search")),
            Map.entry(
                    "cli", Set.of("breaker", "protocol", "platform", "http", "config", "client", "sandbox", "gateway")),
            Map.entry("examples", Set.of("breaker", "platform", "testkit")),
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
                            "sandbox",
                            "search",
                            "gateway",
                            "testkit")));

    /// Modules that use nothing at run time but the JDK.
    private static final Set<String> WITHOUT_DEPENDENCIES = Set.of("breaker", "platform", "search");

    private SeamRules() {}

    static ArchRule surroundingsAreReachedThroughThePlatformOnly() {
        return rule(
                "reach their surroundings through Platform only",
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
                "leave standard output and standard error alone",
                type -> accesses(type)
                        .filter(access -> !PRINTERS.containsKey(moduleOf(type)) && !isAnEdge(type))
                        .filter(access -> prints(Target.of(access)))
                        .map(JavaAccess::getDescription));
    }

    static ArchRule modulesKnowOnlyThoseBelow() {
        return rule(
                "know only the modules below their own",
                type -> usedTypes(type)
                        .filter(used -> isOurs(used) && !moduleOf(used).equals(moduleOf(type)))
                        .filter(used ->
                                !MAY_KNOW.getOrDefault(moduleOf(type), Set.of()).contains(moduleOf(used)))
                        .map(used -> type.getName() + " must not know " + used.getName()));
    }

    static ArchRule everyModuleHasAPlace() {
        return rule(
                "live in a module that has a place in MAY_KNOW",
                type -> Stream.of(type)
                        .filter(it -> !MAY_KNOW.containsKey(moduleOf(it)))
                        .map(it ->
                                it.getName() + " is of module '" + moduleOf(it) + "', which has no place in MAY_KNOW"));
    }

    static ArchRule librariesWithoutDependenciesHaveNone() {
        return rule(
                "use nothing but the JDK where a module promises that",
                type -> usedTypes(type)
                        .filter(used -> WITHOUT_DEPENDENCIES.contains(moduleOf(type)))
                        .filter(used -> !isOurs(used) && !used.getName().matches("java\\..*|org\\.jspecify\\..*"))
                        .map(used -> type.getName() + " must not use " + used.getName()));
    }

    static ArchRule onlyProtocolNamesJackson() {
        return rule(
                "leave Jackson to protocol",
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
                "show no field that can change",
                type -> type.getFields().stream()
                        .filter(SeamRules::isSeenFromOutside)
                        .filter(field -> !field.getModifiers().contains(JavaModifier.FINAL)
                                || field.getRawType().isArray())
                        .map(field -> field.getFullName() + " is seen from outside and can change"));
    }

    /// For the classes of one module. The class with a `main` is exempt: the launcher wants it public.
    static ArchRule publicTypesAreExported(Set<String> exported) {
        return rule(
                "be public only in an exported package",
                type -> Stream.of(type)
                        .filter(it -> it.isTopLevelClass() && it.getModifiers().contains(JavaModifier.PUBLIC))
                        .filter(it -> !exported.contains(it.getPackageName()))
                        .filter(it -> it.tryGetMethod("main", String[].class).isEmpty())
                        .map(it -> it.getName() + " is public, its package is not exported"));
    }

    /// For the classes of one module.
    static ArchRule typesLiveInThePackageOfTheirModule(String rootPackage) {
        return rule(
                "live in " + rootPackage,
                type -> Stream.of(type)
                        .filter(it -> !(it.getPackageName() + ".").startsWith(rootPackage + "."))
                        .map(it -> it.getName() + " does not live in " + rootPackage));
    }

    private static boolean mayTouchTheRealThing(JavaClass type) {
        return REAL_SURROUNDINGS.containsKey(moduleOf(type)) || isAnEdge(type);
    }

    /// One of them, or a class inside of it.
    private static boolean isAnEdge(JavaClass type) {
        return EDGES.containsKey(type.getName().replaceFirst("\\$.*", ""));
    }

    /// The breaker library starts no thread; the executor its caller hands in is the seam.
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
