package dev.fusebox.testkit.server;

import dev.fusebox.protocol.JsonRpcErrorCode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The resources of a server, by the names of the conformance suite, and one that asks its reader first. Pure
/// functions. Reading blocks while the client is asked.
final class Resources {
    static final String WATCHED = "test://watched-resource";
    private static final String ASKING = "test://asking-resource";

    private static final String TEXT = "test://static-text";
    private static final String BINARY = "test://static-binary";
    private static final Pattern TEMPLATE = Pattern.compile("test://template/([^/]+)/data");

    private Resources() {}

    static List<String> entries() {
        return List.of(
                entry(BINARY, "static-binary", "image/png"),
                entry(TEXT, "static-text", "text/plain"),
                entry(WATCHED, "watched-resource", "text/plain"),
                entry(ASKING, "asking-resource", "text/plain"));
    }

    private static String entry(String uri, String name, String mimeType) {
        return "{\"uri\":\"" + uri + "\",\"name\":\"" + name + "\",\"description\":\"The resource " + name
                + "\",\"mimeType\":\"" + mimeType + "\"}";
    }

    static List<String> templates() {
        return List.of("{\"uriTemplate\":\"test://template/{id}/data\",\"name\":\"template\","
                + "\"description\":\"Data by their id\",\"mimeType\":\"application/json\"}");
    }

    /// What `resources/read` answers.
    static String read(CallContext callContext) throws NoResult, InterruptedException {
        String uri = CommonResults.text(callContext.params(), "uri");
        String contents = uri.equals(ASKING) ? asked(callContext) : found(uri);
        return "{\"contents\":[" + contents + "]}";
    }

    private static String asked(CallContext callContext) throws NoResult, InterruptedException {
        String said = AskingTools.said(callContext.ask(AskingTools.CONFIRMATION.withState()));
        return ToolContent.textContents(ASKING, "text/plain", "The reader said " + said);
    }

    private static String found(String uri) throws RpcError {
        return contents(uri)
                .orElseThrow(() -> new RpcError(
                        JsonRpcErrorCode.RESOURCE_NOT_FOUND,
                        "there is no resource '" + uri + "'",
                        "{\"uri\":" + ToolContent.quoted(uri) + "}"));
    }

    private static Optional<String> contents(String uri) {
        return switch (uri) {
            case TEXT ->
                Optional.of(ToolContent.textContents(
                        uri, "text/plain", "This is the content of the static text resource."));
            case BINARY -> Optional.of(ToolContent.blobContents(uri, "image/png", ToolContent.PNG));
            case WATCHED -> Optional.of(ToolContent.textContents(uri, "text/plain", "Watched resource content"));
            default -> expanded(uri);
        };
    }

    private static Optional<String> expanded(String uri) {
        Matcher matcher = TEMPLATE.matcher(uri);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String id = matcher.group(1);
        return Optional.of(ToolContent.textContents(
                uri,
                "application/json",
                "{\"id\":" + ToolContent.quoted(id) + ",\"templateTest\":true,\"data\":"
                        + ToolContent.quoted("Data for ID: " + id) + "}"));
    }
}
