package dev.fusebox.conventions;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests that every rule over compiled classes can fail, and that its exceptions hold.
class DependencyRulesTest {
    private static final List<String> REACHING = List.of(
            "System.nanoTime()",
            "System.currentTimeMillis()",
            "java.time.Instant.now()",
            "java.time.LocalDate.now(java.time.ZoneOffset.UTC)",
            "java.time.Clock.systemUTC()",
            "java.time.Clock.tickSeconds(java.time.ZoneOffset.UTC)",
            "java.time.InstantSource.system()",
            "new java.util.Date()",
            "java.util.Calendar.getInstance()",
            "new java.util.Random(7)",
            "new java.util.SplittableRandom()",
            "new java.security.SecureRandom()",
            "java.util.concurrent.ThreadLocalRandom.current()",
            "java.util.random.RandomGenerator.getDefault()",
            "java.util.UUID.randomUUID()",
            "Math.random()",
            "new ProcessBuilder()",
            "Runtime.getRuntime().exec(new String[0])",
            "System.getenv()",
            "System.getenv(\"PATH\")",
            "new java.util.Timer()",
            "java.util.concurrent.Executors.newScheduledThreadPool(1)",
            "(java.util.function.LongSupplier) System::nanoTime",
            "(java.util.function.Supplier<Object>) () -> java.time.Instant.now()");

    private static final List<String> WAITING = List.of(
            "Thread.sleep(1)",
            "Thread.sleep(java.time.Duration.ZERO)",
            "java.util.concurrent.TimeUnit.DAYS.sleep(1)",
            "new Object().wait(1)",
            "Thread.currentThread().join(1)",
            "Thread.currentThread().join(java.time.Duration.ZERO)",
            "new Thread() { void last() throws Exception { join(5); } }",
            "java.util.concurrent.locks.LockSupport.parkNanos(1)",
            "java.util.concurrent.locks.LockSupport.parkUntil(1)",
            "new java.util.concurrent.locks.ReentrantLock().newCondition().awaitNanos(1)",
            "new java.util.concurrent.locks.ReentrantLock().tryLock(1, java.util.concurrent.TimeUnit.DAYS)",
            "new java.util.concurrent.CountDownLatch(1).await(1, java.util.concurrent.TimeUnit.DAYS)",
            "new java.util.concurrent.CompletableFuture<Object>().get(1, java.util.concurrent.TimeUnit.DAYS)",
            "new java.util.concurrent.CompletableFuture<Object>().orTimeout(1, java.util.concurrent.TimeUnit.DAYS)",
            "((Process) null).waitFor(1, java.util.concurrent.TimeUnit.DAYS)",
            "((java.util.concurrent.ScheduledExecutorService) null)"
                    + ".schedule(() -> {}, 1, java.util.concurrent.TimeUnit.DAYS)",
            "new java.net.Socket().setSoTimeout(1)",
            "java.nio.channels.Selector.open().select(1)",
            "new java.lang.ref.ReferenceQueue<Object>().remove(1)");

    private static final List<String> HARMLESS = List.of(
            "java.util.concurrent.TimeUnit.DAYS.toNanos(1)",
            "java.util.concurrent.TimeUnit.DAYS.convert(java.time.Duration.ZERO)",
            "java.time.Duration.ZERO.plus(java.time.Duration.ZERO)",
            "java.time.Instant.EPOCH.until(java.time.Instant.EPOCH, java.time.temporal.ChronoUnit.DAYS)",
            "java.time.Instant.now(java.time.Clock.fixed(java.time.Instant.EPOCH, java.time.ZoneOffset.UTC))",
            "new java.util.SplittableRandom(7)",
            "new Object().hashCode()",
            "new java.util.concurrent.CountDownLatch(1).getCount()");

    private static final List<String> EXPRESSIONS =
            Stream.of(REACHING, WAITING, HARMLESS).flatMap(List::stream).toList();

    /// Every expression in a class of its own, once in a package that may use it and once in one that may not.
    private static JavaClasses expressionClasses;

    @TempDir
    private Path folder;

    @BeforeAll
    static void compileTheExpressions(@TempDir Path once) throws IOException {
        String[] sources = Stream.of("dev.fusebox.gateway", "dev.fusebox.platform")
                .flatMap(inPackage -> EXPRESSIONS.stream().map(expression -> source(expression, inPackage)))
                .toArray(String[]::new);
        expressionClasses = Compiled.classes(once, sources);
    }

