package dev.fusebox.testkit.server;

import dev.fusebox.protocol.Message;

/// Both eras on one pipe: the first request chooses. A client that looked what there is, and found the stateless
/// era, may still begin a session; that choice is for good (2026-07-28, versioning, backward compatibility).
///
/// ```
///   undecided --any other request--> legacy
///       |                               ^
///       +--stateless request--> modern -+ initialize
/// ```
final class EitherCodec implements Codec {
    private final Codec legacy;
    private final Codec modern;
    private volatile Codec chosen;
    private volatile boolean decided;

    /// Speaks what the era says.
    static Codec of(Era era, Codec legacy, Codec modern) {
        return switch (era) {
            case LEGACY -> legacy;
            case MODERN -> modern;
            case BOTH -> new EitherCodec(legacy, modern);
        };
    }

    private EitherCodec(Codec legacy, Codec modern) {
        this.legacy = legacy;
        this.modern = modern;
        this.chosen = legacy;
    }

    /// Comes from one thread, the one that reads the pipe.
    @Override
    public void receive(Message message, Outbox outbox) {
        if (message instanceof Message.Request request) {
            choose(request);
        }
        chosen.receive(message, outbox);
    }

    private void choose(Message.Request request) {
        boolean stateless = RequestMeta.isIn(request.params());
        if (!decided) {
            decided = true;
            chosen = stateless ? modern : legacy;
        } else if (request.method().equals("initialize") && !stateless) {
            chosen = legacy;
        }
    }
}
