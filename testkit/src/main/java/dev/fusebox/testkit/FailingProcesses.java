package dev.fusebox.testkit;

import dev.fusebox.world.Launch;
import dev.fusebox.world.Processes;
import dev.fusebox.world.Program;
import dev.fusebox.world.Spawned;
import dev.fusebox.world.World;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Real processes, of which one thing cannot be asked because memory runs out. Thread-safe.
public final class FailingProcesses {
    private FailingProcesses() {}

    /// This world, but for its processes.
    ///
    /// @param meant which programs' processes fail
    /// @param method of [Spawned], which does what it does and then fails
    /// @param fails asked after each call
    public static World in(World world, Predicate<Program> meant, String method, BooleanSupplier fails) {
        Processes real = world.processes();
        return world.withProcesses(proxy(Processes.class, real, (called, words, answer) -> {
            boolean isMeant = words != null && words[0] instanceof Program program && meant.test(program);
            return isMeant && answer instanceof Launch.Running(Spawned process)
                    ? new Launch.Running(failing(method, fails, process))
                    : answer;
        }));
    }

    private static Spawned failing(String method, BooleanSupplier fails, Spawned real) {
        return proxy(Spawned.class, real, (called, words, answer) -> {
            if (called.getName().equals(method) && fails.getAsBoolean()) {
                throw new OutOfMemoryError("in " + method);
            }
            return answer;
        });
    }

    /// What stands in for what a method has answered.
    private interface Instead {
        @Nullable
        Object of(Method called, Object @Nullable [] words, @Nullable Object answer);
    }

    private static <T> T proxy(Class<T> type, T real, Instead instead) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, called, words) -> {
            try {
                return instead.of(called, words, called.invoke(real, words));
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            }
        }));
    }
}
