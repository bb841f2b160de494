package dev.fusebox.worker;

import dev.fusebox.platform.Platform;
import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/// A script that is run in a context before the first user script, to initialize what every script needs, which
/// takes longer than most scripts. Its output is discarded, and it leaves nothing in the context. For one thread.
final class WarmUpScript {
    private static final ScriptRequest ORDER = new ScriptRequest(
            "const heard = await servers.one.call('tool', { a: [1] });\nheard.b", "[\"one\"]", 1, 1_000);

    private static final byte[] ANSWERS =
            "{\"answer\":{\"id\":1,\"value\":{\"b\":\"c\"}}}\n".getBytes(StandardCharsets.UTF_8);

    private WarmUpScript() {}

    static void in(ScriptContext scriptContext, Platform platform) throws InterruptedException {
        WorkerInput workerInput = WorkerInput.of(platform, new ByteArrayInputStream(ANSWERS));
        new ScriptRun(platform, workerInput, new WorkerOutput(OutputStream.nullOutputStream()), ORDER)
                .in(scriptContext);
    }
}
