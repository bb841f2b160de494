package dev.fusebox.client.http;

import dev.fusebox.client.SendSlot;
import dev.fusebox.client.http.RequestAuthorizer.AuthRejection;
import dev.fusebox.client.http.RequestAuthorizer.Authorization;
import dev.fusebox.client.http.RequestAuthorizer.Reaction;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// One request with the authorization of its server, sent a second time if its token was rejected and there is
/// another. Used once, by one thread; [#send] blocks as [OutboundHttpClient#send] does.
final class AuthorizedExchange {
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;

    private final RemoteServer remote;
    private final RequestTimer timer;
    private final Message.@Nullable Request cause;

    /// @param cause the message that the request carries; null for none
    AuthorizedExchange(RemoteServer remote, RequestTimer timer, Message.@Nullable Request cause) {
        this.remote = remote;
        this.timer = timer;
        this.cause = cause;
    }

    StreamingResponse send(OutgoingRequest request) throws HttpFailure {
        Thread self = Thread.currentThread();
        timer.onExpiry(() -> LockSupport.unpark(self));
        Authorization.Granted first = switch (remote.requestAuthorizer().authorize(timer::left)) {
            case Authorization.Granted granted -> granted;
            case Authorization.Refused(var failure) -> throw new HttpFailure(failure);
        };
        StreamingResponse response = send(request, first);
        if (!isRejected(response)) {
            return response;
        }
        Authorization.Granted second = reaction(response, first);
        if (second == null) {
            return response;
        }
        response.close();
        StreamingResponse last = send(request.inOrder(SendSlot.NONE), second);
        if (isRejected(last)) {
            Authorization.Granted _ = reaction(last, second);
        }
        return last;
    }

    private StreamingResponse send(OutgoingRequest request, Authorization.Granted with) throws HttpFailure {
        StreamingResponse response = remote.outboundHttpClient().send(request.with(with.fields()), timer);
        response.authorizedBy(with);
        if (response.status() != UNAUTHORIZED) {
            remote.requestAuthorizer().accepted(with);
        }
        return response;
    }

    private static boolean isRejected(StreamingResponse response) {
        return response.status() == UNAUTHORIZED || response.status() == FORBIDDEN;
    }

    /// What to send the request with again; null if the response stands.
    private Authorization.@Nullable Granted reaction(StreamingResponse response, Authorization.Granted used)
            throws HttpFailure {
        AuthRejection rejection =
                new AuthRejection(response.status(), response.responseHeaders().values("www-authenticate"), tool());
        Thread self = Thread.currentThread();
        timer.onExpiry(() -> {
            response.abort();
            LockSupport.unpark(self);
        });
        return switch (remote.requestAuthorizer().rejected(used, rejection, timer::left)) {
            case Reaction.SendAgain(Authorization.Granted with) -> with;
            case Reaction.NotConcerned _ -> null;
            case Reaction.Fail(var failure) -> {
                response.close();
                throw new HttpFailure(failure);
            }
        };
    }

    private @Nullable String tool() {
        JsonView params = cause == null || !cause.method().equals("tools/call") ? null : cause.params();
        return params == null ? null : params.string("name");
    }
}
