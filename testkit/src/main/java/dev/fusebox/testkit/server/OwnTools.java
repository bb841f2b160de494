package dev.fusebox.testkit.server;

import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Tools for tests of gateways and clients: echo, slow, fail, crash, count, and others. Thread-safe.
final class OwnTools {
    private static final String MILLISECONDS = "{\"ms\":{\"type\":\"integer\",\"minimum\":0}}";
    private static final String CHANGING = "tool-of-change";
    private static final String READ_ONLY = "\"annotations\":{\"readOnlyHint\":true,\"idempotentHint\":true}";
    /// Members that no revision knows; whoever passes the list on passes them on, too.
    private static final String UNKNOWN_MEMBERS =
            "\"_meta\":{\"dev.fusebox/kept\":[1,2.50,-0,1e2]},\"x-unknown\":{\"a\":null}";

    private final Fixture fixture;

    private OwnTools(Fixture fixture) {
        this.fixture = fixture;
    }

    static Stream<Tool> all(Fixture fixture) {
        OwnTools tools = new OwnTools(fixture);
        return Stream.concat(tools.answering(), tools.acting());
    }

    static Tool echo(String name, String description) {
        return Tool.of(name, description, exchange -> Content.result(Content.text(exchange.text("text", ""))))
                .taking("{\"text\":{\"type\":\"string\"}}")
                .and(READ_ONLY);
    }

    private Stream<Tool> answering() {
        return Stream.of(
                echo("echo", "Answers with the text it is given").and("\"title\":\"Echo\"," + UNKNOWN_MEMBERS),
                Tool.of("slow", "Answers after so many milliseconds", OwnTools::slow)
                        .taking(MILLISECONDS)
                        .and(READ_ONLY),
                Tool.of("fail", "Answers that it failed", exchange -> Content.failure(exchange.text("text", "failed")))
                        .taking("{\"text\":{\"type\":\"string\"}}"),
                Tool.of("big", "Answers with a text of so many bytes", OwnTools::big)
                        .taking("{\"bytes\":{\"type\":\"integer\",\"minimum\":0}}")
                        .and(READ_ONLY),
                Tool.of("add", "Adds two numbers, and answers in a structure, too", OwnTools::add)
                        .taking("{\"a\":{\"type\":\"integer\"},\"b\":{\"type\":\"integer\"}}", "a", "b")
                        .and(READ_ONLY)
                        .and("\"outputSchema\":{\"type\":\"object\",\"properties\":{\"sum\":{\"type\":\"integer\"}},"
                                + "\"required\":[\"sum\"]}"),
                Tool.of("env", "Answers with a variable of its environment, or with the names of all", this::env)
                        .taking("{\"name\":{\"type\":\"string\"}}")
                        .and(READ_ONLY),
                Tool.of("count", "Answers how often a tool was executed", this::count)
                        .taking("{\"tool\":{\"type\":\"string\"}}")
                        .and(READ_ONLY));
    }

    private Stream<Tool> acting() {
        return Stream.of(
                Tool.of("crash", "Dies: an exit code, or the name of a signal", this::crash)
                        .taking("{\"how\":{\"type\":\"string\"}}")
                        .and("\"annotations\":{\"destructiveHint\":true}"),
                Tool.of("ask", "Asks the user", OwnTools::ask).taking("{\"message\":{\"type\":\"string\"}}"),
                Tool.of(
                        "roots",
                        "Asks the client for its roots",
                        exchange -> Content.result(Content.text(
                                exchange.ask(Question.roots("roots")).json()))),
                Tool.of("touch", "Says that a resource has changed", this::touch)
                        .taking("{\"uri\":{\"type\":\"string\"}}"),
                Tool.of("test_trigger_tool_change", "Adds a tool, or removes it again", exchange -> change()),
                Tool.of(
                        "test_trigger_prompt_change",
                        "Adds a prompt, or removes it again",
                        exchange -> changePrompts()));
    }

    private static String slow(Exchange exchange) throws ToolFault, InterruptedException {
        long wanted = exchange.number("ms", 1000);
        exchange.pause(wanted);
        return Content.result(Content.text("waited " + wanted + " ms"));
    }

    private static String big(Exchange exchange) throws ToolFault {
        return Content.result(Content.text("x".repeat(Math.toIntExact(exchange.number("bytes", 1 << 20)))));
    }

    private static String add(Exchange exchange) throws ToolFault {
        String sum = "{\"sum\":" + Math.addExact(exchange.number("a", 0), exchange.number("b", 0)) + "}";
        return "{\"content\":[" + Content.text(sum) + "],\"structuredContent\":" + sum + "}";
    }

    private String env(Exchange exchange) {
        var variables = fixture.platform().environment();
        String name = exchange.text("name", "");
        String answer = name.isEmpty()
                ? String.join("\n", new TreeSet<>(variables.keySet()))
                : Optional.ofNullable(variables.get(name)).orElse("(not set)");
        return Content.result(Content.text(answer));
    }

    private String count(Exchange exchange) {
        long count = fixture.journal().count(exchange.text("tool", "count"));
        return Content.result(Content.text(Long.toString(count)));
    }

    private String crash(Exchange exchange) throws ToolFault {
        fixture.host().crash(exchange.text("how", "1"));
        return Content.failure("still alive");
    }

    private static String ask(Exchange exchange) throws NoResult, InterruptedException {
        return AskingTools.elicit(
                exchange,
                exchange.text("message", "Go on?"),
                "{\"type\":\"object\",\"properties\":{\"answer\":{\"type\":\"string\"}}}");
    }

    private String touch(Exchange exchange) {
        String uri = exchange.text("uri", Resources.WATCHED);
        fixture.updated(uri);
        return Content.result(Content.text("touched " + uri));
    }

    private String changePrompts() {
        String done = fixture.prompts().change();
        fixture.notifyAll("notifications/prompts/list_changed");
        return Content.result(Content.text(done));
    }

    private String change() {
        boolean removed = fixture.catalogue().remove(CHANGING);
        if (!removed) {
            fixture.catalogue().add(echo(CHANGING, "Comes and goes"));
        }
        fixture.notifyAll("notifications/tools/list_changed");
        return Content.result(Content.text((removed ? "removed " : "added ") + CHANGING));
    }
}
