package dev.fusebox.interop;

import java.nio.file.Path;
import java.util.function.Function;

/// The front ends and transports through which a client reaches the gateway.
enum Way {
    STDIO {
        @Override
        <T> T through(Path configuration, Function<Target, T> client) {
            return client.apply(Gateway.overStdio(configuration));
        }
    },
    HTTP {
        @Override
        <T> T through(Path configuration, Function<Target, T> client) {
            try (Gateway gateway = Gateway.overHttp(configuration)) {
                return client.apply(gateway.http());
            }
        }
    },
    /// Of revision 2024-11-05.
    SSE {
        @Override
        <T> T through(Path configuration, Function<Target, T> client) {
            try (Gateway gateway = Gateway.overHttp(configuration)) {
                return client.apply(gateway.sse());
            }
        }
    };

    /// What a client has to say that was let go through a gateway of its own.
    abstract <T> T through(Path configuration, Function<Target, T> client);
}
