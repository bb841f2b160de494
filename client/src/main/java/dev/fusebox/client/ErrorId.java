package dev.fusebox.client;

import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Stable id of everything that can go wrong, with the code, the category and the delivery state of the calls that
/// fail with it. It appears in the error objects of failed calls, the doctor's findings, the log and the API, and
/// never changes; `docs/errors` has a page for each.
public enum ErrorId {
    // ---- Configuration; findings of the doctor have no code, since no call fails with them
    CONFIG_MISSING,
    CONFIG_NOT_ALLOWED,
    CONFIG_INVALID,
    SERVER_INVALID,
    CONFIG_WARNING,
    VARIABLE_MISSING,
    COMMAND_SHAPE,
    VARIABLE_SHAPE,
    // ---- Process that does not start
    COMMAND_NOT_FOUND(ErrorCode.CONNECT_FAILED, FailureCategory.OFFLINE, Delivery.NOT_SENT),
    COMMAND_NOT_EXECUTABLE(ErrorCode.CONNECT_FAILED, FailureCategory.OFFLINE, Delivery.NOT_SENT),
    INTERPRETER_MISSING(ErrorCode.CONNECT_FAILED, FailureCategory.OFFLINE, Delivery.NOT_SENT),
    FOLDER_MISSING(ErrorCode.CONNECT_FAILED, FailureCategory.OFFLINE, Delivery.NOT_SENT),
    SPAWN_FAILED,
    GATEWAY_SHORT,
    PACKAGE_NOT_FOUND,
    MODULE_MISSING,
    HOME_NOT_EXPANDED,
    DOCKER_UNREACHABLE,
    NPX_CACHE_STALE,
    // ---- Process that becomes unusable
    SERVER_EXITED(ErrorCode.SERVER_CRASHED, FailureCategory.STDIO_EXIT),
    SERVER_KILLED(ErrorCode.SERVER_CRASHED, FailureCategory.STDIO_EXIT),
    OUTPUT_CLOSED(ErrorCode.SERVER_CRASHED, FailureCategory.STDIO_EXIT),
    INPUT_CLOSED(ErrorCode.SERVER_CRASHED, FailureCategory.STDIO_EXIT),
    ENDLESS_LINE(ErrorCode.SERVER_CRASHED, FailureCategory.STDIO_EXIT),
    SERVER_STUCK(ErrorCode.SERVER_CRASHED, FailureCategory.STDIO_EXIT),
    OUTPUT_NOISE,
    // ---- Handshake
    HANDSHAKE_SILENT,
    /// The server rejects `initialize`, or uses another revision than before.
    HANDSHAKE_REFUSED(ErrorCode.CONNECT_FAILED, FailureCategory.OTHER, Delivery.NOT_SENT),
    // ---- Network
    NAME_NOT_FOUND(ErrorCode.CONNECT_FAILED, FailureCategory.OFFLINE, Delivery.NOT_SENT),
    NAME_SERVICE_SILENT(ErrorCode.CONNECT_FAILED, FailureCategory.OFFLINE, Delivery.NOT_SENT),
    CONNECTION_REFUSED(ErrorCode.CONNECT_FAILED, FailureCategory.OFFLINE, Delivery.NOT_SENT),
    NETWORK_UNREACHABLE(ErrorCode.CONNECT_FAILED, FailureCategory.OFFLINE, Delivery.NOT_SENT),
    CONNECT_TIMEOUT(ErrorCode.CONNECT_FAILED, FailureCategory.OFFLINE, Delivery.NOT_SENT),
    CERTIFICATE_EXPIRED(ErrorCode.CONNECT_FAILED, FailureCategory.OFFLINE, Delivery.NOT_SENT),
    CERTIFICATE_UNTRUSTED(ErrorCode.CONNECT_FAILED, FailureCategory.OFFLINE, Delivery.NOT_SENT),
    CERTIFICATE_OF_ANOTHER(ErrorCode.CONNECT_FAILED, FailureCategory.OFFLINE, Delivery.NOT_SENT),
    TLS_FAILED(ErrorCode.CONNECT_FAILED, FailureCategory.OFFLINE, Delivery.NOT_SENT),
    CONNECT_FAILED(ErrorCode.CONNECT_FAILED, FailureCategory.OFFLINE, Delivery.NOT_SENT),
    CONNECTION_LOST(ErrorCode.OUTCOME_UNKNOWN, FailureCategory.OFFLINE),
    // ---- HTTP response
    NOT_HTTP(ErrorCode.PROTOCOL_VIOLATION, FailureCategory.OTHER),
    /// An HTML page in place of a message.
    WEB_PAGE(ErrorCode.PROTOCOL_VIOLATION, FailureCategory.OTHER),
    /// An HTTP success without a message in it.
    NO_MESSAGE(ErrorCode.PROTOCOL_VIOLATION, FailureCategory.OTHER),
    HTTP_401(ErrorCode.AUTH_REQUIRED, FailureCategory.AUTH),
    HTTP_403(ErrorCode.AUTH_REQUIRED, FailureCategory.AUTH),
    HTTP_404(ErrorCode.HTTP_ERROR, FailureCategory.OTHER),
    HTTP_405(ErrorCode.HTTP_ERROR, FailureCategory.OTHER),
    HTTP_406(ErrorCode.HTTP_ERROR, FailureCategory.OTHER),
    /// Says nothing about the health of the server, and counts for no breaker, like a local shortage.
    HTTP_429(ErrorCode.OVERLOADED, FailureCategory.LOCAL),
    HTTP_5XX(ErrorCode.HTTP_ERROR, FailureCategory.HTTP),
    HTTP_REDIRECT(ErrorCode.HTTP_ERROR, FailureCategory.OTHER),
    HTTP_ERROR(ErrorCode.HTTP_ERROR, FailureCategory.OTHER),
    /// The server no longer knows the session, and has not executed the call.
    SESSION_LOST(ErrorCode.HTTP_ERROR, FailureCategory.OTHER),
    // ---- Login
    /// There is no login, or it is over.
    LOGIN_REQUIRED(ErrorCode.AUTH_REQUIRED, FailureCategory.AUTH, Delivery.NOT_SENT),
    LOGIN_FAILED,
    /// The program of `headersHelper` fails, or the server rejects the headers that it prints.
    HEADERS_HELPER_FAILED(ErrorCode.AUTH_REQUIRED, FailureCategory.AUTH),
    /// The login is kept, but its access token cannot be refreshed now.
    ISSUER_DOWN(ErrorCode.AUTH_REQUIRED, FailureCategory.AUTH, Delivery.NOT_SENT),
    ISSUER_INVALID,
    ISSUER_CHANGED,
    RESOURCE_METADATA_MISSING,
    RESOURCE_MISMATCH,
    PKCE_MISSING,
    REGISTRATION_MISSING,
    REGISTRATION_REFUSED,
    REDIRECT_REFUSED,
    LOGIN_EXPIRED,
    REFRESH_REFUSED,
    OFFLINE_ACCESS_MISSING,
    /// The token lacks a scope that the tool needs.
    SCOPE_MISSING(ErrorCode.AUTH_REQUIRED, FailureCategory.AUTH, Delivery.REJECTED),
    AUDIENCE_WRONG,
    CLOCK_OFF,
    /// The login is kept, but the program that stores it cannot be used now.
    KEYRING_LOCKED(ErrorCode.AUTH_REQUIRED, FailureCategory.AUTH, Delivery.NOT_SENT),
    /// The login is kept, but it cannot be read or written.
    TOKEN_FILE_UNSAFE(ErrorCode.AUTH_REQUIRED, FailureCategory.AUTH, Delivery.NOT_SENT),
    // ---- Lists
    TOOLS_UNLISTED,
    TOOLS_ENDLESS,
    LIST_FAILED,
    TOOL_INVALID,
    TOOL_NAME_TWICE,
    HIDDEN_TEXT,
    // ---- Call
    CALL_TIMEOUT(ErrorCode.TIMEOUT, FailureCategory.OFFLINE),
    OUTCOME_UNKNOWN(ErrorCode.OUTCOME_UNKNOWN, FailureCategory.OFFLINE, Delivery.UNKNOWN),
    /// The category of its failures is that of the failure that opened the breaker.
    BREAKER_OPEN(ErrorCode.BREAKER_OPEN, FailureCategory.OFFLINE, Delivery.NOT_SENT),
    /// The category of its failures is that of the failure that opened the breaker.
    TOOL_BREAKER_OPEN(ErrorCode.TOOL_BREAKER_OPEN, FailureCategory.OFFLINE, Delivery.NOT_SENT),
    PERMANENTLY_FAILED(ErrorCode.PERMANENTLY_FAILED, FailureCategory.POLICY, Delivery.NOT_SENT),
    SERVER_DISABLED(ErrorCode.SERVER_DISABLED, FailureCategory.POLICY, Delivery.NOT_SENT),
    OVERLOADED(ErrorCode.OVERLOADED, FailureCategory.LOCAL),
    INVALID_ARGUMENTS(ErrorCode.INVALID_ARGUMENTS, FailureCategory.POLICY, Delivery.NOT_SENT),
    UNKNOWN_SERVER(ErrorCode.UNKNOWN_SERVER, FailureCategory.POLICY, Delivery.NOT_SENT),
    UNKNOWN_TOOL(ErrorCode.UNKNOWN_TOOL, FailureCategory.POLICY, Delivery.NOT_SENT),
    TOOL_BLOCKED(ErrorCode.TOOL_BLOCKED, FailureCategory.POLICY, Delivery.NOT_SENT),
    CANCELLED(ErrorCode.CANCELLED, FailureCategory.CANCELLED),
    /// An operator restarted the server during the call.
    SERVER_RESTARTED(ErrorCode.SERVER_RESTARTED, FailureCategory.LOCAL),
    PROTOCOL_VIOLATION(ErrorCode.PROTOCOL_VIOLATION, FailureCategory.PROTOCOL),
    /// The call was executed, and its result exceeds the size limit.
    RESULT_TOO_LARGE(ErrorCode.LIMIT_EXCEEDED, FailureCategory.POLICY, Delivery.UNKNOWN),
    INTERNAL(ErrorCode.INTERNAL, FailureCategory.LOCAL),
    // ---- Machine and running gateways
    TIME_OVER,
    STATUS_DOWN,
    GATEWAY_UNREACHABLE,
    ORPHANS,
    STALE_SOCKETS,
    FILES_OPEN,
    MEMORY_SHORT;

