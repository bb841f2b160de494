package dev.fusebox.gateway.config;

import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.client.redaction.Redactor;
import java.util.Objects;
import java.util.TreeSet;

/// How a server is reached. Immutable.
public sealed interface ServerEndpoint {
    /// As a process of our own.
    record Stdio(ChildSpec spec) implements ServerEndpoint {
        @Override
        public Redactor secrets() {
            return spec.secrets();
        }

        /// Values of variables are left out: the server is the same with another token.
        @Override
        public String identity() {
            String place = Objects.requireNonNullElse(spec.cwd(), "");
            return "stdio\n" + spec.command() + "\n" + spec.args() + "\n" + place + "\n"
                    + new TreeSet<>(spec.env().keySet());
        }
    }

    /// Over Streamable HTTP.
    record Http(HttpTarget target) implements ServerEndpoint {
        @Override
        public Redactor secrets() {
            return target.secrets();
        }

        @Override
        public String identity() {
            return "http\n" + target.uri();
        }
    }

    /// Over HTTP with SSE, as of revision 2024-11-05.
    record Sse(HttpTarget target) implements ServerEndpoint {
        @Override
        public Redactor secrets() {
            return target.secrets();
        }

        @Override
        public String identity() {
            return "sse\n" + target.uri();
        }
    }

    /// What tells it from other ways, the same at every start.
    String identity();

    /// What it takes to get there and nobody is shown.
    Redactor secrets();
}
