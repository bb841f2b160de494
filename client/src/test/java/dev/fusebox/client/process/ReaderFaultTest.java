package dev.fusebox.client.process;

import static dev.fusebox.client.process.Machine.WORLD;
import static dev.fusebox.client.process.Machine.isAlive;
import static dev.fusebox.client.process.Machine.isSoon;
import static dev.fusebox.client.process.Machine.sh;
import static dev.fusebox.client.process.Machine.started;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.world.Launch;
import dev.fusebox.world.Processes;
import dev.fusebox.world.Program;
import dev.fusebox.world.Spawned;
import dev.fusebox.world.World;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// F101: a thread of a child that ends because of a fault of ours, with a real child behind it.
@Timeout(60)
class ReaderFaultTest {
    /// Where this method is called for a child, and not for the janitor, memory has run out.
    private static World without(String method) {
        Processes real = WORLD.processes();
        return WORLD.withProcesses(proxy(Processes.class, real, (called, words, answer) -> {
            boolean isChild = words != null
                    && words[0] instanceof Program program
                    && !program.arguments().contains("fusebox-janitor");
            return isChild && answer instanceof Launch.Running(Spawned process)
                    ? new Launch.Running(failing(method, process))
                    : answer;
        }));
    }

    private static Spawned failing(String method, Spawned real) {
        return proxy(Spawned.class, real, (called, words, answer) -> {
            if (called.getName().equals(method)) {
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

    @ParameterizedTest
    @CsvSource({
        "readOut, echo up; read -r line",
        // Its pipe stays open, so that nothing but its end is to be seen.
        "await, sleep 60 & exit 3"
    })
    void a_child_that_nobody_can_hear_or_see_any_more_is_ended_and_that_is_told(String method, String script)
            throws InterruptedException {
        try (Children children = Children.open(without(method))) {
            var heard = new Recorder();
            Child child = started(children, sh(script), heard);
            assertThat(isSoon(() -> heard.exits.size() == 1)).isTrue();
            assertThat(heard.exits.getFirst().cause()).isEqualTo(Exit.Cause.READER_FAILED);
            assertThat(isSoon(() -> !isAlive(child.pid()))).isTrue();
            assertThat(isSoon(() -> children.live().isEmpty())).isTrue();
        }
    }

    @Test
    void a_process_that_dies_of_our_deafness_is_not_to_blame_for_it() throws InterruptedException {
        try (Children children = Children.open(without("readOut"))) {
            var heard = new Recorder();
            // Whoever writes into a pipe that nobody reads is ended by that.
            started(children, sh("while :; do echo again; done"), heard);
            assertThat(isSoon(() -> heard.exits.size() == 1)).isTrue();
            assertThat(heard.exits.getFirst().cause()).isEqualTo(Exit.Cause.READER_FAILED);
        }
    }
}
