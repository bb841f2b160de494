package dev.fusebox.testkit.server;

import java.util.stream.Stream;

/// The tools that the conformance suite calls, by its names. Pure functions.
final class SuiteTools {
    /// As long as the suite suggests between two messages.
    static final long BEAT_MS = 50;
    /// Longer than the client is told to wait before it comes back: it waits for the answer on the next line.
    private static final long AWAY_MS = 100;

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

    static Stream<FixtureTool> all() {
        return Stream.concat(Stream.concat(plain(), talking()), AskingTools.all());
    }

    private static Stream<FixtureTool> plain() {
        return Stream.of(
                FixtureTool.of(
                        "test_simple_text",
                        "Answers with a text",
                        callContext ->
                                ToolContent.result(ToolContent.text("This is a simple text response for testing."))),
                FixtureTool.of(
                        "test_image_content",
                        "Answers with a picture",
                        callContext -> ToolContent.result(ToolContent.image())),
                FixtureTool.of(
                        "test_audio_content",
                        "Answers with a sound",
                        callContext -> ToolContent.result(ToolContent.audio())),
                FixtureTool.of(
                        "test_embedded_resource",
                        "Answers with a resource",
                        callContext -> ToolContent.result(ToolContent.resource(
                                "test://embedded-resource", "text/plain", "This is an embedded resource content."))),
                FixtureTool.of("test_multiple_content_types", "Answers with several things", callContext -> mixed()),
                FixtureTool.of(
                        "test_error_handling",
                        "Fails",
                        callContext -> ToolContent.failure("This tool intentionally returns an error for testing")),
                FixtureTool.of(
                                "json_schema_2020_12_tool",
                                "Takes arguments under a schema with many keywords",
                                callContext -> ToolContent.result(ToolContent.text(
                                        "called with " + callContext.arguments().json())))
                        .under(WIDE_SCHEMA));
    }

    private static Stream<FixtureTool> talking() {
        return Stream.of(
                FixtureTool.of("test_tool_with_logging", "Logs three times while it works", SuiteTools::logging),
                FixtureTool.of("test_tool_with_progress", "Says how far it is while it works", SuiteTools::progressing),
                FixtureTool.of(
                        "test_reconnection", "Drops the line; the answer is on the next one", SuiteTools::reconnecting),
                FixtureTool.of("test_logging_tool", "Logs once", SuiteTools::loggingOnce),
                mirroring("Region"));
    }

    /// A tool whose arguments stand in headers, too (2026-07-28, Streamable HTTP, custom headers).
    ///
    /// @param header that its first argument goes to
    static FixtureTool mirroring(String header) {
        String properties = "{\"region\":{\"type\":\"string\",\"x-mcp-header\":\"" + header
                + "\"},\"limit\":{\"type\":\"integer\",\"x-mcp-header\":\"Limit\"},"
                + "\"options\":{\"type\":\"object\",\"properties\":{"
                + "\"dry\":{\"type\":\"boolean\",\"x-mcp-header\":\"Dry-Run\"}}},"
                + "\"query\":{\"type\":\"string\"}}";
        return FixtureTool.of(
                        "test_x_mcp_header",
                        "Takes arguments that stand in headers, too",
                        callContext -> ToolContent.result(ToolContent.text(
                                "called with " + callContext.arguments().json())))
                .taking(properties, "region");
    }

    private static String mixed() {
        return ToolContent.result(
                ToolContent.text("Multiple content types test:"),
                ToolContent.image(),
                ToolContent.resource(
                        "test://mixed-content-resource", "application/json", "{\"test\":\"data\",\"value\":123}"));
    }

    private static String logging(CallContext callContext) throws InterruptedException {
        callContext.log("Tool execution started");
        callContext.pause(BEAT_MS);
        callContext.log("Tool processing data");
        callContext.pause(BEAT_MS);
        callContext.log("Tool execution completed");
        return ToolContent.result(ToolContent.text("Logged three times."));
    }

    private static String loggingOnce(CallContext callContext) {
        callContext.log("Called");
        return ToolContent.result(ToolContent.text("Logged once."));
    }

    private static String progressing(CallContext callContext) throws InterruptedException {
        callContext.progress(0, 100);
        callContext.pause(BEAT_MS);
        callContext.progress(50, 100);
        callContext.pause(BEAT_MS);
        callContext.progress(100, 100);
        return ToolContent.result(ToolContent.text("Went from 0 to 100."));
    }

    private static String reconnecting(CallContext callContext) throws InterruptedException {
        callContext.outbox().drop();
        callContext.pause(AWAY_MS);
        return ToolContent.result(ToolContent.text("The line was dropped, and here is the answer all the same."));
    }
}
