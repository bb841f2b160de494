package dev.fusebox.testkit.server;

import dev.fusebox.protocol.JsonView;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The prompts of a server, by the names of the conformance suite, and what completes their arguments. Pure functions.
final class Prompts {
    /// What an argument can be completed to.
    private static final List<String> WORDS = List.of("paper", "park", "party", "test", "testing", "world");

    private Prompts() {}

    static List<String> entries() {
        return List.of(
                entry("test_prompt_with_arguments", "Takes two arguments", "arg1", "arg2"),
                entry("test_prompt_with_embedded_resource", "Has a resource in it", "resourceUri"),
                entry("test_prompt_with_image", "Has a picture in it"),
                entry("test_simple_prompt", "Takes nothing"));
    }

    private static String entry(String name, String description, String... arguments) {
        var list = Stream.of(arguments)
                .map(argument -> "{\"name\":\"" + argument + "\",\"description\":\"The argument " + argument
                        + "\",\"required\":true}")
                .toList();
        return "{\"name\":\"" + name + "\",\"description\":\"" + description + "\""
                + (list.isEmpty() ? "" : ",\"arguments\":" + Content.array(list)) + "}";
    }

    /// What `prompts/get` answers.
    static String render(String name, @Nullable JsonView arguments) throws RpcFault {
        return switch (name) {
            case "test_simple_prompt" -> messages(Content.text("This is a simple prompt for testing."));
            case "test_prompt_with_arguments" ->
                messages(Content.text("Prompt with arguments: arg1='" + argument(arguments, "arg1") + "', arg2='"
                        + argument(arguments, "arg2") + "'"));
            case "test_prompt_with_embedded_resource" ->
                messages(
                        Content.resource(
                                argument(arguments, "resourceUri"),
                                "text/plain",
                                "Embedded resource content for testing."),
                        Content.text("Please process the embedded resource above."));
            case "test_prompt_with_image" -> messages(Content.image(), Content.text("Please analyze the image above."));
            default -> throw RpcFault.invalidParams("there is no prompt '" + name + "'");
        };
    }

    private static String argument(@Nullable JsonView arguments, String name) throws RpcFault {
        String value = arguments == null ? null : arguments.string(name);
        return Optional.ofNullable(value)
                .orElseThrow(() -> RpcFault.invalidParams("the prompt wants the argument " + name));
    }

    private static String messages(String... contents) {
        var messages = Stream.of(contents)
                .map(content -> "{\"role\":\"user\",\"content\":" + content + "}")
                .toList();
        return "{\"messages\":" + Content.array(messages) + "}";
    }

    /// What `completion/complete` answers.
    ///
    /// @param beginning what has been typed so far
    static String complete(String beginning) {
        var words = WORDS.stream()
                .filter(word -> word.startsWith(beginning))
                .map(Content::quoted)
                .toList();
        return "{\"completion\":{\"values\":" + Content.array(words) + ",\"total\":" + words.size()
                + ",\"hasMore\":false}}";
    }
}
