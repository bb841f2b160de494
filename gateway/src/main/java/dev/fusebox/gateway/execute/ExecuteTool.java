package dev.fusebox.gateway.execute;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.ErrorId;
import dev.fusebox.client.Outcome;
import dev.fusebox.gateway.observe.ScriptTrace;
import dev.fusebox.gateway.tools.GatewayTool;
import dev.fusebox.gateway.tools.GatewayToolCall;
import dev.fusebox.gateway.tools.ToolArguments;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.Message;
import dev.fusebox.sandbox.Sandbox;
import dev.fusebox.sandbox.ScriptReport;
import dev.fusebox.sandbox.ScriptReport.Ended;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/// The tool `mcp_execute`: runs a script that may call many tools, and returns its result. Thread-safe; a call
/// blocks while the script runs.
public final class ExecuteTool implements GatewayTool {
    private static final long MAX_MILLIS = Duration.ofHours(1).toMillis();

    private static final String FENCE = "```";

    private static final String DEFINITION = """
            {"name":"mcp_execute","title":"Run a script",\
            "description":"Run JavaScript that calls tools found with mcp_discover. Use it for several calls, loops or \
            large results: only what you return comes back. `await servers.NAME.TOOL({...})` gives the tool's data \
            (JSON parsed); use servers['my-server'].call('tool', {...}) for other names, and Promise.all for calls \
            at once. A failed call throws an Error with e.error.code and e.error.retryAfterMs. Also available: \
            sleep(ms), console.log. End with an expression or return. No files, network, imports or timers.",\
            "inputSchema":{"type":"object","properties":{\
            "code":{"type":"string","description":"body of an async function"},\
            "timeoutMs":{"type":"integer","minimum":1}},\
            "required":["code"],"additionalProperties":false}}""";

    private final Sandbox sandbox;
    private final Duration most;
    private final Supplier<List<String>> servers;
    private final Function<Message.Request, ScriptTrace> traces;

    /// @param most the longest time that a script may run; a caller may set less
    /// @param servers the current names of all servers
    public ExecuteTool(Sandbox sandbox, Duration most, Supplier<List<String>> servers) {
        this(sandbox, most, servers, request -> ScriptTrace.NONE);
    }

    /// @param most the longest time that a script may run; a caller may set less
    /// @param servers the current names of all servers
    /// @param traces begins the trace of a script
    public ExecuteTool(
            Sandbox sandbox,
            Duration most,
            Supplier<List<String>> servers,
            Function<Message.Request, ScriptTrace> traces) {
        this.traces = traces;
        this.sandbox = sandbox;
        this.most = most;
        this.servers = servers;
    }

    @Override
    public String name() {
        return "mcp_execute";
    }

    @Override
    public boolean mayContainServerResults() {
        return true;
    }

    @Override
    public String definition() {
        return DEFINITION;
    }

    @Override
    public Outcome call(GatewayToolCall call) {
        ToolArguments arguments = ToolArguments.of(call, Set.of("code", "timeoutMs"));
        String code = arguments.required("code");
        Long millis = arguments.number("timeoutMs", MAX_MILLIS);
        Duration wanted = millis == null ? most : Duration.ofMillis(millis);
        Duration limit = wanted.compareTo(most) < 0 ? wanted : most;
        call.call().deadline().limit(limit);
        return arguments
                .failure(this)
                .or(() -> fenced(code))
                .<Outcome>map(Outcome.Failed::new)
                .orElseGet(() -> run(new Script(code, limit), call));
    }

    /// What to run, and for how long at most.
    private record Script(String code, Duration limit) {}

    /// Models often send code in Markdown fences, and the engine's syntax error does not show that.
    private static Optional<CallFailure> fenced(String code) {
        return code.stripLeading().startsWith(FENCE)
                ? Optional.of(CallFailure.policy(
                        ErrorId.INVALID_ARGUMENTS,
                        "the code is enclosed in " + FENCE + " fences; send it without them; nothing was run"))
                : Optional.empty();
    }

    private Outcome run(Script script, GatewayToolCall call) {
        ScriptTrace trace = traces.apply(call.call().request());
        String error = "internal";
        try {
            ScriptReport report = sandbox.run(
                    script.code(),
                    new ScriptToolCalls(call, servers.get(), trace),
                    call.call().deadline());
            error = ScriptReportJson.code(report.ended());
            return report.ended() instanceof Ended.Stopped(ScriptReport.Reason reason, String message)
                            && reason == ScriptReport.Reason.CANCELLED
                    ? new Outcome.Failed(CallFailure.cancelled())
                    : answer(report, script.limit(), call);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new Outcome.Failed(CallFailure.cancelled());
        } finally {
            trace.end(error);
        }
    }

    private static Outcome answer(ScriptReport report, Duration limit, GatewayToolCall call) {
        String error = ScriptReportJson.error(report.ended(), limit);
        String json = ScriptReportJson.of(report, error);
        return error == null ? call.answer(json) : failed(report.ended(), json, error, call);
    }

    /// The same report as for a success, with the error in place of the result; the error is also where every
    /// failed call has it.
    private static Outcome failed(Ended ended, String json, String error, GatewayToolCall call) {
        String result =
                call.form().failure(ScriptReportJson.sentence(ended, error), json, ScriptReportJson.brief(error));
        return new Outcome.Answered(
                Message.Answer.of(JsonRpcFrames.result(call.call().request().id(), result))
                        .asOurs());
    }
}
