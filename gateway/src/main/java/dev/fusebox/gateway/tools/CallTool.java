package dev.fusebox.gateway.tools;

import dev.fusebox.client.Outcome;
import java.time.Duration;
import java.util.Set;

/// The tool `mcp_call`: calls one tool of one server and returns its result unchanged. Immutable; a call blocks.
public final class CallTool implements GatewayTool {
    private static final long MAX_MILLIS = Duration.ofHours(24).toMillis();

    private static final String DEFINITION = """
            {"name":"mcp_call","title":"Call a tool",\
            "description":"Call a tool found with mcp_discover. Returns the tool's own result. If the call fails, the \
            error says why, whether the tool may have run (outcome), and when to try again; do not retry earlier.",\
            "inputSchema":{"type":"object","properties":{\
            "server":{"type":"string"},"tool":{"type":"string","description":"name, or SERVER/TOOL without server"},\
            "args":{"type":"object","description":"arguments as the tool's inputSchema requires"},\
            "timeoutMs":{"type":"integer","minimum":1}},\
            "required":["tool"],"additionalProperties":false}}""";

    public CallTool() {
        // Stateless.
    }

    @Override
    public String name() {
        return "mcp_call";
    }

    @Override
    public String definition() {
        return DEFINITION;
    }

    @Override
    public boolean isForwarding() {
        return true;
    }

    @Override
    public Outcome call(GatewayToolCall call) {
        ToolArguments arguments = ToolArguments.of(call, Set.of("server", "tool", "args", "arguments", "timeoutMs"));
        String name = arguments.required("tool");
        QualifiedToolName qualified =
                arguments.lacks("server") ? call.serverAccess().qualified(name) : null;
        String server = qualified == null ? arguments.required("server") : qualified.server();
        String tool = qualified == null ? name : qualified.tool();
        String args = arguments.objectUnder("args", "arguments");
        Long millis = arguments.number("timeoutMs", MAX_MILLIS);
        Duration limit = millis == null ? null : Duration.ofMillis(millis);
        return arguments
                .failure(this)
                .<Outcome>map(Outcome.Failed::new)
                .orElseGet(() -> call.serverAccess()
                        .call(server, call.inner(tool, args, call.call().deadline()), limit));
    }
}
