package dev.fusebox.client.http;

import dev.fusebox.protocol.http.HttpProxy;
import dev.fusebox.protocol.http.Origin;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Rules that select the proxy for a server. Servers on this machine are always reached directly, since a proxy
/// would resolve `localhost` to itself. Immutable.
public final class ProxyRules {
    public static final ProxyRules NONE = new ProxyRules(null, null, NoProxy.NOTHING);

    private final @Nullable HttpProxy plain;
    private final @Nullable HttpProxy secure;
    private final NoProxy exceptions;

    private ProxyRules(@Nullable HttpProxy plain, @Nullable HttpProxy secure, NoProxy exceptions) {
        this.plain = plain;
        this.secure = secure;
        this.exceptions = exceptions;
    }

    /// The same proxy for all servers that are not on this machine.
    public static ProxyRules always(HttpProxy proxy) {
        return new ProxyRules(proxy, proxy, NoProxy.NOTHING);
    }

    /// From the variables `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`; their lower-case forms take precedence.
    ///
    /// @throws IllegalArgumentException if one of them is not valid, with its name and without its value
    public static ProxyRules of(Map<String, String> environment) {
        return new ProxyRules(
                proxy(environment, "HTTP_PROXY"),
                proxy(environment, "HTTPS_PROXY"),
                NoProxy.parse(value(environment, "NO_PROXY")));
    }

    private static @Nullable HttpProxy proxy(Map<String, String> environment, String name) {
        String value = value(environment, name).strip();
        try {
            return value.isEmpty() ? null : HttpProxy.parse(value);
        } catch (IllegalArgumentException unusable) {
            throw new IllegalArgumentException(name + " cannot be used: " + unusable.getMessage(), unusable);
        }
    }

    private static String value(Map<String, String> environment, String name) {
        String inSmallLetters = environment.get(name.toLowerCase(Locale.ROOT));
        return inSmallLetters != null ? inSmallLetters : environment.getOrDefault(name, "");
    }

    /// Null for a direct connection.
    @Nullable
    HttpProxy to(Origin origin) {
        if (origin.isHere() || exceptions.covers(origin)) {
            return null;
        }
        return origin.isSecure() ? secure : plain;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ProxyRules it
                && Objects.equals(it.plain, plain)
                && Objects.equals(it.secure, secure)
                && it.exceptions.equals(exceptions);
    }

    @Override
    public int hashCode() {
        return Objects.hash(plain, secure, exceptions);
    }
}
