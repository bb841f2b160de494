package dev.fusebox.gateway.execute;

import dev.fusebox.protocol.HiddenCharacters;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.sandbox.ScriptReport;
import dev.fusebox.sandbox.ScriptReport.CallMade;
import dev.fusebox.sandbox.ScriptReport.Ended;
import dev.fusebox.sandbox.ScriptReport.Reason;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The JSON form of a script's report. Pure functions.
final class ScriptReportJson {
    private ScriptReportJson() {}

    /// What the sandbox offers, for scripts written for another runtime.
    private static final String AVAILABLE =
            "; available are servers.NAME.TOOL({...}), sleep(ms), console.log and the JavaScript built-ins";

    /// The error as a JSON object; null if the script finished.
    ///
    /// @param limit the time limit of the script
    static @Nullable String error(Ended ended, Duration limit) {
        return switch (ended) {
            case Ended.Finished finished -> null;
            case Ended.Threw threw -> error(threw);
            case Ended.Stopped stopped -> error(stopped, limit);
        };
    }

    /// The error as a sentence for a model. The exception of a failed call has a sentence that also states whether
    /// the call was sent (see [ScriptToolCalls]); the `message` of its error does not.
    ///
    /// @param error the error object of a script that ended this way
    static String sentence(Ended ended, String error) {
        return ended instanceof Ended.Threw(String _, String message, int _, JsonView call) && call != null
                ? message
                : Objects.requireNonNullElse(JsonView.of(error).string("message"), "the script failed");
    }

    /// @param error the error object of this report; null if there is none
    static String of(ScriptReport report, @Nullable String error) {
        JsonWriter json = new JsonWriter().beginObject();
        if (report.ended() instanceof Ended.Finished(JsonView result)) {
            json.name("result").raw(result);
        } else if (error != null) {
            json.name("error").raw(error);
        }
        json.name("logs").beginArray();
        report.logs().forEach(json::string);
        json.endArray().name("calls").beginArray();
        report.calls().forEach(call -> write(call, json));
        return json.endArray().endObject().toString();
    }

    /// The error without the tool's schema, which the report already contains.
    static String brief(String error) {
        JsonWriter brief = new JsonWriter().beginObject();
        JsonView.of(error).forEachMember((name, value) -> {
            if (!name.equals("inputSchema")) {
                brief.name(name).raw(value);
            }
        });
        return brief.endObject().toString();
    }

    private static void write(CallMade call, JsonWriter json) {
        json.beginObject().name("server").string(call.server()).name("tool").string(call.tool());
        json.name("ok")
                .bool(call.ok())
                .name("durationMs")
                .number(call.durationMs())
                .endObject();
    }

    /// The error of a failed and uncaught call is more precise than that of the script.
    private static String error(Ended.Threw threw) {
        JsonView inner = threw.error();
        if (inner != null) {
            return inner.json();
        }
        JsonWriter error = begun("script_failed");
        error.name("category").string("policy").name("outcome").string("rejected");
        String more =
                threw.kind().equals("ReferenceError") && threw.message().endsWith(" is not defined") ? AVAILABLE : "";
        error.name("message").string(HiddenCharacters.of(threw.kind() + ": " + threw.message()) + more);
        if (threw.line() > 0) {
            error.name("line").number(threw.line());
        }
        return error.endObject().toString();
    }

    private static JsonWriter begun(String code) {
        JsonWriter error = new JsonWriter().beginObject().name("code").string(code);
        return error.name("server").string("fusebox").name("tool").string("mcp_execute");
    }

    private static String error(Ended.Stopped stopped, Duration limit) {
        boolean isUnsent = stopped.reason() == Reason.BUSY;
        JsonWriter error = begun(code(stopped.reason()));
        error.name("category").string(isUnsent ? "local" : "policy");
        error.name("outcome").string(isUnsent ? "not_sent" : "unknown");
        String more = stopped.reason() == Reason.TIME
                ? "; its limit was " + limit.toMillis()
                        + " ms (timeoutMs of the call, at most execute.timeoutMs), and its calls"
                        + " may have been executed"
                : "";
        error.name("message").string(stopped.message() + more);
        return error.endObject().toString();
    }

    /// The error code of a script's end; null if it finished.
    static @Nullable String code(Ended ended) {
        return switch (ended) {
            case Ended.Finished finished -> null;
            case Ended.Threw threw -> "script_failed";
            case Ended.Stopped stopped -> code(stopped.reason());
        };
    }

    private static String code(Reason reason) {
        return switch (reason) {
            case TIME -> "timeout";
            case MEMORY, OUTPUT -> "limit_exceeded";
            case CANCELLED -> "cancelled";
            case BUSY -> "overloaded";
            case CRASHED -> "internal";
        };
    }
}
