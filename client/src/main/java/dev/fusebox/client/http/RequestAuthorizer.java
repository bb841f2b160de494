package dev.fusebox.client.http;

import dev.fusebox.client.CallFailure;
import dev.fusebox.client.redaction.Redactor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Authorizer of the requests to one server, such as one with access tokens. Thread-safe; [#authorize] and
/// [#rejected] may block as long as the caller waits.
public interface RequestAuthorizer {
    /// Adds nothing to any request.
    RequestAuthorizer NONE = new RequestAuthorizer() {
        @Override
        public Authorization authorize(LongSupplier left) {
            return Authorization.NONE;
        }

        @Override
        public Reaction rejected(Authorization.Granted used, AuthRejection rejection, LongSupplier left) {
            return new Reaction.NotConcerned();
        }
    };

    /// The authorization for a request that is about to be sent.
    ///
    /// @param left the nanoseconds that the caller waits; when that changes, the caller is unparked
    Authorization authorize(LongSupplier left);

    /// What to do after the server has rejected a request.
    ///
    /// @param used by the request
    Reaction rejected(Authorization.Granted used, AuthRejection rejection, LongSupplier left);

    /// The server has processed a request with this authorization.
    default void accepted(Authorization.Granted used) {
        // Nothing to do.
    }

    /// Secrets that the server knows and that no message may show.
    default Redactor secrets() {
        return Redactor.NONE;
    }

    /// The authorization of one request. Immutable. Its text form contains no secret.
    sealed interface Authorization {
        /// No header is added.
        Granted NONE = new Granted(List.of(), "");

        /// These headers are added.
        ///
        /// @param fields name, value, name, value
        /// @param credential identifies what they were made from, such as the version of a token
        record Granted(List<String> fields, Object credential) implements Authorization {
            public Granted {
                fields = List.copyOf(fields);
            }

            /// The values, and their parts: a server may show a token without its scheme.
            Redactor secrets() {
                List<String> values = new ArrayList<>();
                for (int i = 1; i < fields.size(); i += 2) {
                    values.add(fields.get(i));
                    Stream.of(fields.get(i).split("[ \t,;]+", -1))
                            .filter(part -> !part.equalsIgnoreCase("bearer"))
                            .forEach(values::add);
                }
                return Redactor.of(values);
            }

            @Override
            public String toString() {
                return "Granted[" + credential + "]";
            }
        }

        /// Nothing may be sent.
        record Refused(CallFailure failure) implements Authorization {}
    }

    /// A response with 401 or 403. Immutable.
    ///
    /// @param challenges the values of WWW-Authenticate
    /// @param tool that was called; null if the request was no tool call
    record AuthRejection(
            int status, List<String> challenges, @Nullable String tool) {
        public AuthRejection {
            challenges = List.copyOf(challenges);
        }
    }

    /// What to do after a rejection. Immutable.
    sealed interface Reaction {
        /// The request is sent again, once: it was rejected and had no effect.
        record SendAgain(Authorization.Granted with) implements Reaction {}

        /// The request fails like this.
        record Fail(CallFailure failure) implements Reaction {}

        /// The rejection is reported as it is.
        record NotConcerned() implements Reaction {}
    }
}