    @Test
    void every_use_of_the_surroundings_is_found() throws Exception {
        assertThat(unseen(
                        DependencyRules.surroundingsAreReachedThroughThePlatformOnly(),
                        REACHING,
                        "dev.fusebox.gateway"))
                .isEmpty();
    }

    @Test
    void every_wait_with_a_limit_is_found() throws Exception {
        assertThat(unseen(DependencyRules.timeLimitsAreKeptByThePlatformOnly(), WAITING, "dev.fusebox.gateway"))
                .isEmpty();
    }

    @Test
    void calculating_with_time_is_allowed() throws Exception {
        assertThat(unseen(DependencyRules.timeLimitsAreKeptByThePlatformOnly(), HARMLESS, "dev.fusebox.gateway"))
                .isEqualTo(HARMLESS);
        assertThat(unseen(
                        DependencyRules.surroundingsAreReachedThroughThePlatformOnly(),
                        HARMLESS,
                        "dev.fusebox.gateway"))
                .isEqualTo(HARMLESS);
    }

    @Test
    void platform_may_use_the_real_surroundings() throws Exception {
        assertThat(unseen(
                        DependencyRules.surroundingsAreReachedThroughThePlatformOnly(),
                        REACHING,
                        "dev.fusebox.platform"))
                .isEqualTo(REACHING);
        assertThat(unseen(DependencyRules.timeLimitsAreKeptByThePlatformOnly(), WAITING, "dev.fusebox.platform"))
                .isEqualTo(WAITING);
    }

    @Test
    void exactly_one_class_of_the_breaker_may_use_the_real_surroundings() throws Exception {
        ArchRule rule = DependencyRules.surroundingsAreReachedThroughThePlatformOnly();
        String body = " { static class Inner { long now() { return System.nanoTime(); } } }";
        assertThat(violations(rule, "package dev.fusebox.breaker; class SystemSurroundings" + body))
                .isEmpty();
        assertThat(violations(rule, "package dev.fusebox.breaker; class SystemSurroundings2" + body))
                .hasSize(1);
    }

    @Test
    void breaker_may_use_only_the_executor_of_its_caller() throws Exception {
        ArchRule rule = DependencyRules.timeLimitsAreKeptByThePlatformOnly();
        String source = """
                package dev.fusebox.breaker;
                import java.util.concurrent.*;
                class Limited {
                    void start(%s executor) {
                        executor.schedule(() -> {}, 1, TimeUnit.DAYS);
                    }
                }
                """;
        assertThat(violations(rule, source.formatted("ScheduledExecutorService")))
                .isEmpty();
        assertThat(violations(rule, source.formatted("ScheduledThreadPoolExecutor")))
                .hasSize(1);
    }

    @Test
    void only_programs_may_print() throws Exception {
        String source = "package dev.fusebox.%s; class Talk {"
                + " void out() { System.out.print(1); System.err.print(1); new Throwable().printStackTrace(); } }";
        assertThat(violations(DependencyRules.onlyPrintersPrint(), source.formatted("client")))
                .hasSize(3);
        assertThat(violations(DependencyRules.onlyPrintersPrint(), source.formatted("cli")))
                .isEmpty();
    }

    @Test
    void dependency_on_a_higher_module_is_found() throws Exception {
        String known = "package dev.fusebox.%s; public class Known {}";
        String user = "package dev.fusebox.%s; class User { dev.fusebox.%s.Known[] field; }";
        ArchRule rule = DependencyRules.modulesKnowOnlyThoseBelow();
        assertThat(violations(rule, known.formatted("breaker"), user.formatted("protocol", "breaker")))
                .hasSize(1);
        assertThat(violations(rule, known.formatted("protocol"), user.formatted("breaker", "protocol")))
                .hasSize(1);
    }

    @Test
    void dependency_on_a_lower_module_is_allowed() throws Exception {
        String known = "package dev.fusebox.breaker; public class Known {}";
        String user = "package dev.fusebox.gateway; class User { dev.fusebox.breaker.Known field; }";
        assertThat(violations(DependencyRules.modulesKnowOnlyThoseBelow(), known, user))
                .isEmpty();
    }

    @Test
    void module_without_a_position_in_the_order_is_found() throws Exception {
        assertThat(violations(DependencyRules.everyModuleHasAPlace(), "package dev.fusebox.shed; class Spade {}"))
                .hasSize(1);
    }

