package dev.fusebox.testkit;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// Virtual threads with a scheduler of our own: the one class that reaches into the JDK. Thread-safe.
///
/// JDK 25 has a package-private constructor that takes the scheduler, and hands that scheduler one and the same
/// `Runnable` whenever the thread can go on. A virtual thread that such a thread starts has the same scheduler.
final class VirtualThreads {
    private static final String HOW_TO = "the simulation needs JDK 25 and, for its tests, "
            + "--add-opens java.base/java.lang=ALL-UNNAMED (or =dev.fusebox.testkit on the module path)";

    /// Found at first use, so that a missing option is reported by whoever asks, every time.
    private static volatile @Nullable Constructor<?> constructor;

    /// The field of the `Runnable` that holds its thread. One lambda in the JDK makes them all, so one field is
    /// enough; a race to fill it is harmless.
    private static volatile @Nullable Field threadField;

    private VirtualThreads() {}

    /// A thread whose every step is handed to that executor; not started.
    static Thread unstarted(Executor scheduler, String name, Runnable body) {
        try {
            return (Thread) constructor().newInstance(scheduler, name, 0, body);
        } catch (InstantiationException | IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(HOW_TO, e);
        }
    }

    /// The thread that goes on when this `Runnable`, handed to a scheduler, is run.
    static Thread of(Runnable step) {
        try {
            Field field = threadField;
            if (field == null || field.getDeclaringClass() != step.getClass()) {
                field = findThreadField(step.getClass());
                threadField = field;
            }
            return (Thread) field.get(step);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(HOW_TO, e);
        }
    }

    private static Field findThreadField(Class<?> type) {
        for (Field field : type.getDeclaredFields()) {
            if (Thread.class.isAssignableFrom(field.getType())) {
                field.setAccessible(true);
                return field;
            }
        }
        throw new IllegalStateException(HOW_TO + "; no thread found in " + type);
    }

    private static Constructor<?> constructor() {
        Constructor<?> known = constructor;
        if (known == null) {
            known = findConstructor();
            constructor = known;
        }
        return known;
    }

    private static Constructor<?> findConstructor() {
        try {
            Class<?> type = Class.forName("java.lang.VirtualThread");
            var found = type.getDeclaredConstructor(Executor.class, String.class, int.class, Runnable.class);
            found.setAccessible(true);
            return found;
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IllegalStateException(HOW_TO, e);
        }
    }
}
