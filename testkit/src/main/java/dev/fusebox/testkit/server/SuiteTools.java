package dev.fusebox.testkit.server;

import dev.fusebox.protocol.JsonView;
import java.util.stream.Stream;

/// The tools that the conformance suite calls, by its names. Pure functions.
final class SuiteTools {
    /// As long as the suite suggests between two messages.
    private static final long BEAT_MS = 50;
    /// Longer than the client is told to wait before it comes back: it waits for the answer on the next line.
    private static final long AWAY_MS = 100;

    private static final String REQUESTED_ANSWER = """
            {"type":"object","properties":{"response":{"type":"string","description":"What the user says"}},\
            "required":["response"]}""";

    private static final String REQUESTED_WITH_PRESETS = """
            {"type":"object","properties":{\
            "name":{"type":"string","description":"Name","default":"John Doe"},\
            "age":{"type":"integer","description":"Age","default":30},\
            "score":{"type":"number","description":"Score","default":95.5},\
            "status":{"type":"string","description":"Status","enum":["active","inactive","pending"],\
            "default":"active"},\
            "verified":{"type":"boolean","description":"Verified","default":true}},"required":[]}""";

    private static final String REQUESTED_CHOICES = """
            {"type":"object","properties":{\
            "untitledSingle":{"type":"string","enum":["option1","option2","option3"]},\
            "titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},\
            {"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},\
            "legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],\
            "enumNames":["Option One","Option Two","Option Three"]},\
            "untitledMulti":{"type":"array","items":{"type":"string","enum":["option1","option2","option3"]}},\
            "titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},\
            {"const":"value2","title":"Second Choice"},{"const":"value3","title":"Third Choice"}]}}},\
            "required":[]}""";

    /// What the suite wants to see again, keyword by keyword.
    private static final String WIDE_SCHEMA = """
            {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",\
            "$defs":{"address":{"$anchor":"addressDef","type":"object",\
            "properties":{"street":{"type":"string"},"city":{"type":"string"}}}},\
            "properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},\
            "contactMethod":{"type":"string","enum":["phone","email"]},\
            "phone":{"type":"string"},"email":{"type":"string"}},\
            "allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],\
            "if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},\
            "then":{"required":["phone"]},"else":{"required":["email"]},"additionalProperties":false}""";

    private SuiteTools() {}

    static Stream<Tool> all() {
        return Stream.concat(plain(), Stream.concat(talking(), asking()));
    }

    private static Stream<Tool> plain() {
        return Stream.of(
                Tool.of(
                        "test_simple_text",
                        "Answers with a text",
                        exchange -> Content.result(Content.text("This is a simple text response for testing."))),
                Tool.of("test_image_content", "Answers with a picture", exchange -> Content.result(Content.image())),
                Tool.of("test_audio_content", "Answers with a sound", exchange -> Content.result(Content.audio())),
                Tool.of(
                        "test_embedded_resource",
                        "Answers with a resource",
                        exchange -> Content.result(Content.resource(
                                "test://embedded-resource", "text/plain", "This is an embedded resource content."))),
                Tool.of("test_multiple_content_types", "Answers with several things", exchange -> mixed()),
                Tool.of(
                        "test_error_handling",
                        "Fails",
                        exchange -> Content.failure("This tool intentionally returns an error for testing")),
                Tool.of(
                                "json_schema_2020_12_tool",
                                "Takes arguments under a schema with many keywords",
                                exchange -> Content.result(Content.text(
                                        "called with " + exchange.arguments().json())))
                        .under(WIDE_SCHEMA));
    }

    private static Stream<Tool> talking() {
        return Stream.of(
                Tool.of("test_tool_with_logging", "Logs three times while it works", SuiteTools::logging),
                Tool.of("test_tool_with_progress", "Says how far it is while it works", SuiteTools::progressing),
                Tool.of(
                        "test_reconnection",
                        "Drops the line; the answer is on the next one",
                        SuiteTools::reconnecting));
    }

    private static Stream<Tool> asking() {
        return Stream.of(
                Tool.of("test_sampling", "Asks the client's model", SuiteTools::sampling)
                        .taking("{\"prompt\":{\"type\":\"string\",\"description\":\"What to ask\"}}", "prompt"),
                Tool.of(
                                "test_elicitation",
                                "Asks the user",
                                exchange -> elicit(exchange, exchange.text("message", ""), REQUESTED_ANSWER))
                        .taking("{\"message\":{\"type\":\"string\",\"description\":\"What to ask\"}}", "message"),
                Tool.of(
                        "test_elicitation_sep1034_defaults",
                        "Asks the user, with values to begin with",
                        exchange -> elicit(exchange, "Please look through these values", REQUESTED_WITH_PRESETS)),
                Tool.of(
                        "test_elicitation_sep1330_enums",
                        "Asks the user to choose, in all forms of a choice",
                        exchange -> elicit(exchange, "Please choose", REQUESTED_CHOICES)));
    }

    private static String mixed() {
        return Content.result(
                Content.text("Multiple content types test:"),
                Content.image(),
                Content.resource(
                        "test://mixed-content-resource", "application/json", "{\"test\":\"data\",\"value\":123}"));
    }

    private static String logging(Exchange exchange) throws InterruptedException {
        exchange.log("Tool execution started");
        exchange.pause(BEAT_MS);
        exchange.log("Tool processing data");
        exchange.pause(BEAT_MS);
        exchange.log("Tool execution completed");
        return Content.result(Content.text("Logged three times."));
    }

    private static String progressing(Exchange exchange) throws InterruptedException {
        exchange.progress(0, 100);
        exchange.pause(BEAT_MS);
        exchange.progress(50, 100);
        exchange.pause(BEAT_MS);
        exchange.progress(100, 100);
        return Content.result(Content.text("Went from 0 to 100."));
    }

    private static String reconnecting(Exchange exchange) throws InterruptedException {
        exchange.outbox().drop();
        exchange.pause(AWAY_MS);
        return Content.result(Content.text("The line was dropped, and here is the answer all the same."));
    }

    private static String sampling(Exchange exchange) throws ToolFault, InterruptedException {
        if (!exchange.conversation().clientCan("sampling")) {
            throw new ToolFault("the client offers no sampling");
        }
        JsonView result = exchange.ask(
                "sampling/createMessage",
                "{\"messages\":[{\"role\":\"user\",\"content\":" + Content.text(exchange.text("prompt", ""))
                        + "}],\"maxTokens\":100}");
        JsonView said = result.path("content", "text");
        String text = said == null ? null : said.string();
        return Content.result(Content.text("LLM response: " + (text == null ? result.json() : text)));
    }

    /// Asks the user, and answers with what the user did.
    static String elicit(Exchange exchange, String message, String schema) throws ToolFault, InterruptedException {
        if (!exchange.conversation().clientCan("elicitation")) {
            throw new ToolFault("the client offers no elicitation");
        }
        JsonView result = exchange.ask(
                "elicitation/create",
                "{\"message\":" + Content.quoted(message) + ",\"requestedSchema\":" + schema + "}");
        JsonView content = result.member("content");
        return Content.result(Content.text("Elicitation completed: action=" + result.string("action") + ", content="
                + (content == null ? "{}" : content.json())));
    }
}