    @Test
    void dependency_of_a_module_without_dependencies_is_found() throws Exception {
        String foreign = "package org.foreign; public class Thing {}";
        String user = "package dev.fusebox.%s; class User { org.foreign.Thing field; }";
        ArchRule rule = DependencyRules.librariesWithoutDependenciesHaveNone();
        assertThat(violations(rule, foreign, user.formatted("breaker"))).hasSize(1);
        assertThat(violations(rule, foreign, user.formatted("platform"), user.formatted("gateway")))
                .hasSize(1);
    }

    @Test
    void jackson_outside_protocol_is_found() throws Exception {
        String jackson = "package tools.jackson.core; public class JsonParser {}";
        String user = "package dev.fusebox.%s; class User { tools.jackson.core.JsonParser field; }";
        ArchRule rule = DependencyRules.onlyProtocolNamesJackson();
        assertThat(violations(rule, jackson, user.formatted("protocol"))).isEmpty();
        assertThat(violations(rule, jackson, user.formatted("gateway"))).hasSize(1);
    }

    @Test
    void cycle_between_packages_is_found() throws Exception {
        ArchRule rule = DependencyRules.packagesKnowEachOtherOneWay();
        String below = "package dev.fusebox.client.http; public class Below {}";
        String above = "package dev.fusebox.client; public class Above { dev.fusebox.client.http.Below field; }";
        String both = "package dev.fusebox.client.http; public class Below { dev.fusebox.client.Above field; }";
        assertThat(violations(rule, below, above)).isEmpty();
        assertThat(violations(rule, both, above)).isNotEmpty();
    }

    @Test
    void accessible_mutable_field_is_found() throws Exception {
        String source = "package dev.fusebox.client; public class Open {"
                + " public int changing; protected int too; public final int[] array = {};"
                + " public final int fixed = 1; int inside; }";
        assertThat(violations(DependencyRules.fieldsSeenFromOutsideDoNotChange(), source))
                .hasSize(3);
    }

    @Test
    void public_type_in_a_package_that_is_not_exported_is_found() throws Exception {
        ArchRule rule = DependencyRules.publicTypesAreExported(Set.of("dev.fusebox.client"));
        assertThat(violations(rule, "package dev.fusebox.client; public class Shown {}"))
                .isEmpty();
        assertThat(violations(rule, "package dev.fusebox.client.wire; class Inside {}"))
                .isEmpty();
        assertThat(violations(rule, "package dev.fusebox.client.wire; public class Leaked {}"))
                .hasSize(1);
    }

    @Test
    void type_in_the_package_of_another_module_is_found() throws Exception {
        ArchRule rule = DependencyRules.typesLiveInThePackageOfTheirModule("dev.fusebox.client");
        assertThat(violations(rule, "package dev.fusebox.client.wire; class Home {}"))
                .isEmpty();
        assertThat(violations(rule, "package dev.fusebox.clients; class Away {}"))
                .hasSize(1);
    }

    private List<String> violations(ArchRule rule, String... sources) throws Exception {
        return rule.evaluate(Compiled.classes(folder, sources))
                .getFailureReport()
                .getDetails();
    }

    /// The expressions that the rule did not report in a class of that package.
    private static List<String> unseen(ArchRule rule, List<String> expressions, String inPackage) {
        String report = String.join(
                "\n",
                rule.evaluate(expressionClasses.that(JavaClass.Predicates.resideInAPackage(inPackage)))
                        .getFailureReport()
                        .getDetails());
        return expressions.stream()
                .filter(it -> !report.contains("(" + nameOf(it) + ".java:"))
                .toList();
    }

    private static String nameOf(String expression) {
        return "Case" + EXPRESSIONS.indexOf(expression);
    }

    private static String source(String expression, String inPackage) {
        boolean isValue = expression.startsWith("(java.util.function");
        String statement = isValue ? "Object value = " + expression : expression;
        return "package %s; class %s { void run() throws Exception { %s; } }"
                .formatted(inPackage, nameOf(expression), statement);
    }

    @Test
    void large_circle_of_files_is_found() throws IOException {
        JavaClasses classes = Compiled.classes(
                folder,
                "package dev.fusebox.one; class A { B next; }",
                "package dev.fusebox.one; class B { Runnable next = () -> new C(); }",
                "package dev.fusebox.one; class C { static class Inner { A first; } }",
                "package dev.fusebox.one; class D { A first; }");
        assertThat(DependencyCycles.largerThan(2, classes))
                .containsExactly(Set.of("dev.fusebox.one.A", "dev.fusebox.one.B", "dev.fusebox.one.C"));
        assertThat(DependencyCycles.largerThan(3, classes)).isEmpty();
    }
}
