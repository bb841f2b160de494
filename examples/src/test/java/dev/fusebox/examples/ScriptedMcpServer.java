package dev.fusebox.examples;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A minimal MCP server on standard input and output, written by hand so that it starts fast. Its tools: `echo`
/// answers, `refuse` answers with a JSON-RPC error, `sulk` with `isError`, `hang` never answers, `crash` ends the
/// process.
final class ScriptedMcpServer {
    private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*(\"[^\"]*\"|\\d+)");
    private static final Pattern METHOD = Pattern.compile("\"method\"\\s*:\\s*\"([^\"]*)\"");
    private static final Pattern TOOL = Pattern.compile("\"name\"\\s*:\\s*\"([^\"]*)\"");
    private static final Pattern VERSION = Pattern.compile("\"protocolVersion\"\\s*:\\s*\"([^\"]*)\"");

    /// The exit code that a shell reports for a killed process.
    private static final int CRASHED = 137;

    private ScriptedMcpServer() {}

    public static void main(String[] args) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        String line = in.readLine();
        while (line != null) {
            String answer = answer(line);
            if (!answer.isEmpty()) {
                out.println(answer);
            }
            line = in.readLine();
        }
    }

    private static String answer(String line) {
        return switch (found(METHOD, line)) {
            case "initialize" -> result(line, initialized(found(VERSION, line)));
            case "ping" -> result(line, "{}");
            case "tools/call" -> callTool(line);
            default -> "";
        };
    }

    private static String initialized(String version) {
        return "{\"protocolVersion\":\"" + version + "\",\"capabilities\":{\"tools\":{}},"
                + "\"serverInfo\":{\"name\":\"scripted\",\"version\":\"1\"}}";
    }

    private static String callTool(String line) {
        return switch (found(TOOL, line)) {
            case "echo" -> result(line, "{\"content\":[{\"type\":\"text\",\"text\":\"hello\"}]}");
            case "sulk" -> result(line, "{\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":\"no\"}]}");
            case "crash" -> {
                Runtime.getRuntime().halt(CRASHED);
                yield "";
            }
            case "hang" -> "";
            default -> envelope(line, "\"error\":{\"code\":-32602,\"message\":\"wrong arguments\"}");
        };
    }

    private static String result(String line, String result) {
        return envelope(line, "\"result\":" + result);
    }

    private static String envelope(String line, String body) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + found(ID, line) + "," + body + "}";
    }

    private static String found(Pattern pattern, String line) {
        Matcher matcher = pattern.matcher(line);
        return matcher.find() ? matcher.group(1) : "";
    }
}
