package dev.fusebox.client;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import dev.fusebox.protocol.Message;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Metadata of the client that makes a request. A modern client sends it in `params._meta` of each request
/// (revision 2026-07-28, section "_meta"); that of a legacy client comes from its handshake. Immutable.
///
/// @param version of the protocol that the request is written in
/// @param capabilities of the client, for this request
/// @param info name and version of the client; null if it did not send them
/// @param logLevel the lowest level of log messages that the client wants during this request; null for none
/// @param isLegacy whether the client has a session, and its requests carry no metadata
/// @param clientSession the session of the client, which may have servers of its own; null if it has none
/// @param isOfGateway whether the gateway itself makes the request, and no client can be asked because of it
/// @param principal on whose behalf the request is made; that of the session if there is one
public record ClientMetadata(
        String version,
        JsonView capabilities,
        @Nullable JsonView info,
        @Nullable String logLevel,
        boolean isLegacy,
        @Nullable ClientSession clientSession,
        boolean isOfGateway,
        Principal principal) {
    public static final String PREFIX = "io.modelcontextprotocol/";
    public static final String VERSION = PREFIX + "protocolVersion";
    public static final String CAPABILITIES = PREFIX + "clientCapabilities";
    public static final String INFO = PREFIX + "clientInfo";
    public static final String LOG_LEVEL = PREFIX + "logLevel";
    public static final String SERVER_INFO = PREFIX + "serverInfo";
    public static final String SUBSCRIPTION_ID = PREFIX + "subscriptionId";

    /// What only one era has and the other must not see.
    public static final Set<String> KEYS = Set.of(VERSION, CAPABILITIES, INFO, LOG_LEVEL);

    private static final Set<String> QUESTIONS = Set.of("sampling", "elicitation", "roots");

    private static final String EXTENSIONS = "extensions";

    /// Servers also select tools by the extensions of their client (extension MCP Apps, section "Client<>Server
    /// Capability Negotiation").
    private static final Set<String> SELECTING = Set.of("sampling", "elicitation", "roots", EXTENSIONS);

    /// For calls whose client gives no information about itself.
    public static final ClientMetadata UNKNOWN =
            new ClientMetadata("", JsonView.of("{}"), null, null, false, null, false, Principal.OWNER);

    /// For requests that the gateway makes for itself. It answers no questions.
    public static final ClientMetadata OF_GATEWAY = new ClientMetadata(
            "",
            JsonView.of("{}"),
            JsonView.of("{\"name\":\"fusebox\",\"version\":\"0.1\"}"),
            null,
            false,
            null,
            true,
            Principal.OWNER);

    public ClientMetadata {
        if (clientSession != null && !clientSession.principal().equals(principal)) {
            throw new IllegalArgumentException("the session belongs to another principal");
        }
    }

    /// Null if a mandatory member is missing.
    public static @Nullable ClientMetadata of(Message.Request request) {
        JsonView meta = request.frame().path("params", "_meta");
        if (meta == null) {
            return null;
        }
        String version = meta.string(VERSION);
        JsonView capabilities = meta.member(CAPABILITIES);
        if (version == null || capabilities == null || !capabilities.isObject()) {
            return null;
        }
        return new ClientMetadata(
                version, capabilities, meta.member(INFO), meta.string(LOG_LEVEL), false, null, false, Principal.OWNER);
    }

    /// Whether the message is of the stateless era.
    public static boolean isIn(Message.Request request) {
        JsonView meta = request.frame().path("params", "_meta");
        return meta != null && meta.member(VERSION) != null;
    }

    /// The same for a client with this session.
    public ClientMetadata of(ClientSession other) {
        return new ClientMetadata(
                version, capabilities, info, logLevel, isLegacy, other, isOfGateway, other.principal());
    }

    /// The same for another principal, whose clients have no session.
    public ClientMetadata of(Principal other) {
        return new ClientMetadata(version, capabilities, info, logLevel, isLegacy, null, isOfGateway, other);
    }

    /// The session of the client, or what stands for all clients of its principal without one.
    public ClientSession sessionOrShared() {
        return clientSession == null ? new ClientSession.WithoutSession(principal) : clientSession;
    }

    /// The same request of the gateway, over the connection of a client that has one for itself.
    public ClientMetadata as(ClientMetadata other) {
        return new ClientMetadata(
                version,
                other.capabilities(),
                info,
                logLevel,
                isLegacy,
                other.clientSession(),
                true,
                other.principal());
    }

    /// The same in the era of another client.
    public ClientMetadata inEraOf(ClientMetadata other) {
        return new ClientMetadata(
                version, capabilities, info, logLevel, other.isLegacy(), clientSession, isOfGateway, principal);
    }

    /// The capabilities that are sent to this client's own server process, which may select its tools by them.
    /// Empty for a client that shares a process.
    public String profile() {
        JsonView offered = offered();
        return clientSession == null
                ? ""
                : SELECTING.stream()
                        .filter(name -> isGiven(name, offered.member(name)))
                        .sorted()
                        .map(name -> name + "=" + offered.member(name))
                        .collect(Collectors.joining(";"));
    }

    private static boolean isGiven(String name, @Nullable JsonView value) {
        return value != null && !(name.equals(EXTENSIONS) && value.json().equals("{}"));
    }

    /// The capabilities that let a server send requests to the client.
    public Set<String> questionCapabilities() {
        return QUESTIONS.stream()
                .filter(name -> capabilities.member(name) != null)
                .collect(Collectors.toUnmodifiableSet());
    }

    /// The capabilities that a server process of the session is told.
    public JsonView offered() {
        JsonView ofSession = clientSession == null ? null : clientSession.offered();
        return ofSession == null ? capabilities : ofSession;
    }

    /// Whether the client has announced an extension, for this request.
    public boolean hasExtension(String name) {
        return capabilities.path(EXTENSIONS, name) != null;
    }

    /// These metadata with this extension announced.
    public ClientMetadata withExtension(String name) {
        return hasExtension(name) ? this : withCapabilities(capabilitiesWith(name, true));
    }

    /// These metadata without this extension.
    public ClientMetadata withoutExtension(String name) {
        return hasExtension(name) ? withCapabilities(capabilitiesWith(name, false)) : this;
    }

    private ClientMetadata withCapabilities(JsonView others) {
        return new ClientMetadata(version, others, info, logLevel, isLegacy, clientSession, isOfGateway, principal);
    }

    /// The capabilities with one extension more or less.
    private JsonView capabilitiesWith(String name, boolean isAdded) {
        JsonWriter all = new JsonWriter().beginObject();
        capabilities.forEachMember((key, value) -> {
            if (!key.equals(EXTENSIONS)) {
                all.name(key).raw(value);
            }
        });
        all.name(EXTENSIONS).beginObject();
        JsonView known = capabilities.member(EXTENSIONS);
        if (known != null && known.isObject()) {
            known.forEachMember((key, value) -> {
                if (!key.equals(name)) {
                    all.name(key).raw(value);
                }
            });
        }
        if (isAdded) {
            all.name(name).beginObject().endObject();
        }
        return JsonView.of(all.endObject().endObject().toString());
    }

    /// Whether a server may send requests to this client.
    public boolean takesQuestions() {
        return QUESTIONS.stream().anyMatch(name -> capabilities.member(name) != null);
    }
}
