package dev.fusebox.testkit.server;

import dev.fusebox.protocol.JsonView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/// The prompts of a server, by the names of the conformance suite, and what completes their arguments.
/// Thread-safe; [#render] blocks while the client is asked.
final class FixturePrompts {
    private static final String CHANGING = "prompt-of-change";

    /// What an argument can be completed to.
    private static final List<String> WORDS = List.of("paper", "park", "party", "test", "testing", "world");

    private static final String REQUESTED_CONTEXT =
            "{\"type\":\"object\",\"properties\":{\"context\":{\"type\":\"string\"}},\"required\":[\"context\"]}";

    private final AtomicBoolean changed = new AtomicBoolean();

    List<String> entries() {
        var entries = new ArrayList<String>();
        if (changed.get()) {
            entries.add(entry(CHANGING, "Comes and goes"));
        }
        entries.addAll(List.of(
                entry("test_input_required_result_prompt", "Asks the user first"),
                entry("test_prompt_with_arguments", "Takes two arguments", "arg1", "arg2"),
                entry("test_prompt_with_embedded_resource", "Has a resource in it", "resourceUri"),
                entry("test_prompt_with_image", "Has a picture in it"),
                entry("test_simple_prompt", "Takes nothing")));
        return entries;
    }

    private static String entry(String name, String description, String... arguments) {
        var list = Stream.of(arguments)
                .map(argument -> "{\"name\":\"" + argument + "\",\"description\":\"The argument " + argument
                        + "\",\"required\":true}")
                .toList();
        return "{\"name\":\"" + name + "\",\"description\":\"" + description + "\""
                + (list.isEmpty() ? "" : ",\"arguments\":" + ToolContent.array(list)) + "}";
    }

    /// Adds a prompt, or removes it again; tells which of the two.
    String change() {
        boolean added = changed.compareAndSet(false, true);
        if (!added) {
            changed.set(false);
        }
        return (added ? "added " : "removed ") + CHANGING;
    }

    /// What `prompts/get` answers.
    String render(CallContext callContext) throws NoResult, InterruptedException {
        String name = CommonResults.text(callContext.params(), "name");
        return switch (name) {
            case "test_simple_prompt" -> messages(ToolContent.text("This is a simple prompt for testing."));
            case "test_prompt_with_arguments" ->
                messages(ToolContent.text("Prompt with arguments: arg1='" + argument(callContext, "arg1") + "', arg2='"
                        + argument(callContext, "arg2") + "'"));
            case "test_prompt_with_embedded_resource" ->
                messages(
                        ToolContent.resource(
                                argument(callContext, "resourceUri"),
                                "text/plain",
                                "Embedded resource content for testing."),
                        ToolContent.text("Please process the embedded resource above."));
            case "test_prompt_with_image" ->
                messages(ToolContent.image(), ToolContent.text("Please analyze the image above."));
            case "test_input_required_result_prompt" -> inContext(callContext);
            default -> throw RpcError.invalidParams("there is no prompt '" + name + "'");
        };
    }

    private static String inContext(CallContext callContext) throws NoResult, InterruptedException {
        JsonView answer = callContext.ask(
                ClientQuestion.elicit("user_context", "What context should the prompt use?", REQUESTED_CONTEXT));
        return messages(ToolContent.text("The context: " + AskingTools.said(answer)));
    }

    private static String argument(CallContext callContext, String name) throws RpcError {
        return Optional.ofNullable(callContext.arguments().string(name))
                .orElseThrow(() -> RpcError.invalidParams("the prompt wants the argument " + name));
    }

    private static String messages(String... contents) {
        var messages = Stream.of(contents)
                .map(content -> "{\"role\":\"user\",\"content\":" + content + "}")
                .toList();
        return "{\"messages\":" + ToolContent.array(messages) + "}";
    }

    /// What `completion/complete` answers.
    ///
    /// @param beginning what has been typed so far
    static String complete(String beginning) {
        var words = WORDS.stream()
                .filter(word -> word.startsWith(beginning))
                .map(ToolContent::quoted)
                .toList();
        return "{\"completion\":{\"values\":" + ToolContent.array(words) + ",\"total\":" + words.size()
                + ",\"hasMore\":false}}";
    }
}
