package dev.fusebox.oauth.protocol;

import dev.fusebox.client.Deadline;
import dev.fusebox.client.http.HttpFailure;
import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.client.http.WebResponse;
import java.net.URI;
import java.time.Duration;
import java.util.Map;

/// Requests for the login to one MCP server, under the address rule and the guards. Thread-safe; requests block until
/// their deadline.
final class OAuthRequests {
    static final String FORM = "application/x-www-form-urlencoded";
    static final String JSON = "application/json";
    /// Of one request to a token endpoint.
    static final Duration LIMIT = Duration.ofSeconds(20);

    private final OAuthContext context;
    private final OAuthTargets targets;

    OAuthRequests(OAuthContext context, LoginSettings settings) {
        this.context = context;
        this.targets = OAuthTargets.of(settings);
    }

    OAuthTargets targets() {
        return targets;
    }

    Deadline deadline(Duration limit) {
        return new Deadline(
                context.limit(limit), Duration.ZERO, context.platform().ticker());
    }

    /// A document of the MCP server.
    WebResponse ofServer(URI uri, Deadline deadline) throws HttpFailure, InvalidMetadata {
        return context.webClient().get(targets.target(uri), deadline);
    }

    /// A message to the MCP server, without its headers and without a token.
    WebResponse toServer(URI uri, byte[] message, Deadline deadline) throws HttpFailure, InvalidMetadata {
        return context.webClient().post(targets.target(uri), JSON, message, deadline);
    }

    /// A document of an authorization server.
    WebResponse ofIssuer(String issuer, URI uri, Deadline deadline) throws HttpFailure, InvalidMetadata {
        HttpTarget target = targets.target(uri);
        return context.guard(issuer).send(() -> context.webClient().get(target, deadline));
    }

    /// A message to an authorization server, with a time limit of its own, so that waiting for its turn leaves it all
    /// its time.
    WebResponse toIssuer(String issuer, URI uri, Message message) throws HttpFailure, InvalidMetadata {
        HttpTarget target = targets.target(uri).withHeaders(message.headers());
        return context.guard(issuer)
                .send(() -> context.webClient().post(target, message.type(), message.body(), deadline(LIMIT)));
    }

    /// Body of a POST. Its text form contains nothing of it.
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Message(String type, Map<String, String> headers, byte[] body) {
        @Override
        public String toString() {
            return "Message[" + type + "]";
        }
    }
}
