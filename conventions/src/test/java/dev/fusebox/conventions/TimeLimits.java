package dev.fusebox.conventions;

import java.util.Map;
import java.util.Set;

/// The methods of the JDK that wait, or make something wait, for a limited time. Stateless.
///
/// The signature of a method decides, so that future methods of the JDK are covered, too: it takes a `TimeUnit` or
/// a `Duration`, or it takes a number or a date and its name ends in `Nanos`, `Until` or `Timeout`. Only the older
/// methods that have neither the type nor the name are in a list.
final class TimeLimits {
    private static final Set<String> LIMITS = Set.of("java.util.concurrent.TimeUnit", "java.time.Duration");
    private static final Set<String> BARE_LIMITS = Set.of("long", "int", "java.util.Date");
    /// Types that only calculate with time, except the waits of `TimeUnit`.
    private static final Set<String> CALCULATORS =
            Set.of("java.util.concurrent.TimeUnit", "java.nio.file.attribute.FileTime");

    private static final Map<String, String> OLD_WAITS = Map.of(
            "java.lang.Object", "wait",
            "java.lang.Thread", "sleep|join",
            "java.lang.ref.ReferenceQueue", "remove",
            "java.nio.channels.Selector", "select",
            "java.net.InetAddress", "isReachable",
            "java.net.Socket", "connect");

    private TimeLimits() {}

    static boolean takenBy(Target target) {
        if (!isOfTheJdk(target.owner()) || target.owner().startsWith("java.time.")) {
            return false;
        }
        if (CALCULATORS.contains(target.owner())) {
            return target.name().equals("sleep") || target.name().startsWith("timed");
        }
        return target.parameters().stream().anyMatch(LIMITS::contains) || takesABareLimit(target);
    }

    private static boolean takesABareLimit(Target target) {
        return target.parameters().stream().anyMatch(BARE_LIMITS::contains)
                && (target.name().matches(".*(Nanos|Until|Timeout)")
                        || target.name().matches(OLD_WAITS.getOrDefault(target.owner(), "")));
    }

    private static boolean isOfTheJdk(String owner) {
        return owner.matches("(java|javax|jdk)\\..*");
    }
}
