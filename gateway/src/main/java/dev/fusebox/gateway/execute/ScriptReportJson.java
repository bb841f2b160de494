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

/// What became of a script, as JSON. Pure functions.
final class ScriptReportJson {
    private ScriptReportJson() {}

    /// What scripts look for that know another place, and do not find here.
    private static final String THERE_IS =
            "; here are servers.NAME.TOOL({...}), sleep(ms), console.log and what JavaScript itself has";

    /// What went wrong, as JSON of an object; null if the script came to its end.
    ///
    /// @param limit how long the script was given
    static @Nullable String error(Ended ended, Duration limit) {
        return switch (ended) {
            case Ended.Finished finished -> null;
            case Ended.Threw threw -> error(threw);
            case Ended.Stopped stopped -> error(stopped, limit);
        };
    }

    /// What failed, for a model. The exception of a failed call has a sentence that also says whether the call was
    /// sent (see [ScriptToolCalls]); the `message` of its error does not.
    ///
    /// @param error of a script that ended so
    static String sentence(Ended ended, String error) {
        return ended instanceof Ended.Threw(String _, String message, int _, JsonView call) && call != null
                ? message
                : Objects.requireNonNullElse(JsonView.of(error).string("message"), "the script failed");
    }

    /// @param error of this report; null if there is none
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

    /// An error without the schema of a tool, which the report says once already.
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

    /// A call that failed and was not caught says more than the script that it ended.
    private static String error(Ended.Threw threw) {
        JsonView inner = threw.error();
        if (inner != null) {
            return inner.json();
        }
        JsonWriter error = begun("script_failed");
        error.name("category").string("policy").name("outcome").string("rejected");
        String more =
                threw.kind().equals("ReferenceError") && threw.message().endsWith(" is not defined") ? THERE_IS : "";
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
                ? "; it was given " + limit.toMillis()
                        + " ms (timeoutMs of the call, at most execute.timeoutMs), and what it has called"
                        + " may have happened"
                : "";
        error.name("message").string(stopped.message() + more);
        return error.endObject().toString();
    }

    /// How a script ended, as the code of its error; null if it came to its end.
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
