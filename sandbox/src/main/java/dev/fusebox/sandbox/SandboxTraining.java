package dev.fusebox.sandbox;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.process.ChildProcesses;
import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// The training run of the worker's start-up cache: runs typical scripts in a worker that records what it has
/// loaded, so that the next worker starts from that. Used once; blocks for some seconds.
public final class SandboxTraining {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    /// A script with the features that most scripts use.
    private static final String SCRIPT = """
            const found = await Promise.all([1, 2, 3].map((n) => servers.some.tool({ n })));
            const byName = new Map(found.map(({ n }, i) => [`n${i}`, n * 2]));
            let sum = 0;
            for (const [name, value] of byName) {
              sum += value;
              console.log(name, { value }, /n(\\d)/.exec(name)[1]);
            }
            await sleep(1);
            try { await servers.some.fail(); } catch (e) { console.error(e, e.error.code); }
            class Point { constructor(x) { this.x = x; } get double() { return this.x * 2; } }
            const all = { x: new Point(4).double, y: [...byName.keys()].sort(), z: new Date(0).toISOString() };
            const { x, ...rest } = all;
            return { sum, x, rest, text: JSON.stringify(rest).replace(/"/g, "'"), set: new Set([1n]) };
            """;

    /// Loads in advance what is needed at the end of a stack.
    private static final String ENDLESS = "const deeper = () => deeper() + 1; deeper()";

    private static final ScriptHost HOST = new ScriptHost() {
        @Override
        public List<String> servers() {
            return List.of("some");
        }

        @Override
        public Answer call(Request request, Deadline deadline) {
            return request.tool().equals("fail")
                    ? new Answer.Bad("no", JsonView.of("{\"code\":\"timeout\"}"))
                    : new Answer.Good(request.args());
        }
    };

    private SandboxTraining() {}

    /// Returns true if the cache was written.
    public static boolean run(Platform platform, ChildProcesses children, WorkerProgram program, Path cache)
            throws InterruptedException {
        try (Sandbox sandbox = new Sandbox(platform, children, program.training(cache), SandboxLimits.defaults())) {
            for (String code : List.of(SCRIPT, SCRIPT, "throw new TypeError('x')", "let x = ;", ENDLESS)) {
                sandbox.run(code, HOST, new Deadline(LIMIT, Duration.ZERO, platform.ticker()));
            }
            return sandbox.leave(LIMIT) && Files.exists(cache);
        }
    }
}
