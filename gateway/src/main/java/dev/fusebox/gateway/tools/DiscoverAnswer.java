package dev.fusebox.gateway.tools;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Writer of the JSON that `mcp_discover` returns. For one thread.
final class DiscoverAnswer {
    /// A server that is connecting has usually listed its tools by then.
    private static final Duration RETRY_SOON = Duration.ofSeconds(1);

    /// Further matches with their equivalents: as many as the largest page has.
    private static final int MAX_NAMES = 100;

    /// Names of equivalent tools; of others only the number is given.
    private static final int MAX_ALSO_AT = 10;

    private static final String NO_HINTS = "{}";
    private static final int WITH_SCHEMA = 3;
    private static final int MAX_DESCRIPTION = 120;
    private static final int MAX_BRIEF = 60;
    private static final int MAX_REASON = 120;

    private final JsonWriter answer = new JsonWriter().beginObject();

    /// How much of each tool is shown.
    enum Detail {
        /// The whole definition.
        FULL,
        /// First sentences, and the shortened schemas of the first three tools.
        USUAL,
        /// First sentences without schemas.
        BRIEF
    }

    void note(String text) {
        answer.name("note").string(text);
    }

    String json() {
        return answer.endObject().toString();
    }

    // ---- Servers

    void servers(List<ServerSummary> servers) {
        answer.name("servers").beginArray();
        servers.forEach(this::server);
        answer.endArray();
    }

    private void server(ServerSummary server) {
        answer.beginObject().name("name").string(server.name());
        answer.name("status").string(server.status());
        answer.name("statusMessage").string(server.message());
        answer.name("toolCount").number(server.tools());
        answer.name("breaker").string(server.breaker());
        String error = server.lastError();
        if (error != null && !server.message().contains(error)) {
            answer.name("lastError").string(error);
        }
        retry(server.retryAfter());
        answer.endObject();
    }

    /// Servers that may have a matching tool and cannot be called, or have not listed their tools yet.
    ///
    /// @param most how many are listed; the rest is only counted
    void unavailable(List<ServerSummary> servers, int most) {
        answer.name("unavailable").beginArray();
        servers.stream().limit(most).forEach(this::unavailable);
        answer.endArray();
        if (servers.size() > most) {
            answer.name("moreUnavailable").number(servers.size() - most);
        }
    }

    private void unavailable(ServerSummary server) {
        String error = server.isDown() ? server.lastError() : null;
        String reason = Objects.requireNonNullElse(error, server.message());
        answer.beginObject().name("server").string(server.name());
        answer.name("status").string(server.status());
        answer.name("reason").string(FirstSentence.of(reason, MAX_REASON));
        boolean mayBeReadySoon = !server.isDown() && server.retryAfter() == null;
        retry(mayBeReadySoon ? RETRY_SOON : server.retryAfter());
        answer.endObject();
    }

    private void retry(@Nullable Duration wait) {
        if (wait != null) {
            answer.name("retryAfterMs").number(Math.max(1, wait.toMillis()));
        }
    }

    // ---- Tools

    /// A tool that was found.
    ///
    /// @param status of its server
    record FoundTool(ToolSearch.Match match, String status) {}

    void tools(List<FoundTool> tools, Detail detail) {
        answer.name("tools").beginArray();
        for (int i = 0; i < tools.size(); i++) {
            tool(tools.get(i), detail == Detail.USUAL && i >= WITH_SCHEMA ? Detail.BRIEF : detail);
        }
        answer.endArray();
    }

    /// Names of further matches.
    void more(List<ToolSearch.Match> tools) {
        if (!tools.isEmpty()) {
            answer.name("more");
            names(tools.stream()
                    .flatMap(match -> Stream.concat(Stream.of(match), match.equivalents().stream()))
                    .limit(MAX_NAMES)
                    .toList());
        }
    }

    private void names(List<ToolSearch.Match> tools) {
        answer.beginArray();
        tools.forEach(match ->
                answer.string(match.tool().server() + "/" + match.tool().name()));
        answer.endArray();
    }

    void search(boolean isHybrid) {
        answer.name("search").string(isHybrid ? "hybrid" : "lexical");
    }

    private void tool(FoundTool foundTool, Detail detail) {
        AvailableTools.Tool tool = foundTool.match().tool();
        answer.beginObject().name("server").string(tool.server());
        answer.name("tool").string(tool.name());
        answer.name("description").string(description(tool.definition(), detail));
        answer.name("score").raw(thousandths(foundTool.match().score()));
        switch (detail) {
            case FULL -> {
                whole("inputSchema", tool.definition());
                whole("annotations", tool.definition());
            }
            case USUAL -> inShort(tool.definition());
            case BRIEF -> {}
        }
        alsoAt(foundTool.match().equivalents());
        answer.name("status").string(foundTool.status());
        if (detail != Detail.BRIEF) {
            answer.name("schemaSource").string(tool.isLive() ? "live" : "cache");
        }
        answer.endObject();
    }

    /// Other servers' tools that do the same.
    private void alsoAt(List<ToolSearch.Match> equivalents) {
        if (!equivalents.isEmpty()) {
            answer.name("alsoAt");
            names(equivalents.stream().limit(MAX_ALSO_AT).toList());
            if (equivalents.size() > MAX_ALSO_AT) {
                answer.name("moreAlsoAt").number(equivalents.size() - MAX_ALSO_AT);
            }
        }
    }

    private static String description(JsonView definition, Detail detail) {
        String whole = Objects.requireNonNullElse(definition.string("description"), "");
        return switch (detail) {
            case FULL -> whole;
            case USUAL -> FirstSentence.of(whole, MAX_DESCRIPTION);
            case BRIEF -> FirstSentence.of(whole, MAX_BRIEF);
        };
    }

    private void whole(String name, JsonView definition) {
        JsonView value = definition.member(name);
        if (value != null) {
            answer.name(name).raw(value);
        }
    }

    private void inShort(JsonView definition) {
        JsonView schema = definition.member("inputSchema");
        if (schema != null) {
            answer.name("inputSchema").raw(BriefSchema.of(schema));
        }
        JsonView annotations = definition.member("annotations");
        String hints = annotations == null ? NO_HINTS : hints(annotations);
        if (!hints.equals(NO_HINTS)) {
            answer.name("annotations").raw(hints);
        }
    }

    private static String hints(JsonView annotations) {
        JsonWriter hints = new JsonWriter().beginObject();
        annotations.forEachMember((name, value) -> {
            if (!name.equals("title") && !isDefault(name, value)) {
                hints.name(name).raw(value);
            }
        });
        return hints.endObject().toString();
    }

    /// The default of a hint that is absent (revision 2025-11-25, schema, "ToolAnnotations").
    private static boolean isDefault(String name, JsonView value) {
        return switch (name) {
            case "readOnlyHint", "idempotentHint" -> value.json().equals("false");
            case "destructiveHint", "openWorldHint" -> value.isTrue();
            default -> value.isNull();
        };
    }

    /// Written by hand: `String.format` takes twenty milliseconds at its first use.
    private static String thousandths(double score) {
        String digits = Long.toString(1000 + Math.round(Math.clamp(score, 0.0, 1.0) * 1000));
        return (digits.charAt(0) - '1') + "." + digits.substring(1);
    }
}
