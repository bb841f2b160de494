package dev.fusebox.client.http;

import dev.fusebox.platform.LazyLoggers;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.Splice;
import dev.fusebox.protocol.ToolHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Filter of tool lists from a server of the stateless era: it records their header parameters, and removes tools
/// that cannot be called. Thread-safe; nothing blocks.
final class ToolListObserver {
    private static final System.Logger LOG = LazyLoggers.of(ToolListObserver.class);
    private final ToolHeaders known = new ToolHeaders();

    /// Records a page of tools; returns the response without tools that cannot be called (2026-07-28, Streamable
    /// HTTP, "Schema Extension").
    Message.Answer learn(Message.Answer answer) {
        JsonView tools = answer.frame().path("result", "tools");
        if (tools == null || !known.concerns(tools)) {
            return answer;
        }
        List<JsonView> all = tools.elements();
        List<JsonView> good = new ArrayList<>(all.size());
        for (JsonView tool : all) {
            if (isGood(tool)) {
                good.add(tool);
            }
        }
        return good.size() == all.size() ? answer : without(answer, tools, good);
    }

    private boolean isGood(JsonView tool) {
        String problem = known.learn(tool);
        if (problem != null) {
            String shown = JsonWriter.quoted(String.valueOf(tool.string("name")));
            LOG.log(System.Logger.Level.WARNING, "tool {0} is left out of the list: {1}", shown, problem);
        }
        return problem == null;
    }

    private static Message.Answer without(Message.Answer answer, JsonView tools, List<JsonView> good) {
        String list = good.stream().map(JsonView::json).collect(Collectors.joining(",", "[", "]"));
        byte[] frame = Splice.of(answer.frame()).replace(tools, list).bytes();
        return Message.read(frame) instanceof Message.Answer cleaned ? cleaned : answer;
    }

    /// Adds the headers of a call.
    void addTo(List<String> fields, @Nullable JsonView params) {
        JsonView arguments = params == null ? null : params.member("arguments");
        if (arguments != null) {
            known.of(params).addTo(fields, arguments);
        }
    }
}
