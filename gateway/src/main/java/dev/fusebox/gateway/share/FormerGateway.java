package dev.fusebox.gateway.share;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The gateway to which a client was connected before. Immutable.
///
/// @param process its process id; null if it did not say that
/// @param stateful servers that kept state of the client, there or with an earlier gateway
record FormerGateway(@Nullable Long process, List<String> stateful) {
    FormerGateway {
        stateful = List.copyOf(stateful);
    }
}
