package dev.fusebox.gateway.front;

import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Frames that test clients send, and accessors for those that they receive.
final class Frame {
    static final String INITIALIZED = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";

    private Frame() {}

    static String hello(String id) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"initialize\",\"params\":{"
                + "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
                + "\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}}";
    }

    static String call(String id, String tool, String arguments) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool
                + "\",\"arguments\":" + arguments + "}}";
    }

    /// A call with these members in its `_meta`.
    static String call(String id, String meta, String tool, String arguments) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":{\"_meta\":{" + meta
                + "},\"name\":\"" + tool + "\",\"arguments\":" + arguments + "}}";
    }

    /// The same in the modern era.
    static String statelessCall(String id, String meta, String tool, String arguments) {
        String own = "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"test\",\"version\":\"1\"},"
                + "\"io.modelcontextprotocol/clientCapabilities\":{}";
        return call(id, meta.isEmpty() ? own : own + "," + meta, tool, arguments);
    }

    static String echo(String id, String text) {
        return call(id, "echo", "{\"text\":\"" + text + "\"}");
    }

    static String cancel(String id) {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":" + id + "}}";
    }

    static JsonView read(String frame) {
        try {
            return JsonView.parse(frame.getBytes(StandardCharsets.UTF_8));
        } catch (JsonSyntaxError fault) {
            throw new AssertionError("no JSON: " + frame, fault);
        }
    }

    /// The id as JSON; null if there is none, or the frame is not a response.
    static @Nullable String answered(JsonView frame) {
        JsonView id = frame.member("id");
        return frame.member("method") != null || id == null ? null : id.json();
    }

    /// The error object of a failed call.
    static JsonView fault(JsonView answer) {
        JsonView ofTool = answer.path("result", "_meta", "fusebox/error");
        JsonView found = ofTool != null ? ofTool : answer.path("error", "data", "fusebox/error");
        return Objects.requireNonNull(found, "no failed call: " + answer);
    }

    /// Code, category and outcome of a failed call, separated by spaces.
    static String kind(JsonView answer) {
        JsonView fault = fault(answer);
        return fault.string("code") + " " + fault.string("category") + " " + fault.string("outcome");
    }

    /// The text of the first content of a result.
    static String text(JsonView answer) {
        JsonView content = Objects.requireNonNull(answer.path("result", "content"), "no result: " + answer);
        return Objects.requireNonNull(content.elements().getFirst().string("text"), "no text: " + answer);
    }
}
