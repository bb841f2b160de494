package dev.fusebox.testkit.server;

import dev.fusebox.protocol.JsonView;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The tools of the conformance suite that ask the client, by its names. Each reads the same in both eras: in one
/// it waits for its answers, in the other it is called again and finds them. Pure functions.
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
    private static final ClientQuestion NAME = elicitText("user_name", "What is your name?", "name");
    static final ClientQuestion CONFIRMATION = ClientQuestion.elicit(
            "confirm",
            "Please confirm",
            "{\"type\":\"object\",\"properties\":{\"ok\":{\"type\":\"boolean\"}},\"required\":[\"ok\"]}");
    private static final ClientQuestion GREETING = ClientQuestion.sample("greeting", "Generate a greeting");
    private static final ClientQuestion ROOTS = ClientQuestion.roots("client_roots");

    private AskingTools() {}

    static Stream<FixtureTool> all() {
        return Stream.concat(plain(), inRounds());
    }

    private static Stream<FixtureTool> plain() {
        return Stream.of(
                FixtureTool.of("test_sampling", "Asks the client's model", AskingTools::sampling)
                        .taking("{\"prompt\":{\"type\":\"string\",\"description\":\"What to ask\"}}", "prompt"),
                FixtureTool.of(
                                "test_elicitation",
                                "Asks the user",
                                callContext -> elicit(callContext, callContext.text("message", ""), REQUESTED_ANSWER))
                        .taking("{\"message\":{\"type\":\"string\",\"description\":\"What to ask\"}}", "message"),
                FixtureTool.of(
                        "test_elicitation_sep1034_defaults",
                        "Asks the user, with values to begin with",
                        callContext -> elicit(callContext, "Please look through these values", REQUESTED_WITH_PRESETS)),
                FixtureTool.of(
                        "test_elicitation_sep1330_enums",
                        "Asks the user to choose, in all forms of a choice",
                        callContext -> elicit(callContext, "Please choose", REQUESTED_CHOICES)),
                FixtureTool.of(
                        "test_streaming_elicitation", "Says that it works, then asks the user", AskingTools::streaming),
                FixtureTool.of(
                        "test_missing_capability", "Refuses clients that offer no sampling", AskingTools::demanding));
    }

    private static Stream<FixtureTool> inRounds() {
        ClientQuestion capital = ClientQuestion.sample("capital_question", "What is the capital of France?");
        return Stream.of(
                FixtureTool.of(
                        PREFIX + "elicitation", "Greets the user by name", callContext -> answering(callContext, NAME)),
                FixtureTool.of(
                        PREFIX + "sampling", "Asks the client's model", callContext -> answering(callContext, capital)),
                FixtureTool.of(
                        PREFIX + "list_roots", "Asks for the roots", callContext -> answering(callContext, ROOTS)),
                FixtureTool.of(PREFIX + "request_state", "Wants its state back", AskingTools::confirmed),
                FixtureTool.of(PREFIX + "tampered_state", "Wants its state back as it was", AskingTools::confirmed),
                FixtureTool.of(
                        PREFIX + "multiple_inputs",
                        "Asks three things at once",
                        callContext -> all(callContext, List.of(NAME.withState(), GREETING, ROOTS))),
                FixtureTool.of(PREFIX + "multi_round", "Asks one thing after the other", AskingTools::oneAfterTheOther),
                FixtureTool.of(
                        PREFIX + "capabilities",
                        "Asks only what the client can answer",
                        callContext -> all(
                                callContext,
                                Stream.of(NAME, GREETING, ROOTS)
                                        .filter(question -> callContext.client().can(question.capability()))
                                        .toList())));
    }

    private static ClientQuestion elicitText(String key, String message, String property) {
        String schema = "{\"type\":\"object\",\"properties\":{\"" + property
                + "\":{\"type\":\"string\"}},\"required\":[\"" + property + "\"]}";
        return ClientQuestion.elicit(key, message, schema);
    }

    private static String answering(CallContext callContext, ClientQuestion question)
            throws NoResult, InterruptedException {
        return ToolContent.result(ToolContent.text("The answer: " + said(callContext.ask(question))));
    }

    private static String confirmed(CallContext callContext) throws NoResult, InterruptedException {
        callContext.ask(CONFIRMATION.withState());
        return ToolContent.result(ToolContent.text("state-ok"));
    }

    private static String all(CallContext callContext, List<ClientQuestion> questions)
            throws NoResult, InterruptedException {
        Map<String, JsonView> answers = callContext.ask(questions);
        return ToolContent.result(questions.stream()
                .map(question -> ToolContent.text(question.key() + ": " + answers.get(question.key())))
                .toArray(String[]::new));
    }

    private static String oneAfterTheOther(CallContext callContext) throws NoResult, InterruptedException {
        JsonView name = callContext.ask(
                elicitText("step1", "Step 1: What is your name?", "name").withState());
        JsonView color = callContext.ask(elicitText("step2", "Step 2: What is your favorite color?", "color")
                .withState());
        return ToolContent.result(ToolContent.text(said(name) + " and " + said(color)));
    }

    private static String streaming(CallContext callContext) throws NoResult, InterruptedException {
        callContext.progress(1, 2);
        callContext.pause(SuiteTools.BEAT_MS);
        return answering(callContext, NAME);
    }

    private static String demanding(CallContext callContext) throws NoResult {
        callContext.require("sampling");
        return ToolContent.result(ToolContent.text("The client offers sampling."));
    }

    private static String sampling(CallContext callContext) throws NoResult, InterruptedException {
        JsonView result = callContext.ask(ClientQuestion.sample("sample", callContext.text("prompt", "")));
        JsonView said = result.path("content", "text");
        String text = said == null ? null : said.string();
        return ToolContent.result(ToolContent.text("LLM response: " + (text == null ? result.json() : text)));
    }

    /// Asks the user, and answers with what the user did.
    static String elicit(CallContext callContext, String message, String schema) throws NoResult, InterruptedException {
        JsonView result = callContext.ask(ClientQuestion.elicit("user", message, schema));
        return ToolContent.result(ToolContent.text(
                "Elicitation completed: action=" + result.string("action") + ", content=" + said(result)));
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
