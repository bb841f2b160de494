package dev.fusebox.worker;

import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The entry point of the worker process: reports that it is ready, runs a script, and repeats that until its
/// input ends.
///
/// It does not trust scripts, and the gateway does not trust the worker: time, memory and output are also limited
/// from outside, by ending the process.
final class WorkerMain {
    private WorkerMain() {}

    public static void main(String[] words) throws IOException, InterruptedException {
        Platform platform = Platform.system();
        WorkerOutput workerOutput = new WorkerOutput(new FileOutputStream(FileDescriptor.out));
        WorkerInput workerInput = WorkerInput.of(platform, new FileInputStream(FileDescriptor.in));
        try (ScriptEngines scriptEngines = ScriptEngines.open()) {
            serve(platform, scriptEngines, workerInput, workerOutput);
        }
        // A script may have left threads of the engine behind; they must not keep the process alive.
        System.exit(0);
    }

    /// Creates the context for the next script in advance. The first script is waiting already, and a warm-up
    /// would take longer than it saves.
    private static void serve(
            Platform platform, ScriptEngines scriptEngines, WorkerInput workerInput, WorkerOutput workerOutput)
            throws IOException, InterruptedException {
        boolean isFirst = true;
        boolean goesOn = true;
        while (goesOn) {
            try (ScriptContext scriptContext = scriptEngines.scriptContext()) {
                if (!isFirst) {
                    WarmUpScript.in(scriptContext, platform);
                }
                isFirst = false;
                workerOutput.ready();
                ScriptRequest request = request(workerInput);
                goesOn = request != null;
                if (request != null) {
                    goesOn = new ScriptRun(platform, workerInput, workerOutput, request).in(scriptContext);
                }
            }
        }
    }

    /// The next request; null if there will be none.
    private static @Nullable ScriptRequest request(WorkerInput workerInput) throws InterruptedException {
        for (JsonView told = workerInput.take(); told != null; told = workerInput.take()) {
            JsonView script = told.member("run");
            // Anything else is a response for a script that has ended.
            if (script != null || told.member("leave") != null) {
                return script == null ? null : ScriptRequest.of(script);
            }
        }
        return null;
    }
}
