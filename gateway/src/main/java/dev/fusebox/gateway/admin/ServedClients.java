package dev.fusebox.gateway.admin;

import dev.fusebox.protocol.JsonWriter;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The clients that a gateway serves, as the API reports them. Immutable.
///
/// @param kind `stdio` for one client over standard input and output, `shared` for those of a configuration file,
/// `http` for clients over HTTP
/// @param sharing null unless clients over standard input and output share the gateway
public record ServedClients(String kind, @Nullable Sharing sharing) {
    /// One client over standard input and output.
    public static final ServedClients STDIO = new ServedClients("stdio", null);

    /// The clients over standard input and output that share a gateway. Implementations are thread-safe and do not
    /// block.
    public interface Sharing {
        /// The number of those that are connected.
        int count();

        /// Whether another gateway has taken the place of this one.
        boolean isReplaced();

        /// After which time the gateway ends if no client connects; empty while one is connected.
        Optional<Duration> untilEnd();
    }

    /// The clients of one configuration file.
    public static ServedClients shared(Sharing sharing) {
        return new ServedClients("shared", sharing);
    }

    /// Clients over HTTP. The gateway stays when the stdio clients that share it have left, or when another gateway
    /// has taken them over.
    ///
    /// @param sharing null if clients over standard input and output do not share it
    public static ServedClients overHttp(@Nullable Sharing sharing) {
        return new ServedClients("http", sharing == null ? null : new OverHttp(sharing));
    }

    /// The stdio clients that share an HTTP gateway.
    private record OverHttp(Sharing all) implements Sharing {
        @Override
        public int count() {
            return all.count();
        }

        @Override
        public boolean isReplaced() {
            return false;
        }

        @Override
        public Optional<Duration> untilEnd() {
            return Optional.empty();
        }
    }

    boolean isReplaced() {
        return sharing != null && sharing.isReplaced();
    }

    void write(JsonWriter json) {
        json.name("kind").string(kind);
        json.name("shared").bool(sharing != null);
        if (sharing != null) {
            json.name("clientCount").number(sharing.count());
            sharing.untilEnd().ifPresent(left -> json.name("endsInMs").number(left.toMillis()));
        }
    }
}