    private final String id = name().toLowerCase(Locale.ROOT).replace('_', '-');
    private final String page = "docs/errors/" + id + ".md";
    private final @Nullable ErrorCode code;
    private final @Nullable FailureCategory category;
    private final @Nullable Delivery delivery;

    ErrorId() {
        this(null, null, null);
    }

    ErrorId(ErrorCode code, FailureCategory category) {
        this(code, category, null);
    }

    ErrorId(@Nullable ErrorCode code, @Nullable FailureCategory category, @Nullable Delivery delivery) {
        this.code = code;
        this.category = category;
        this.delivery = delivery;
    }

    /// The external spelling, for example `command-not-found`.
    public String id() {
        return id;
    }

    /// The path of its page, relative to the checkout.
    public String page() {
        return page;
    }

    /// Whether calls fail with this id. Only the doctor reports the others.
    public boolean isOfCalls() {
        return code != null;
    }

    /// The code of the calls that fail with this id.
    public ErrorCode code() {
        return Objects.requireNonNull(code, id);
    }

    /// The category of the calls that fail with this id, unless the failure has another cause than usual, for
    /// example a shortage of the gateway.
    public FailureCategory category() {
        return Objects.requireNonNull(category, id);
    }

    /// The delivery state of an attempt that fails with this id; null if it depends on the call.
    public @Nullable Delivery delivery() {
        return delivery;
    }

    @Override
    public String toString() {
        return id;
    }
}
