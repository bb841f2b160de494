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

/// What all endpoints ask of a request, and how they refuse one. Pure functions but for the replies, which block
/// no longer than [HttpReply#respond].
final class EndpointRules {
    static final String VERSION_HEADER = "Mcp-Protocol-Version";
    static final byte[] NOTHING = new byte[0];

    private EndpointRules() {}

    /// Whether the client takes an answer of this type.
    static boolean accepts(HttpRequest request, String type) {
        String all = accepted(request);
        return all.isEmpty() || all.contains(type) || all.contains("*/*");
    }

    /// Whether the client asks for this type by its name.
    static boolean names(HttpRequest request, String type) {
        return accepted(request).contains(type);
    }

    private static String accepted(HttpRequest request) {
        return String.join(",", request.headers().values("Accept")).toLowerCase(Locale.ROOT);
    }

    /// True if the body is said to be JSON; otherwise the request has been refused.
    static boolean admitsBody(HttpRequest request, HttpReply reply) {
        String type = request.headers().value("Content-Type");
        boolean isJson = type != null && type.toLowerCase(Locale.ROOT).startsWith("application/json");
        if (!isJson) {
            refuse(reply, 415, JsonRpcErrorCode.INVALID_REQUEST, "Content-Type has to be application/json");
        }
        return isJson;
    }

    /// True if the revision that the headers name, if they name one, has sessions; otherwise the request has been
    /// refused.
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

    /// @param error a frame of the protocol
    static void refuse(HttpReply reply, int status, byte[] error) {
        reply.respond(status, json(), error);
    }

    /// @param allowed the methods that this path has
    static void refuseMethod(HttpReply reply, String allowed) {
        reply.respond(405, HttpHeaders.of("Allow", allowed), NOTHING);
    }

    static void refuseSession(HttpReply reply) {
        refuse(reply, 503, JsonRpcErrorCode.INTERNAL_ERROR, "too many sessions are in use; try again later");
    }

    static HttpHeaders json() {
        return HttpHeaders.of("Content-Type", "application/json");
    }
}
