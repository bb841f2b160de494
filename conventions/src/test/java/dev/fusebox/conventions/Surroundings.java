package dev.fusebox.conventions;

/// The members of the JDK that use the surroundings of a program: clocks, random numbers, processes, the
/// environment, and timers. Stateless.
final class Surroundings {
    private Surroundings() {}

    static boolean reachedBy(Target target) {
        return readsAClock(target)
                || readsTheCalendar(target)
                || drawsFromChance(target)
                || makesAGenerator(target)
                || leavesTheProcess(target)
                || makesATimer(target);
    }

    private static boolean readsAClock(Target target) {
        return target.is("java.lang.System", "nanoTime", "currentTimeMillis")
                || target.is("java.time.InstantSource", "system")
                || (target.owner().equals("java.time.Clock") && target.name().startsWith("system"))
                || (target.owner().equals("java.time.Clock")
                        && target.name().startsWith("tick")
                        && takesNoClock(target));
    }

    private static boolean readsTheCalendar(Target target) {
        boolean isNow = target.owner().startsWith("java.time.") && target.name().equals("now");
        return (isNow && takesNoClock(target))
                || (target.isConstructorOf("java.util.Date") && target.takesNothing())
                || target.isConstructorOf("java.util.GregorianCalendar")
                || target.is("java.util.Calendar", "getInstance");
    }

    private static boolean takesNoClock(Target target) {
        return !target.takes("java.time.Clock");
    }

    private static boolean drawsFromChance(Target target) {
        boolean shuffles = target.is("java.util.Collections", "shuffle");
        return target.is("java.util.concurrent.ThreadLocalRandom", "current")
                || target.is("java.lang.Math", "random")
                || target.is("java.lang.StrictMath", "random")
                || target.is("java.util.UUID", "randomUUID")
                || (shuffles && target.parameters().size() == 1);
    }

    /// A `SplittableRandom` or a generator of a factory with a given seed is a value, and so is allowed.
    private static boolean makesAGenerator(Target target) {
        return target.isConstructorOf("java.util.Random")
                || target.isConstructorOf("java.security.SecureRandom")
                || target.is("java.security.SecureRandom", "getInstance", "getInstanceStrong")
                || (target.isConstructorOf("java.util.SplittableRandom") && target.takesNothing())
                || target.is("java.util.random.RandomGenerator", "of", "getDefault")
                || (target.is("java.util.random.RandomGeneratorFactory", "create") && target.takesNothing());
    }

    private static boolean leavesTheProcess(Target target) {
        return target.owner().equals("java.lang.ProcessBuilder")
                || target.is("java.lang.Runtime", "exec")
                || target.is("java.lang.System", "getenv");
    }

    private static boolean makesATimer(Target target) {
        return target.isConstructorOf("java.util.Timer")
                || target.isConstructorOf("java.util.concurrent.ScheduledThreadPoolExecutor")
                || target.is(
                        "java.util.concurrent.Executors", "newScheduledThreadPool", "newSingleThreadScheduledExecutor");
    }
}
