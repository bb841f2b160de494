package dev.fusebox.worker;

import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/// The outgoing messages of a worker, one per line. For one thread; writing blocks while the pipe is full.
final class WorkerOutput {
    private final OutputStream out;

    WorkerOutput(OutputStream out) {
        this.out = out;
    }

    /// Reports that the worker is ready for the next script.
    void ready() {
        send(new JsonWriter().beginObject().name("ready").bool(true).endObject());
    }

    void call(int id, String server, String tool, String args) {
        JsonWriter frame = new JsonWriter().beginObject().name("call").beginObject();
        frame.name("id").number(id).name("server").string(server).name("tool").string(tool);
        send(frame.name("args").raw(args).endObject().endObject());
    }

    void log(String line) {
        send(new JsonWriter().beginObject().name("log").string(line).endObject());
    }

    void done(String result) {
        send(new JsonWriter().beginObject().name("done").raw(result).endObject());
    }

    /// @param kind of error, like `TypeError`
    /// @param line of the script; 0 if it is not known
    /// @param details of a call that failed, as JSON; empty if there are none
    void failed(String kind, String message, int line, String details) {
        JsonWriter frame = new JsonWriter().beginObject().name("failed").beginObject();
        frame.name("kind")
                .string(kind)
                .name("message")
                .string(message)
                .name("line")
                .number(line);
        if (!details.isEmpty()) {
            frame.name("error").raw(details);
        }
        send(frame.endObject().endObject());
    }

    /// Reports that the output limit was exceeded; no further output of this script follows.
    void tooMuch() {
        send(new JsonWriter().beginObject().name("tooMuch").bool(true).endObject());
    }

    private void send(JsonWriter frame) {
        try {
            byte[] bytes = frame.bytes();
            out.write(bytes);
            out.write('\n');
            out.flush();
        } catch (IOException gone) {
            throw new UncheckedIOException("the gateway has closed the pipe", gone);
        }
    }
}
