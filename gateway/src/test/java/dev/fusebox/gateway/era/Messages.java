package dev.fusebox.gateway.era;

import dev.fusebox.protocol.JsonSyntaxError;
import dev.fusebox.protocol.JsonView;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Messages of clients of either era, and what stands in those they get.
public final class Messages {
    public static final String TAG = "io.modelcontextprotocol/subscriptionId";

    /// A client that can be asked everything, and one that can be asked nothing.
    public static final String ABLE = "{\"elicitation\":{},\"sampling\":{},\"roots\":{}}";

    public static final String PLAIN = "{}";

    private static final String PREFIX = "\"io.modelcontextprotocol/";

    private Messages() {}

    public static String request(int id, String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + params + "}";
    }

    public static String notification(String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"" + method + "\",\"params\":" + params + "}";
    }

    public static String cancelled(int id) {
        return notification("notifications/cancelled", "{\"requestId\":" + id + "}");
    }

    /// Parameters of the stateless era.
    ///
    /// @param more members of `_meta`, and then
    /// @param members beside it, each with a comma in front
    public static String params(String capabilities, String more, String members) {
        return "{\"_meta\":{" + PREFIX + "protocolVersion\":\"2026-07-28\"," + PREFIX
                + "clientInfo\":{\"name\":\"test\",\"version\":\"1\"}," + PREFIX + "clientCapabilities\":"
                + capabilities
                + more + "}" + members + "}";
    }

    public static String stateless(int id, String method, String capabilities, String members) {
        return request(id, method, params(capabilities, "", members));
    }

    /// A call of a tool in the stateless era.
    public static String call(int id, String capabilities, String tool, String arguments) {
        return stateless(id, "tools/call", capabilities, tool(tool, arguments));
    }

    /// The same once more, with what the server wants back.
    public static String again(int id, String tool, String ticket, String responses) {
        String members = ",\"requestState\":\"" + ticket + "\",\"inputResponses\":" + responses;
        return stateless(id, "tools/call", ABLE, tool(tool, "{}") + members);
    }

    public static String tool(String name, String arguments) {
        return ",\"name\":\"" + name + "\",\"arguments\":" + arguments;
    }

    public static String logLevel(String level) {
        return "," + PREFIX + "logLevel\":\"" + level + "\"";
    }

    public static String progressToken(String token) {
        return ",\"progressToken\":\"" + token + "\"";
    }

    public static String listen(int id, String filter) {
        return stateless(id, "subscriptions/listen", PLAIN, ",\"notifications\":" + filter);
    }

    /// A call of a tool in the session era.
    public static String sessionCall(int id, String tool, String arguments) {
        return request(id, "tools/call", "{\"name\":\"" + tool + "\",\"arguments\":" + arguments + "}");
    }

    public static String hello(String capabilities) {
        return request(
                0,
                "initialize",
                "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":" + capabilities
                        + ",\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}");
    }

    // ---- Reading

    public static JsonView read(String frame) {
        try {
            return JsonView.parse(frame.getBytes(StandardCharsets.UTF_8));
        } catch (JsonSyntaxError fault) {
            throw new AssertionError("no JSON: " + frame, fault);
        }
    }

    public static JsonView at(JsonView message, String... path) {
        return Objects.requireNonNull(message.path(path), () -> String.join("/", path) + " is not in " + message);
    }

    public static String text(JsonView message, String... path) {
        return Objects.requireNonNull(at(message, path).string(), () -> "no text in " + message);
    }

    /// The text of the first content of a result.
    public static String said(JsonView answer) {
        return text(at(answer, "result", "content").elements().getFirst(), "text");
    }

    public static @Nullable String method(JsonView message) {
        return message.string("method");
    }

    public static List<String> methods(List<JsonView> messages) {
        return messages.stream()
                .map(message -> Objects.requireNonNullElse(method(message), "answer"))
                .toList();
    }

    /// The ticket of a call that waits for its client.
    public static String ticket(JsonView answer) {
        return text(answer, "result", "requestState");
    }

    /// Code, category and outcome of a failed call, with blanks between.
    public static String kind(JsonView answer) {
        JsonView ofTool = answer.path("result", "_meta", "fusebox/error");
        JsonView fault = ofTool != null ? ofTool : at(answer, "error", "data", "fusebox/error");
        return fault.string("code") + " " + fault.string("category") + " " + fault.string("outcome");
    }
}
