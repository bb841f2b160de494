package dev.fusebox.demo;

import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonRpcFrames;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Scanner;

/// The program of an MCP server of the demo, over standard input and output: a healthy one, a flaky one, or one with a
/// tool that crashes it. For one thread; [#main] blocks until its input ends.
public final class DemoServer {
    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;

    private static final String GREET = tool("greet", "Greets a person by name", "name");
    private static final String CRASH = tool("crash", "Crashes the server, as a bug would", "");
    private static final String FORECAST = tool("forecast", "Returns the weather forecast", "");

    /// Of so many calls to the flaky server the first few crash it, whichever process they reach.
    private static final int ROUND = 10;

    private static final int BAD = 3;

    private final Behaviour behaviour;
    private final Scanner in;
    private final OutputStream out;

    /// @param kind `healthy`, `flaky` or `crashing`
    /// @param calls a file whose size is the number of calls
    private record Behaviour(String kind, Path calls) {
        String tools() {
            return switch (kind) {
                case "flaky" -> FORECAST;
                case "crashing" -> GREET + "," + CRASH;
                default -> GREET;
            };
        }

        /// Counts a call; returns whether it crashes the server.
        boolean crashesOn(String tool) throws IOException {
            if (tool.equals("crash")) {
                return true;
            }
            if (!tool.equals("forecast")) {
                return false;
            }
            long before = Files.size(calls);
            Files.write(calls, new byte[] {'.'}, StandardOpenOption.APPEND);
            return before % ROUND < BAD;
        }
    }

    private DemoServer(Behaviour behaviour, InputStream in, OutputStream out) {
        this.behaviour = behaviour;
        this.in = new Scanner(in, StandardCharsets.UTF_8);
        this.out = out;
    }

    /// Serves until the input ends or a tool crashes it.
    ///
    /// @param arguments `healthy`, `flaky` or `crashing`, and a file that counts calls
    public static void main(String[] arguments) {
        System.exit(arguments.length == 2 ? run(arguments[0], Path.of(arguments[1])) : WRONG_USAGE);
    }

    private static int run(String kind, Path calls) {
        var in = new BufferedInputStream(new FileInputStream(FileDescriptor.in));
        var server = new DemoServer(new Behaviour(kind, calls), in, new FileOutputStream(FileDescriptor.out));
        try {
            return server.serve();
        } catch (IOException clientGone) {
            return 0;
        }
    }

    /// Returns an exit code.
    private int serve() throws IOException {
        while (in.hasNextLine()) {
            byte[] line = in.nextLine().getBytes(StandardCharsets.UTF_8);
            if (Message.read(line, 0, line.length) instanceof Message.Request request) {
                if (behaviour.crashesOn(toolOf(request))) {
                    return FAILED;
                }
                say(answer(request));
            }
        }
        return 0;
    }

    private void say(byte[] frame) throws IOException {
        out.write(frame);
        out.write('\n');
        out.flush();
    }

    private byte[] answer(Message.Request request) {
        return switch (request.method()) {
            case "initialize" -> JsonRpcFrames.result(request.id(), welcome(request));
            case "ping" -> JsonRpcFrames.result(request.id(), "{}");
            case "tools/list" -> JsonRpcFrames.result(request.id(), "{\"tools\":[" + behaviour.tools() + "]}");
            case "tools/call" -> called(request);
            default ->
                JsonRpcFrames.error(
                        request.id(),
                        JsonRpcErrorCode.METHOD_NOT_FOUND,
                        "unknown method; this server has only tools",
                        null);
        };
    }

    private static String welcome(Message.Request request) {
        JsonView params = request.params();
        String asked = params == null ? null : params.string("protocolVersion");
        JsonWriter result = new JsonWriter().beginObject();
        result.name("protocolVersion").string(asked == null ? "2025-11-25" : asked);
        result.name("capabilities").raw("{\"tools\":{}}");
        return result.name("serverInfo")
                .raw("{\"name\":\"demo\",\"version\":\"1\"}")
                .endObject()
                .toString();
    }

    private static byte[] called(Message.Request request) {
        JsonView name = request.frame().path("params", "arguments", "name");
        String said = switch (toolOf(request)) {
            case "greet" -> "Hello, " + (name == null ? "Ada" : name.string()) + "!";
            case "forecast" -> "Sunny, at last.";
            default -> "";
        };
        if (said.isEmpty()) {
            return JsonRpcFrames.error(request.id(), JsonRpcErrorCode.INVALID_PARAMS, "unknown tool", null);
        }
        JsonWriter text = new JsonWriter().beginObject().name("type").string("text");
        text.name("text").string(said);
        return JsonRpcFrames.result(request.id(), "{\"content\":[" + text.endObject() + "]}");
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
