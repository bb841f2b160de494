package dev.fusebox.worker;

import dev.fusebox.protocol.JsonWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/// What a worker tells, a line each. For one thread; writing blocks until the pipe takes it.
final class WorkerOutput {
    private final OutputStream out;

    WorkerOutput(OutputStream out) {
        this.out = out;
    }

    /// The next script may come.
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

    /// More was to be told than may be: nothing more of this script will be.
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
            throw new UncheckedIOException("nobody hears us any more", gone);
        }
    }
}
