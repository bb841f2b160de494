package dev.fusebox.worker;

import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The incoming messages of a worker, in order. One thread takes messages and blocks for them, the one that
/// created it; another reads.
final class WorkerInput {
    private static final Duration FOR_EVER = Duration.ofDays(10_000);

    /// A server's response may be as deep as any message, and is embedded in one of ours.
    private static final int MAX_DEPTH = JsonView.MAX_DEPTH + 16;

    private final Platform platform;
    private final Thread taker = Thread.currentThread();
    private final Queue<JsonView> told = new ConcurrentLinkedQueue<>();
    private volatile boolean isOver;

    private WorkerInput(Platform platform) {
        this.platform = platform;
    }

    /// Reads until the input ends; the thread ends with the process.
    static WorkerInput of(Platform platform, InputStream in) {
        WorkerInput workerInput = new WorkerInput(platform);
        Thread.ofPlatform().daemon().name("inbox").start(() -> workerInput.read(in));
        return workerInput;
    }

    private void read(InputStream in) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                told.add(JsonView.parse(line.getBytes(StandardCharsets.UTF_8), MAX_DEPTH));
                LockSupport.unpark(taker);
            }
        } catch (IOException | JsonSyntaxError broken) {
            // The peer is not the gateway; handled like the end of the input.
        } finally {
            isOver = true;
            LockSupport.unpark(taker);
        }
    }

    /// The next message; null at the end. Blocks until there is one.
    @Nullable
    JsonView take() throws InterruptedException {
        return take(FOR_EVER);
    }

    /// The next message; null at the end, or if there is none in time.
    @Nullable
    JsonView take(Duration limit) throws InterruptedException {
        platform.await(limit, () -> isOver || !told.isEmpty());
        return told.poll();
    }

    boolean isOver() {
        return isOver;
    }
}
