package dev.fusebox.testkit;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// Factory of virtual threads with a custom scheduler: the only class that accesses JDK internals. Thread-safe.
///
/// JDK 25 has a package-private constructor that takes the scheduler, and passes that scheduler the same
/// `Runnable` whenever the thread can continue. A virtual thread that such a thread starts has the same scheduler.
final class VirtualThreads {
    private static final String HOW_TO = "the simulation needs JDK 25 and, for its tests, "
            + "--add-opens java.base/java.lang=ALL-UNNAMED (or =dev.fusebox.testkit on the module path)";

    /// Looked up at first use, so that every caller gets an error about a missing option.
    private static volatile @Nullable Constructor<?> constructor;

    /// The field of the `Runnable` that contains its thread. One lambda in the JDK creates them all, so one field
    /// is enough; a race to set it is harmless.
    private static volatile @Nullable Field threadField;

    private VirtualThreads() {}

    /// An unstarted thread whose every step is passed to that executor.
    static Thread unstarted(Executor scheduler, String name, Runnable body) {
        try {
            return (Thread) constructor().newInstance(scheduler, name, 0, body);
        } catch (InstantiationException | IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(HOW_TO, e);
        }
    }

    /// The thread that continues when this `Runnable` of a scheduler is run.
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
