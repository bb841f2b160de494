package dev.fusebox.client.http;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.Splice;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What the lists of tools that came by have said about headers. Thread-safe; nothing blocks.
final class ToolHeaders {
    private static final System.Logger LOG = System.getLogger(ToolHeaders.class.getName());
    /// More tools than that want headers on no server; of those beyond it, none are sent.
    private static final int MOST = 10_000;

    private final ConcurrentMap<String, ParamHeaders> known = new ConcurrentHashMap<>();

    /// Remembers a page of tools; the answer without tools that cannot be called (2026-07-28, Streamable HTTP, "Schema
    /// Extension").
    Message.Answer learn(Message.Answer answer) {
        JsonView tools = answer.frame().path("result", "tools");
        if (tools == null) {
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
        String name = tool.string("name");
        JsonView schema = tool.member("inputSchema");
        if (name == null || schema == null) {
            return true;
        }
        try {
            ParamHeaders headers = ParamHeaders.of(schema);
            if (headers.isEmpty() || known.size() >= MOST) {
                known.remove(name);
            } else {
                known.put(name, headers);
            }
            return true;
        } catch (ParamHeaders.Invalid invalid) {
            known.remove(name);
            String shown = JsonWriter.quoted(name);
            LOG.log(System.Logger.Level.WARNING, "the tool {0} was left out: {1}", shown, invalid.getMessage());
            return false;
        }
    }

    private static Message.Answer without(Message.Answer answer, JsonView tools, List<JsonView> good) {
        String list = good.stream().map(JsonView::json).collect(Collectors.joining(",", "[", "]"));
        byte[] frame = Splice.of(answer.frame()).replace(tools, list).bytes();
        return Message.read(frame, 0, frame.length) instanceof Message.Answer cleaned ? cleaned : answer;
    }

    /// Adds the headers of a call.
    void addTo(List<String> fields, @Nullable JsonView params) {
        String name = params == null ? null : params.string("name");
        JsonView arguments = params == null ? null : params.member("arguments");
        ParamHeaders headers = name == null ? null : known.get(name);
        if (headers != null && arguments != null) {
            headers.addTo(fields, arguments);
        }
    }
}
