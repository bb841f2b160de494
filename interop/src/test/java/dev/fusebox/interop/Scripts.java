package dev.fusebox.interop;

import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A runner of the test scripts around the official TypeScript client. Thread-safe; each run blocks until it ends.
final class Scripts {
    /// The scripts give up earlier by themselves, and then say why.
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private Scripts() {}

    /// Runs a script, which prints what each of its parts saw.
    static JsonView run(String script, Target target, String... more) {
        var command = new ArrayList<>(List.of(Npm.node(), Npm.script(script), target.json()));
        command.addAll(List.of(more));
        Run run = Run.of(new ProcessBuilder(command), LIMIT).succeeds();
        try {
            return JsonView.parse(run.out().strip().getBytes(StandardCharsets.UTF_8));
        } catch (JsonSyntaxError e) {
            throw new AssertionError("no JSON: " + run, e);
        }
    }

    /// What a part saw.
    static JsonView part(JsonView seen, String name) {
        JsonView part = seen.member(name);
        if (part == null || part.member("failed") != null) {
            throw new AssertionError(name + ": " + part);
        }
        return part;
    }
}
