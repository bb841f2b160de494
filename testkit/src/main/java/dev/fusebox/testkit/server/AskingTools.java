package dev.fusebox.testkit.server;

import dev.fusebox.protocol.JsonView;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The tools of the conformance suite that ask the client, by its names. Each reads the same in both eras: in one it
/// waits for its answers, in the other it is called again and finds them. Pure functions.
final class AskingTools {
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

    private static final String PREFIX = "test_input_required_result_";
    private static final Question NAME = elicitText("user_name", "What is your name?", "name");
    static final Question CONFIRMATION = Question.elicit(
            "confirm",
            "Please confirm",
            "{\"type\":\"object\",\"properties\":{\"ok\":{\"type\":\"boolean\"}},\"required\":[\"ok\"]}");
    private static final Question GREETING = Question.sample("greeting", "Generate a greeting");
    private static final Question ROOTS = Question.roots("client_roots");

    private AskingTools() {}

    static Stream<Tool> all() {
        return Stream.concat(plain(), inRounds());
    }

    private static Stream<Tool> plain() {
        return Stream.of(
                Tool.of("test_sampling", "Asks the client's model", AskingTools::sampling)
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
                        exchange -> elicit(exchange, "Please choose", REQUESTED_CHOICES)),
                Tool.of("test_streaming_elicitation", "Says that it works, then asks the user", AskingTools::streaming),
                Tool.of("test_missing_capability", "Refuses clients that offer no sampling", AskingTools::demanding));
    }

    private static Stream<Tool> inRounds() {
        Question capital = Question.sample("capital_question", "What is the capital of France?");
        return Stream.of(
                Tool.of(PREFIX + "elicitation", "Greets the user by name", exchange -> answering(exchange, NAME)),
                Tool.of(PREFIX + "sampling", "Asks the client's model", exchange -> answering(exchange, capital)),
                Tool.of(PREFIX + "list_roots", "Asks for the roots", exchange -> answering(exchange, ROOTS)),
                Tool.of(PREFIX + "request_state", "Wants its state back", AskingTools::confirmed),
                Tool.of(PREFIX + "tampered_state", "Wants its state back as it was", AskingTools::confirmed),
                Tool.of(
                        PREFIX + "multiple_inputs",
                        "Asks three things at once",
                        exchange -> all(exchange, List.of(NAME.withState(), GREETING, ROOTS))),
                Tool.of(PREFIX + "multi_round", "Asks one thing after the other", AskingTools::oneAfterTheOther),
                Tool.of(
                        PREFIX + "capabilities",
                        "Asks only what the client can answer",
                        exchange -> all(
                                exchange,
                                Stream.of(NAME, GREETING, ROOTS)
                                        .filter(question -> exchange.client().can(question.capability()))
                                        .toList())));
    }

    private static Question elicitText(String key, String message, String property) {
        String schema = "{\"type\":\"object\",\"properties\":{\"" + property
                + "\":{\"type\":\"string\"}},\"required\":[\"" + property + "\"]}";
        return Question.elicit(key, message, schema);
    }

    private static String answering(Exchange exchange, Question question) throws NoResult, InterruptedException {
        return Content.result(Content.text("The answer: " + said(exchange.ask(question))));
    }

    private static String confirmed(Exchange exchange) throws NoResult, InterruptedException {
        exchange.ask(CONFIRMATION.withState());
        return Content.result(Content.text("state-ok"));
    }

    private static String all(Exchange exchange, List<Question> questions) throws NoResult, InterruptedException {
        Map<String, JsonView> answers = exchange.ask(questions);
        return Content.result(questions.stream()
                .map(question -> Content.text(question.key() + ": " + answers.get(question.key())))
                .toArray(String[]::new));
    }

    private static String oneAfterTheOther(Exchange exchange) throws NoResult, InterruptedException {
        JsonView name = exchange.ask(
                elicitText("step1", "Step 1: What is your name?", "name").withState());
        JsonView color = exchange.ask(elicitText("step2", "Step 2: What is your favorite color?", "color")
                .withState());
        return Content.result(Content.text(said(name) + " and " + said(color)));
    }

    private static String streaming(Exchange exchange) throws NoResult, InterruptedException {
        exchange.progress(1, 2);
        exchange.pause(SuiteTools.BEAT_MS);
        return answering(exchange, NAME);
    }

    private static String demanding(Exchange exchange) throws NoResult {
        exchange.require("sampling");
        return Content.result(Content.text("The client offers sampling."));
    }

    private static String sampling(Exchange exchange) throws NoResult, InterruptedException {
        JsonView result = exchange.ask(Question.sample("sample", exchange.text("prompt", "")));
        JsonView said = result.path("content", "text");
        String text = said == null ? null : said.string();
        return Content.result(Content.text("LLM response: " + (text == null ? result.json() : text)));
    }

    /// Asks the user, and answers with what the user did.
    static String elicit(Exchange exchange, String message, String schema) throws NoResult, InterruptedException {
        JsonView result = exchange.ask(Question.elicit("user", message, schema));
        return Content.result(
                Content.text("Elicitation completed: action=" + result.string("action") + ", content=" + said(result)));
    }

    /// What an answer has for content: all of it, if it has no such member.
    static String said(JsonView answer) {
        JsonView content = answer.member("content");
        if (content != null) {
            return content.json();
        }
        return answer.member("action") == null ? answer.json() : "{}";
    }
}
