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

    static Stream<Tool> all() {
        return Stream.concat(Stream.concat(plain(), talking()), AskingTools.all());
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
                Tool.of("test_reconnection", "Drops the line; the answer is on the next one", SuiteTools::reconnecting),
                Tool.of("test_logging_tool", "Logs once", SuiteTools::loggingOnce),
                mirroring("Region"));
    }

    /// A tool whose arguments stand in headers, too (2026-07-28, Streamable HTTP, custom headers).
    ///
    /// @param header that its first argument goes to
    static Tool mirroring(String header) {
        String properties = "{\"region\":{\"type\":\"string\",\"x-mcp-header\":\"" + header
                + "\"},\"limit\":{\"type\":\"integer\",\"x-mcp-header\":\"Limit\"},"
                + "\"options\":{\"type\":\"object\",\"properties\":{"
                + "\"dry\":{\"type\":\"boolean\",\"x-mcp-header\":\"Dry-Run\"}}},"
                + "\"query\":{\"type\":\"string\"}}";
        return Tool.of(
                        "test_x_mcp_header",
                        "Takes arguments that stand in headers, too",
                        exchange -> Content.result(Content.text(
                                "called with " + exchange.arguments().json())))
                .taking(properties, "region");
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

    private static String loggingOnce(Exchange exchange) {
        exchange.log("Called");
        return Content.result(Content.text("Logged once."));
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
}
