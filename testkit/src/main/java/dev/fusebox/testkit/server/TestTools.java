package dev.fusebox.testkit.server;

import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Tools for tests of gateways and clients: echo, slow, fail, crash, count, and others. Thread-safe.
final class TestTools {
    private static final String MILLISECONDS = "{\"ms\":{\"type\":\"integer\",\"minimum\":0}}";
    private static final String CHANGING = "tool-of-change";
    private static final String READ_ONLY = "\"annotations\":{\"readOnlyHint\":true,\"idempotentHint\":true}";
    /// Members that no revision knows; whoever passes the list on passes them on, too.
    private static final String UNKNOWN_MEMBERS =
            "\"_meta\":{\"dev.fusebox/kept\":[1,2.50,-0,1e2]},\"x-unknown\":{\"a\":null}";

    private final Fixture fixture;

    private TestTools(Fixture fixture) {
        this.fixture = fixture;
    }

    static Stream<FixtureTool> all(Fixture fixture) {
        TestTools tools = new TestTools(fixture);
        return Stream.concat(tools.answering(), tools.acting());
    }

    static FixtureTool echo(String name, String description) {
        return FixtureTool.of(
                        name,
                        description,
                        callContext -> ToolContent.result(ToolContent.text(callContext.text("text", ""))))
                .taking("{\"text\":{\"type\":\"string\"}}")
                .and(READ_ONLY);
    }

    private Stream<FixtureTool> answering() {
        return Stream.of(
                echo("echo", "Answers with the text it is given").and("\"title\":\"Echo\"," + UNKNOWN_MEMBERS),
                FixtureTool.of("slow", "Answers after so many milliseconds", TestTools::slow)
                        .taking(MILLISECONDS)
                        .and(READ_ONLY),
                FixtureTool.of(
                                "fail",
                                "Answers that it failed",
                                callContext -> ToolContent.failure(callContext.text("text", "failed")))
                        .taking("{\"text\":{\"type\":\"string\"}}"),
                FixtureTool.of("big", "Answers with a text of so many bytes", TestTools::big)
                        .taking("{\"bytes\":{\"type\":\"integer\",\"minimum\":0}}")
                        .and(READ_ONLY),
                FixtureTool.of("add", "Adds two numbers, and answers in a structure, too", TestTools::add)
                        .taking("{\"a\":{\"type\":\"integer\"},\"b\":{\"type\":\"integer\"}}", "a", "b")
                        .and(READ_ONLY)
                        .and("\"outputSchema\":{\"type\":\"object\",\"properties\":{\"sum\":{\"type\":\"integer\"}},"
                                + "\"required\":[\"sum\"]}"),
                FixtureTool.of("env", "Answers with a variable of its environment, or with the names of all", this::env)
                        .taking("{\"name\":{\"type\":\"string\"}}")
                        .and(READ_ONLY),
                FixtureTool.of("count", "Answers how often a tool was executed", this::count)
                        .taking("{\"tool\":{\"type\":\"string\"}}")
                        .and(READ_ONLY));
    }

    private Stream<FixtureTool> acting() {
        return Stream.of(
                FixtureTool.of("crash", "Dies: an exit code, or the name of a signal", this::crash)
                        .taking("{\"how\":{\"type\":\"string\"}}")
                        .and("\"annotations\":{\"destructiveHint\":true}"),
                FixtureTool.of("ask", "Asks the user", TestTools::ask).taking("{\"message\":{\"type\":\"string\"}}"),
                FixtureTool.of(
                        "roots",
                        "Asks the client for its roots",
                        callContext -> ToolContent.result(ToolContent.text(
                                callContext.ask(ClientQuestion.roots("roots")).json()))),
                FixtureTool.of("touch", "Says that a resource has changed", this::touch)
                        .taking("{\"uri\":{\"type\":\"string\"}}"),
                FixtureTool.of("test_trigger_tool_change", "Adds a tool, or removes it again", callContext -> change()),
                FixtureTool.of(
                        "test_trigger_prompt_change",
                        "Adds a prompt, or removes it again",
                        callContext -> changePrompts()));
    }

    private static String slow(CallContext callContext) throws ToolError, InterruptedException {
        long wanted = callContext.number("ms", 1000);
        callContext.pause(wanted);
        return ToolContent.result(ToolContent.text("waited " + wanted + " ms"));
    }

    private static String big(CallContext callContext) throws ToolError {
        return ToolContent.result(ToolContent.text("x".repeat(Math.toIntExact(callContext.number("bytes", 1 << 20)))));
    }

    private static String add(CallContext callContext) throws ToolError {
        String sum = "{\"sum\":" + Math.addExact(callContext.number("a", 0), callContext.number("b", 0)) + "}";
        return "{\"content\":[" + ToolContent.text(sum) + "],\"structuredContent\":" + sum + "}";
    }

    private String env(CallContext callContext) {
        var variables = fixture.platform().environment();
        String name = callContext.text("name", "");
        String answer = name.isEmpty()
                ? String.join("\n", new TreeSet<>(variables.keySet()))
                : Optional.ofNullable(variables.get(name)).orElse("(not set)");
        return ToolContent.result(ToolContent.text(answer));
    }

    private String count(CallContext callContext) {
        long count = fixture.journal().count(callContext.text("tool", "count"));
        return ToolContent.result(ToolContent.text(Long.toString(count)));
    }

    private String crash(CallContext callContext) throws ToolError {
        fixture.host().crash(callContext.text("how", "1"));
        return ToolContent.failure("still alive");
    }

    private static String ask(CallContext callContext) throws NoResult, InterruptedException {
        return AskingTools.elicit(
                callContext,
                callContext.text("message", "Go on?"),
                "{\"type\":\"object\",\"properties\":{\"answer\":{\"type\":\"string\"}}}");
    }

    private String touch(CallContext callContext) {
        String uri = callContext.text("uri", Resources.WATCHED);
        fixture.updated(uri);
        return ToolContent.result(ToolContent.text("touched " + uri));
    }

    private String changePrompts() {
        String done = fixture.fixturePrompts().change();
        fixture.notifyAll("notifications/prompts/list_changed");
        return ToolContent.result(ToolContent.text(done));
    }

    private String change() {
        boolean removed = fixture.catalogue().remove(CHANGING);
        if (!removed) {
            fixture.catalogue().add(echo(CHANGING, "Comes and goes"));
        }
        fixture.notifyAll("notifications/tools/list_changed");
        return ToolContent.result(ToolContent.text((removed ? "removed " : "added ") + CHANGING));
    }
}
