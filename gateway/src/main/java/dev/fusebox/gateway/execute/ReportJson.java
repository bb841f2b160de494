package dev.fusebox.gateway.execute;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.sandbox.Report;
import dev.fusebox.sandbox.Report.CallMade;
import dev.fusebox.sandbox.Report.Ended;
import dev.fusebox.sandbox.Report.Reason;
import java.time.Duration;

/// What became of a script, as JSON. Pure functions.
final class ReportJson {
    private ReportJson() {}

    /// What scripts look for that know another place, and do not find here.
    private static final String THERE_IS =
            "; here are servers.NAME.TOOL({...}), sleep(ms), console.log and what JavaScript itself has";

    /// @param limit how long the script was given
    static String of(Report report, Duration limit) {
        JsonWriter json = new JsonWriter().beginObject();
        switch (report.ended()) {
            case Ended.Finished(JsonView result) -> json.name("result").raw(result);
            case Ended.Threw threw -> json.name("error").raw(error(threw));
            case Ended.Stopped stopped -> json.name("error").raw(error(stopped, limit));
        }
        json.name("logs").beginArray();
        report.logs().forEach(json::string);
        json.endArray().name("calls").beginArray();
        report.calls().forEach(call -> write(call, json));
        return json.endArray().endObject().toString();
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
        if (inner != null && isOurs(inner)) {
            return inner.json();
        }
        JsonWriter error = new JsonWriter().beginObject().name("code").string("script_failed");
        error.name("category").string("policy").name("outcome").string("rejected");
        String more =
                threw.kind().equals("ReferenceError") && threw.message().endsWith(" is not defined") ? THERE_IS : "";
        error.name("message").string(threw.kind() + ": " + threw.message() + more);
        if (threw.line() > 0) {
            error.name("line").number(threw.line());
        }
        return error.endObject().toString();
    }

    /// A script may throw whatever it likes; what a failed call says has these two always.
    private static boolean isOurs(JsonView error) {
        return error.isObject() && error.string("code") != null && error.string("message") != null;
    }

    private static String error(Ended.Stopped stopped, Duration limit) {
        boolean isUnsent = stopped.reason() == Reason.BUSY;
        JsonWriter error = new JsonWriter().beginObject().name("code").string(code(stopped.reason()));
        error.name("category").string(isUnsent ? "local" : "policy");
        error.name("outcome").string(isUnsent ? "not_sent" : "unknown");
        String more = stopped.reason() == Reason.TIME
                ? "; it was given " + limit.toMillis()
                        + " ms (timeoutMs, or execute.timeoutMs where the call does not say), and what it has called"
                        + " may have happened"
                : "";
        error.name("message").string(stopped.message() + more);
        return error.endObject().toString();
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
