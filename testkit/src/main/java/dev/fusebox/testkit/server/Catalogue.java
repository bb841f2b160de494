package dev.fusebox.testkit.server;

import dev.fusebox.protocol.JsonView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The tools of a server, in the order of their names, and how a script spoils their list. Thread-safe.
final class Catalogue {
    private static final List<String> NO_TOOLS = List.of(
            "{\"description\":\"has no name\",\"inputSchema\":{\"type\":\"object\"}}",
            "{\"name\":\"bad name!\",\"description\":\"has a bad name\",\"inputSchema\":{\"type\":\"object\"}}",
            "{\"name\":\"no-schema\",\"description\":\"has no schema\"}",
            "{\"name\":\"bad-schema\",\"description\":\"has a bad schema\",\"inputSchema\":{\"type\":7}}",
            "{\"name\":\"text-schema\",\"description\":\"has a text for a schema\",\"inputSchema\":\"object\"}",
            "\"a text\"");

    private final ServerScript script;
    private final ListPaging listPaging;
    private final Map<String, FixtureTool> tools = new ConcurrentSkipListMap<>();

    Catalogue(ServerScript script, Stream<FixtureTool> tools) {
        this.script = script;
        this.listPaging = new ListPaging(script.pageSize());
        tools.forEach(this::add);
    }

    void add(FixtureTool tool) {
        tools.put(tool.name(), tool);
    }

    /// Whether there was one.
    boolean remove(String name) {
        return tools.remove(name) != null;
    }

    Optional<FixtureTool> tool(@Nullable String name) {
        return name == null ? Optional.empty() : Optional.ofNullable(tools.get(name));
    }

    ListPaging listPaging() {
        return listPaging;
    }

    /// One page of the list of tools.
    String list(@Nullable JsonView params) throws RpcError {
        Optional<ScriptedFault> loop = script.fault(FaultKind.CURSOR_LOOP);
        return loop.isPresent() ? round(loop.get(), params) : listPaging.page("tools", entries(), params);
    }

    private List<String> entries() {
        var entries =
                new ArrayList<>(tools.values().stream().map(FixtureTool::entry).toList());
        script.fault(FaultKind.MANY_TOOLS)
                .ifPresent(fault -> IntStream.rangeClosed(1, Math.toIntExact(fault.number()))
                        .mapToObj(i ->
                                TestTools.echo("tool-" + i, "One of many: " + i).entry())
                        .forEach(entries::add));
        if (script.has(FaultKind.DUPLICATE_TOOL)) {
            entries.add(TestTools.echo("echo", "Another tool of the same name").entry());
        }
        if (script.has(FaultKind.INVALID_TOOLS)) {
            entries.addAll(NO_TOOLS);
        }
        return entries;
    }

    /// The same tools again and again, each page with a cursor to a next one.
    private String round(ScriptedFault loop, @Nullable JsonView params) {
        String cursor = params == null ? null : params.string("cursor");
        int here = cursor == null || !cursor.matches("round-\\d{1,9}") ? 0 : Integer.parseInt(cursor.substring(6));
        int next = here % Math.toIntExact(loop.number()) + 1;
        return "{\"tools\":" + ToolContent.array(entries()) + ",\"nextCursor\":\"round-" + next + "\"}";
    }
}
