package dev.fusebox.gateway.provision;

import dev.fusebox.gateway.tools.AvailableTools;
import dev.fusebox.gateway.tools.ServerSummary;
import dev.fusebox.gateway.tools.ToolSearch;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The result of `mcp_provision` as JSON. Pure functions.
final class ProvisionJson {
    private ProvisionJson() {}

    /// Existing tools.
    static String ofTools(List<ToolSearch.Match> tools) {
        JsonWriter answer = new JsonWriter().beginObject().name("source").string("local");
        answer.name("tools").beginArray();
        tools.forEach(match -> {
            tool(match.tool(), answer);
            answer.name("score").raw(decimal(match.score())).endObject();
        });
        return answer.endArray()
                .name("matches")
                .beginArray()
                .endArray()
                .endObject()
                .toString();
    }

    /// Matches in the registry.
    ///
    /// @param provisionResult null if nothing was to be added
    /// @param note empty for none
    static String ofMatches(List<RegistryMatch> matches, @Nullable ProvisionResult provisionResult, String note) {
        JsonWriter answer = new JsonWriter().beginObject();
        answer.name("source").string(matches.isEmpty() ? "none" : "registry");
        answer.name("tools").beginArray();
        (provisionResult == null ? List.<AvailableTools.Tool>of() : provisionResult.tools()).forEach(tool -> {
            tool(tool, answer);
            answer.endObject();
        });
        answer.endArray().name("matches").beginArray();
        matches.forEach(match -> match(match, answer));
        answer.endArray();
        if (provisionResult != null) {
            provisioned(provisionResult, answer);
        }
        if (!note.isEmpty()) {
            answer.name("note").string(note);
        }
        return answer.endObject().toString();
    }

    private static void tool(AvailableTools.Tool tool, JsonWriter answer) {
        JsonView definition = tool.definition();
        answer.beginObject().name("server").string(tool.server()).name("tool").string(tool.name());
        answer.name("description").string(Objects.requireNonNullElse(definition.string("description"), ""));
        JsonView schema = definition.member("inputSchema");
        if (schema != null) {
            answer.name("inputSchema").raw(schema);
        }
    }

    private static void match(RegistryMatch match, JsonWriter answer) {
        InstallProposal proposal = match.proposal();
        answer.beginObject().name("name").string(proposal.entry().name());
        answer.name("description").string(proposal.entry().description());
        answer.name("confidence").raw(decimal(match.confidence()));
        answer.name("installCommand").string(proposal.command());
        answer.name("trusted").bool(match.isTrusted());
        answer.name("autoProvisionable").bool(match.isAutomatic());
        if (!match.note().isEmpty()) {
            answer.name("note").string(match.note());
        }
        answer.endObject();
    }

    private static void provisioned(ProvisionResult provisionResult, JsonWriter answer) {
        ServerSummary seen = provisionResult.seen();
        answer.name("provisioned").beginObject();
        if (seen == null) {
            answer.name("status").string("error").name("statusMessage").string(provisionResult.why());
        } else {
            answer.name("server").string(seen.name()).name("status").string(seen.status());
            answer.name("statusMessage").string(seen.message());
            answer.name("toolCount").number(seen.tools());
        }
        if (!provisionResult.missing().isEmpty()) {
            answer.name("missing").beginArray();
            provisionResult.missing().forEach(answer::string);
            answer.endArray();
        }
        answer.endObject();
    }

    private static String decimal(double number) {
        return String.format(Locale.ROOT, "%.3f", number);
    }
}
