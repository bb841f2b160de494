package dev.fusebox.worker;

import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The process's entry point: says that it is ready, runs a script, says so again, until its input ends.
///
/// It trusts nothing that a script says, and the gateway trusts nothing that it says: time, memory and output are
/// limited from outside, too, by ending the process.
final class WorkerMain {
    private WorkerMain() {}

    public static void main(String[] words) throws IOException, InterruptedException {
        Platform platform = Platform.system();
        WorkerOutput workerOutput = new WorkerOutput(new FileOutputStream(FileDescriptor.out));
        WorkerInput workerInput = WorkerInput.of(platform, new FileInputStream(FileDescriptor.in));
        try (ScriptEngines scriptEngines = ScriptEngines.open()) {
            serve(platform, scriptEngines, workerInput, workerOutput);
        }
        // A script may have left threads of the engine behind, and nobody is there to hear of it.
        System.exit(0);
    }

    /// The room for the next script is there before it comes. The first script is waiting already, and a rehearsal
    /// would take it longer than it saves.
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

    /// The next; null if there will be none.
    private static @Nullable ScriptRequest request(WorkerInput workerInput) throws InterruptedException {
        for (JsonView told = workerInput.take(); told != null; told = workerInput.take()) {
            JsonView script = told.member("run");
            // Anything else is an answer to a script that is over.
            if (script != null || told.member("leave") != null) {
                return script == null ? null : ScriptRequest.of(script);
            }
        }
        return null;
    }
}
