package dev.fusebox.worker;

import dev.fusebox.protocol.JsonView;
import java.util.Objects;

/// A script to run, and its limits. Immutable.
///
/// @param servers names of all servers, as a JSON array
/// @param maxCalls the greatest number of calls
/// @param maxOutputBytes the limit of result and log together
record ScriptRequest(String code, String servers, int maxCalls, long maxOutputBytes) {
    static ScriptRequest of(JsonView json) {
        return new ScriptRequest(
                Objects.requireNonNull(json.string("code")),
                Objects.requireNonNull(json.member("servers")).json(),
                Math.toIntExact(number(json, "maxCalls")),
                number(json, "maxOutputBytes"));
    }

    private static long number(JsonView json, String name) {
        return Long.parseLong(Objects.requireNonNull(json.member(name)).json());
    }
}
