package dev.fusebox.gateway.observe;

import io.opentelemetry.api.common.AttributeKey;

/// Keys of span attributes: those of OpenTelemetry's semantic conventions for MCP and generative AI, and our own.
final class SpanKeys {
    static final AttributeKey<String> METHOD = AttributeKey.stringKey("mcp.method.name");
    static final AttributeKey<String> OPERATION = AttributeKey.stringKey("gen_ai.operation.name");
    static final AttributeKey<String> TOOL = AttributeKey.stringKey("gen_ai.tool.name");
    static final AttributeKey<String> REQUEST = AttributeKey.stringKey("jsonrpc.request.id");
    static final AttributeKey<String> TRANSPORT = AttributeKey.stringKey("network.transport");
    static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");
    static final AttributeKey<String> SERVER = AttributeKey.stringKey("fusebox.server");
    static final AttributeKey<String> CLIENT = AttributeKey.stringKey("fusebox.client.name");
    static final AttributeKey<String> CLIENT_VERSION = AttributeKey.stringKey("fusebox.client.version");
    static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("fusebox.outcome");
    static final AttributeKey<String> DELIVERY = AttributeKey.stringKey("fusebox.delivery");
    static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("fusebox.attempt");
    static final AttributeKey<String> CIRCUIT = AttributeKey.stringKey("circuit.name");
    static final AttributeKey<String> FROM = AttributeKey.stringKey("circuit.from_state");
    static final AttributeKey<String> TO = AttributeKey.stringKey("circuit.to_state");
    static final AttributeKey<String> REASON = AttributeKey.stringKey("circuit.reason");
    static final AttributeKey<Long> FAILURES = AttributeKey.longKey("circuit.failure_count");
    static final AttributeKey<Long> PROBE = AttributeKey.longKey("circuit.half_open_call");
    static final AttributeKey<Long> PROBES = AttributeKey.longKey("circuit.half_open_max_calls");

    private SpanKeys() {}
}
