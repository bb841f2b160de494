package dev.fusebox.config;

import dev.fusebox.protocol.http.HttpProxy;
import dev.fusebox.protocol.http.Origin;
import java.net.URI;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The endpoint of a server: a process or an address. Immutable. `toString` leaves out everything that may be a
/// secret.
public sealed interface ServerEndpoint {
    /// A child process.
    ///
    /// @param command a path, or a name that is looked up in the PATH of the process
    /// @param args without the command
    /// @param env variables on top of the base environment
    /// @param inheritEnv names of variables of the gateway that it inherits
    /// @param cwd the working directory; null for the gateway's
    /// @param secrets values that no message may show
    record Stdio(
            String command,
            List<String> args,
            Map<String, String> env,
            List<String> inheritEnv,
            @Nullable String cwd,
            List<String> secrets)
            implements ServerEndpoint {
        public Stdio {
            args = List.copyOf(args);
            env = Map.copyOf(env);
            inheritEnv = List.copyOf(inheritEnv);
            secrets = List.copyOf(secrets);
        }

        /// The values of variables are not part of it: a server stays the same with another token.
        @Override
        public String identity() {
            String folder = Objects.requireNonNullElse(cwd, "");
            return "stdio\n" + command + "\n" + args + "\n" + folder + "\n" + new TreeSet<>(env.keySet());
        }

        @Override
        public String toString() {
            return "Stdio[" + command + "]";
        }
    }

    /// Streamable HTTP.
    record Http(Remote remote) implements ServerEndpoint {
        @Override
        public String identity() {
            return "http\n" + remote.uri();
        }
    }

    /// HTTP with SSE, of revision 2024-11-05.
    record Sse(Remote remote) implements ServerEndpoint {
        @Override
        public String identity() {
            return "sse\n" + remote.uri();
        }
    }

    /// WebSocket.
    ///
    /// @param remote with the http or https address of the upgrade request (RFC 6455, section 3)
    record WebSocket(Remote remote) implements ServerEndpoint {
        /// As it is written.
        public URI uri() {
            return URI.create("ws" + remote.uri().toString().substring("http".length()));
        }

        @Override
        public String identity() {
            return "websocket\n" + uri();
        }
    }

    /// A connection over TCP with one message on each line.
    ///
    /// @param uri tcp, with a host and a port
    /// @param secrets values that no message may show
    record Tcp(URI uri, List<String> secrets) implements ServerEndpoint {
        public Tcp {
            secrets = List.copyOf(secrets);
        }

        @Override
        public String identity() {
            return "tcp\n" + uri;
        }

        @Override
        public String toString() {
            return "Tcp[" + uri.getPort() + "]";
        }
    }

    /// A connection to a Unix socket with one message on each line.
    ///
    /// @param path absolute
    /// @param secrets values that no message may show
    record Unix(Path path, List<String> secrets) implements ServerEndpoint {
        public Unix {
            secrets = List.copyOf(secrets);
        }

        @Override
        public String identity() {
            return "unix\n" + path;
        }

        @Override
        public String toString() {
            return "Unix[]";
        }
    }

    /// The address of a remote server. Immutable.
    ///
    /// @param uri http or https, with a host and without a user
    /// @param headers that are sent with every request
    /// @param proxy the proxy; null for the ones of the environment
    /// @param authorities the certificate authorities to trust; empty for those of the JDK
    /// @param secrets values that no message may show, in addition to the headers and the query
    /// @param oauth how the gateway logs in
    /// @param headersHelper a program that prints further headers, and its arguments; empty for none
    record Remote(
            URI uri,
            Map<String, String> headers,
            @Nullable Proxy proxy,
            Set<Certificate> authorities,
            List<String> secrets,
            OAuthConfig oauth,
            List<String> headersHelper) {
        public Remote {
            headers = Map.copyOf(headers);
            authorities = Set.copyOf(authorities);
            secrets = List.copyOf(secrets);
            headersHelper = List.copyOf(headersHelper);
        }

        @Override
        public String toString() {
            return "Remote[" + Origin.require(uri) + "]";
        }
    }

    /// The proxy setting of one server. Immutable.
    ///
    /// @param address null for none
    record Proxy(@Nullable HttpProxy address) {}

    /// What distinguishes it from other endpoints, the same at every start.
    String identity();

    /// The address of a server that is reached by an HTTP request, which also opens a WebSocket; null for others.
    default @Nullable Remote address() {
        return switch (this) {
            case Stdio process -> null;
            case Http http -> http.remote();
            case Sse sse -> sse.remote();
            case WebSocket webSocket -> webSocket.remote();
            case Tcp tcp -> null;
            case Unix unix -> null;
        };
    }

    /// The URL of a server, as it is written; null for a process.
    default @Nullable URI url() {
        return switch (this) {
            case Stdio process -> null;
            case Http http -> http.remote().uri();
            case Sse sse -> sse.remote().uri();
            case WebSocket webSocket -> webSocket.uri();
            case Tcp tcp -> tcp.uri();
            case Unix unix -> URI.create("unix:" + unix.path().toUri().getRawPath());
        };
    }
}
