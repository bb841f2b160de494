package dev.fusebox.gateway.config;

import dev.fusebox.client.http.HttpTarget;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.client.redaction.Redactor;

/// How a server is reached. Immutable.
public sealed interface Reach {
    /// As a process of our own.
    record Stdio(ChildSpec spec) implements Reach {
        @Override
        public Redactor secrets() {
            return spec.secrets();
        }
    }

    /// Over Streamable HTTP.
    record Http(HttpTarget target) implements Reach {
        @Override
        public Redactor secrets() {
            return target.secrets();
        }
    }

    /// Over HTTP with SSE, as of revision 2024-11-05.
    record Sse(HttpTarget target) implements Reach {
        @Override
        public Redactor secrets() {
            return target.secrets();
        }
    }

    /// What it takes to get there and nobody is shown.
    Redactor secrets();
}
