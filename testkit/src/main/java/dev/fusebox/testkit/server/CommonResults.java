package dev.fusebox.testkit.server;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What both eras answer at once and in the same words: lists and completions. Thread-safe; nothing blocks.
final class CommonResults {
    /// What the server offers, in both eras.
    static final String CAPABILITIES = """
            {"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},\
            "prompts":{"listChanged":true},"logging":{},"completions":{}}""";

    static final String SERVER_INFO = "{\"name\":\"fusebox-fixture\",\"version\":\"1\"}";
    static final String INSTRUCTIONS = "\"A server for tests.\"";

    private final Fixture fixture;

    CommonResults(Fixture fixture) {
        this.fixture = fixture;
    }

    /// Whether a script says that a request gets no answer.
    boolean hangsOn(String method) {
        return switch (method) {
            case "initialize" -> fixture.script().has(FaultKind.HANG_ON_INITIALIZE);
            case "server/discover" -> fixture.script().has(FaultKind.HANG_ON_DISCOVER);
            case "tools/list" -> fixture.script().has(FaultKind.HANG_ON_TOOLS_LIST);
            default -> false;
        };
    }

    /// The result, JSON.
    String result(String method, @Nullable JsonView params) throws RpcError {
        return switch (method) {
            case "tools/list" -> fixture.catalogue().list(params);
            case "prompts/list" -> page("prompts", fixture.fixturePrompts().entries(), params);
            case "resources/list" -> page("resources", Resources.entries(), params);
            case "resources/templates/list" -> page("resourceTemplates", Resources.templates(), params);
            case "completion/complete" -> FixturePrompts.complete(beginning(params));
            default -> throw RpcError.noSuchMethod(method);
        };
    }

    /// The tool that a request calls.
    FixtureTool tool(@Nullable JsonView params) throws RpcError {
        String name = params == null ? null : params.string("name");
        return fixture.catalogue()
                .tool(name)
                .orElseThrow(() -> RpcError.invalidParams("there is no tool '" + name + "'"));
    }

    static String text(@Nullable JsonView params, String name) throws RpcError {
        String value = params == null ? null : params.string(name);
        return Optional.ofNullable(value).orElseThrow(() -> RpcError.invalidParams(name + " is missing"));
    }

    /// The request that a notification takes back; null if it takes back none.
    static @Nullable RequestId cancelledBy(Message.Notification notification) {
        JsonView params = notification.params();
        JsonView id = params == null ? null : params.member("requestId");
        return id == null || !notification.method().equals("notifications/cancelled") ? null : RequestId.read(id);
    }

    private String page(String name, List<String> entries, @Nullable JsonView params) throws RpcError {
        return fixture.catalogue().listPaging().page(name, entries, params);
    }

    private static String beginning(@Nullable JsonView params) throws RpcError {
        JsonView value = params == null ? null : params.path("argument", "value");
        return Optional.ofNullable(value)
                .map(JsonView::string)
                .orElseThrow(() -> RpcError.invalidParams("argument.value is missing"));
    }
}
