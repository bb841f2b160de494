package dev.fusebox.cli;

import dev.fusebox.protocol.ErrorCode;
import dev.fusebox.protocol.Frames;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import java.io.BufferedInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Scanner;

/// The tool server of the demo, a process of its own: one tool works, one brings the process down. For one thread;
/// [#serve] blocks until its input ends.
final class DemoServer {
    private static final String TOOLS = "{\"tools\":[" + tool("greet", "Says hello to whoever is named", "name") + ","
            + tool("crash", "Brings the server down, as a bug would", "") + "]}";

    private final Scanner in;
    private final OutputStream out;

    private DemoServer(InputStream in, OutputStream out) {
        this.in = new Scanner(in, StandardCharsets.UTF_8);
        this.out = out;
    }

    static Exit run() {
        var in = new BufferedInputStream(new FileInputStream(FileDescriptor.in));
        try {
            return new DemoServer(in, new FileOutputStream(FileDescriptor.out)).serve();
        } catch (IOException clientGone) {
            return Exit.DONE;
        }
    }

    private Exit serve() throws IOException {
        while (in.hasNextLine()) {
            byte[] line = in.nextLine().getBytes(StandardCharsets.UTF_8);
            if (Message.read(line, 0, line.length) instanceof Message.Request request) {
                if (toolOf(request).equals("crash")) {
                    return Exit.FAILED;
                }
                say(answer(request));
            }
        }
        return Exit.DONE;
    }

    private void say(byte[] frame) throws IOException {
        out.write(frame);
        out.write('\n');
        out.flush();
    }

    private static byte[] answer(Message.Request request) {
        return switch (request.method()) {
            case "initialize" -> Frames.result(request.id(), welcome(request));
            case "ping" -> Frames.result(request.id(), "{}");
            case "tools/list" -> Frames.result(request.id(), TOOLS);
            case "tools/call" -> called(request);
            default -> Frames.error(request.id(), ErrorCode.METHOD_NOT_FOUND, "only tools here", null);
        };
    }

    private static String welcome(Message.Request request) {
        JsonView params = request.params();
        String asked = params == null ? null : params.string("protocolVersion");
        JsonWriter result = new JsonWriter().beginObject();
        result.name("protocolVersion").string(asked == null ? "2025-11-25" : asked);
        result.name("capabilities").raw("{\"tools\":{}}");
        return result.name("serverInfo")
                .raw("{\"name\":\"workshop\",\"version\":\"1\"}")
                .endObject()
                .toString();
    }

    private static byte[] called(Message.Request request) {
        if (!toolOf(request).equals("greet")) {
            return Frames.error(request.id(), ErrorCode.INVALID_PARAMS, "no such tool", null);
        }
        JsonView name = request.frame().path("params", "arguments", "name");
        JsonWriter text = new JsonWriter().beginObject().name("type").string("text");
        text.name("text").string("Hello, " + (name == null ? "whoever you are" : name.string()) + "!");
        return Frames.result(request.id(), "{\"content\":[" + text.endObject() + "]}");
    }

    private static String toolOf(Message.Request request) {
        JsonView params = request.params();
        String name = params == null || !request.method().equals("tools/call") ? null : params.string("name");
        return name == null ? "" : name;
    }

    private static String tool(String name, String description, String argument) {
        String properties = argument.isEmpty() ? "{}" : "{\"" + argument + "\":{\"type\":\"string\"}}";
        return "{\"name\":\"" + name + "\",\"description\":\"" + description
                + "\",\"inputSchema\":{\"type\":\"object\",\"properties\":" + properties + "}}";
    }
}
