package dev.fusebox.testkit;

import dev.fusebox.platform.LaunchResult;
import dev.fusebox.platform.Platform;
import dev.fusebox.platform.Processes;
import dev.fusebox.platform.Program;
import dev.fusebox.platform.SpawnedProcess;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A platform with real processes of which one method fails as if memory were exhausted. Thread-safe; blocks as
/// [SpawnedProcess] does.
public final class FailingProcesses {
    private FailingProcesses() {}

    /// A copy of the platform with such processes.
    ///
    /// @param meant the programs whose processes fail
    /// @param method of [SpawnedProcess], which does its work and then fails
    /// @param fails asked after each call
    public static Platform in(Platform platform, Predicate<Program> meant, String method, BooleanSupplier fails) {
        Processes real = platform.processes();
        return platform.withProcesses(proxy(Processes.class, real, (called, words, answer) -> {
            boolean isMeant = words != null && words[0] instanceof Program program && meant.test(program);
            return isMeant && answer instanceof LaunchResult.Running(SpawnedProcess process)
                    ? new LaunchResult.Running(failing(method, fails, process))
                    : answer;
        }));
    }

    private static SpawnedProcess failing(String method, BooleanSupplier fails, SpawnedProcess real) {
        return proxy(SpawnedProcess.class, real, (called, words, answer) -> {
            if (called.getName().equals(method) && fails.getAsBoolean()) {
                throw new OutOfMemoryError("in " + method);
            }
            return answer;
        });
    }

    /// Replaces the result of a method.
    private interface Replacement {
        @Nullable
        Object of(Method called, Object @Nullable [] words, @Nullable Object answer);
    }

    private static <T> T proxy(Class<T> type, T real, Replacement replacement) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, called, words) -> {
            try {
                return replacement.of(called, words, called.invoke(real, words));
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            }
        }));
    }
}
