package dev.fusebox.gateway.front;

import dev.fusebox.gateway.session.ProtocolRevision;
import dev.fusebox.http.HttpHeaders;
import dev.fusebox.http.HttpReply;
import dev.fusebox.http.HttpRequest;
import dev.fusebox.protocol.JsonRpcErrorCode;
import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.Message;
import dev.fusebox.protocol.RequestId;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Checks that all endpoints make of a request, and their error responses. Pure functions except for the replies,
/// which block no longer than [HttpReply#respond].
final class EndpointRules {
    static final String VERSION_HEADER = "Mcp-Protocol-Version";
    static final byte[] NOTHING = new byte[0];

    private EndpointRules() {}

    /// Whether the client accepts a response of this type.
    static boolean accepts(HttpRequest request, String type) {
        String all = accepted(request);
        return all.isEmpty() || all.contains(type) || all.contains("*/*");
    }

    /// Whether the client's Accept header names this type explicitly.
    static boolean names(HttpRequest request, String type) {
        return accepted(request).contains(type);
    }

    private static String accepted(HttpRequest request) {
        return String.join(",", request.headers().values("Accept")).toLowerCase(Locale.ROOT);
    }

    /// True if the body is declared as JSON; otherwise the request has been rejected.
    static boolean admitsBody(HttpRequest request, HttpReply reply) {
        String type = request.headers().value("Content-Type");
        boolean isJson = type != null && type.toLowerCase(Locale.ROOT).startsWith("application/json");
        if (!isJson) {
            refuse(reply, 415, JsonRpcErrorCode.INVALID_REQUEST, "Content-Type must be application/json");
        }
        return isJson;
    }

    /// True if the headers name no revision or one that has sessions; otherwise the request has been rejected.
    static boolean admitsVersion(HttpRequest request, HttpReply reply) {
        String version = request.headers().value(VERSION_HEADER);
        boolean isKnown = version == null || ProtocolRevision.dated(version).isPresent();
        if (!isKnown) {
            refuse(reply, 400, JsonRpcErrorCode.INVALID_REQUEST, "unknown protocol version: " + version);
        }
        return isKnown;
    }

    static void refuse(HttpReply reply, Message.Malformed bad) {
        refuse(reply, 400, JsonRpcFrames.error(bad.id(), bad.code(), bad.reason(), null));
    }

    static void refuse(HttpReply reply, int status, int code, String message) {
        @Nullable RequestId none = null;
        refuse(reply, status, JsonRpcFrames.error(none, code, message, null));
    }

    /// @param error a JSON-RPC frame
    static void refuse(HttpReply reply, int status, byte[] error) {
        reply.respond(status, json(), error);
    }

    /// @param allowed the methods of this path
    static void refuseMethod(HttpReply reply, String allowed) {
        reply.respond(405, HttpHeaders.of("Allow", allowed), NOTHING);
    }

    static void refuseSession(HttpReply reply) {
        refuse(reply, 503, JsonRpcErrorCode.INTERNAL_ERROR, "too many sessions; try again later");
    }

    static HttpHeaders json() {
        return HttpHeaders.of("Content-Type", "application/json");
    }
}
