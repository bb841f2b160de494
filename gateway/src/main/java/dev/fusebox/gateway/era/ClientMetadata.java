package dev.fusebox.gateway.era;

import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What every request of the stateless era says about its client, in `params._meta` (revision 2026-07-28, section
/// "_meta"). Immutable.
///
/// @param version of the protocol that the request is written in
/// @param capabilities of the client, for this request
/// @param info name and version of the client; null if it keeps them to itself
/// @param logLevel from which on the client wants log lines during this request; null if it wants none
/// @param inSession whether the client is of the session era, and a bridge speaks for it
/// @param clientSession who stays for longer than a request, and may have servers of its own; null if nobody does
/// @param isOfGateway whether the gateway itself makes the request: no client can be asked anything because of it
public record ClientMetadata(
        String version,
        JsonView capabilities,
        @Nullable JsonView info,
        @Nullable String logLevel,
        boolean inSession,
        @Nullable ClientSession clientSession,
        boolean isOfGateway) {
    static final String PREFIX = "io.modelcontextprotocol/";
    static final String VERSION = PREFIX + "protocolVersion";
    static final String CAPABILITIES = PREFIX + "clientCapabilities";
    static final String INFO = PREFIX + "clientInfo";
    static final String LOG_LEVEL = PREFIX + "logLevel";
    static final String SERVER_INFO = PREFIX + "serverInfo";
    static final String SUBSCRIPTION_ID = PREFIX + "subscriptionId";

    /// What only one era has and the other must not see.
    static final Set<String> KEYS = Set.of(VERSION, CAPABILITIES, INFO, LOG_LEVEL);

    private static final Set<String> QUESTIONS = Set.of("sampling", "elicitation", "roots");

    /// Null if what every request must say is missing.
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
        return new ClientMetadata(version, capabilities, meta.member(INFO), meta.string(LOG_LEVEL), false, null, false);
    }

    /// Whether the message is of the stateless era.
    static boolean isIn(Message.Request request) {
        JsonView meta = request.frame().path("params", "_meta");
        return meta != null && meta.member(VERSION) != null;
    }

    /// The same for a client of the session era, which hears what a server of its own era says as it is.
    public ClientMetadata ofSession() {
        return new ClientMetadata(version, capabilities, info, logLevel, true, clientSession, isOfGateway);
    }

    /// The same for a client that stays.
    public ClientMetadata of(ClientSession other) {
        return new ClientMetadata(version, capabilities, info, logLevel, inSession, other, isOfGateway);
    }

    /// The same request of the gateway, over the connection of a client that has one for itself.
    public ClientMetadata as(ClientMetadata other) {
        return new ClientMetadata(
                version, other.capabilities(), info, logLevel, inSession, other.clientSession(), true);
    }

    /// What a process that belongs to this client hears of its abilities, as far as a server may show tools by it.
    /// Empty for a client that shares a process, which hears of none.
    public String profile() {
        return clientSession == null
                ? ""
                : QUESTIONS.stream()
                        .filter(name -> capabilities.member(name) != null)
                        .sorted()
                        .map(name -> name + "=" + capabilities.member(name))
                        .collect(Collectors.joining(";"));
    }

    /// Whether a server may ask this client anything.
    boolean takesQuestions() {
        return QUESTIONS.stream().anyMatch(name -> capabilities.member(name) != null);
    }
}
