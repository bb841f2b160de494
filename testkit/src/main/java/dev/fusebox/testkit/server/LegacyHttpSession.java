package dev.fusebox.testkit.server;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// One client over HTTP: its conversation and its streams. Thread-safe.
final class LegacyHttpSession implements AutoCloseable {
    private final Fixture fixture;
    private final SseStream general;
    private final LegacyClientState legacyClientState;
    private final Codec codec;
    private final Map<String, SseStream> streams = new ConcurrentHashMap<>();
    private final AtomicInteger opened = new AtomicInteger();

    LegacyHttpSession(Fixture fixture) {
        this.fixture = fixture;
        this.general = open();
        this.legacyClientState = new LegacyClientState(fixture, general);
        this.codec = new LegacyCodec(legacyClientState);
    }

    Codec codec() {
        return codec;
    }

    /// A stream for one request. It is kept until the session ends, so that the answer can be fetched later.
    SseStream open() {
        String name = "s" + opened.incrementAndGet();
        SseStream stream = new SseStream(name, fixture.platform());
        streams.put(name, stream);
        return stream;
    }

    /// The stream for what belongs to no request.
    SseStream general() {
        return general;
    }

    /// The stream that an event belongs to.
    Optional<SseStream> streamOf(String eventId) {
        return Optional.ofNullable(streams.get(eventId.replaceFirst("-.*", "")));
    }

    /// Whether this client comes back for an answer.
    boolean resumes() {
        return legacyClientState.revision().equals(LegacyCodec.REVISIONS.getLast());
    }

    @Override
    public void close() {
        legacyClientState.close();
        streams.values().forEach(SseStream::finish);
    }
}
