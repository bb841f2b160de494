package dev.fusebox.testkit.server;

import com.sun.net.httpserver.Headers;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Whether the headers of a request say what its body says (2026-07-28, Streamable HTTP, request metadata).
/// Thread-safe; nothing blocks.
final class HeaderCheck {
    /// What [FaultKind#HEADER_MISMATCH_ONCE] has come to.
    private enum Fitness {
        STALE,
        REFUSED,
        FRESH
    }

    private final Fixture fixture;
    private final AtomicReference<Fitness> fitness;

    HeaderCheck(Fixture fixture) {
        this.fixture = fixture;
        this.fitness = new AtomicReference<>(
                fixture.script().has(FaultKind.HEADER_MISMATCH_ONCE) ? Fitness.STALE : Fitness.FRESH);
    }

    void check(Headers headers, Message.Request request) throws RpcError {
        JsonView params = request.params();
        String revision = headers.getFirst(HttpMessages.REVISION);
        if (revision == null) {
            throw RpcError.headerMismatch(
                    "the header " + HttpMessages.REVISION + " is missing; this server speaks " + ModernCodec.REVISION);
        }
        compare(HttpMessages.REVISION, revision.strip(), RequestMeta.of(params).version());
        String method = headers.getFirst("Mcp-Method");
        compare("Mcp-Method", method == null ? null : method.strip(), request.method());
        switch (request.method()) {
            case "tools/call" -> {
                compareName(headers, params, "name");
                compareArguments(headers, params);
            }
            case "prompts/get" -> compareName(headers, params, "name");
            case "resources/read" -> compareName(headers, params, "uri");
            case "tools/list" -> fitness.compareAndSet(Fitness.REFUSED, Fitness.FRESH);
            default -> {}
        }
    }

    private static void compareName(Headers headers, @Nullable JsonView params, String member) throws RpcError {
        String value = params == null ? null : params.string(member);
        String header = headers.getFirst("Mcp-Name");
        if (value != null || header != null) {
            compare("Mcp-Name", header == null ? null : MirroredHeader.decoded("Mcp-Name", header), value);
        }
    }

    private static void compare(String name, @Nullable String header, @Nullable String body) throws RpcError {
        if (header == null || !header.equals(body)) {
            throw RpcError.headerMismatch("the header " + name + " says " + header + ", the body says " + body);
        }
    }

    private void compareArguments(Headers headers, @Nullable JsonView params) throws RpcError {
        if (fitness.compareAndSet(Fitness.STALE, Fitness.REFUSED)) {
            fixture.catalogue().add(SuiteTools.mirroring("Zone"));
        }
        if (fitness.get() == Fitness.REFUSED) {
            throw RpcError.headerMismatch("the headers of tools have changed; list the tools again");
        }
        var tool = fixture.catalogue().tool(params == null ? null : params.string("name"));
        if (params != null && tool.isPresent()) {
            JsonView schema = JsonView.of(tool.get().schema());
            for (MirroredHeader mirrored : MirroredHeader.in(schema)) {
                mirrored.check(headers, params.member("arguments"));
            }
        }
    }
}
