package dev.fusebox.testkit.server;

import dev.fusebox.world.World;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/// What all conversations of one server share: its script, its catalogue, its journal. Thread-safe.
final class Fixture {
    private final World world;
    private final Script script;
    private final Host host;
    private final Journal journal;
    private final Catalogue catalogue;
    private final AtomicInteger calls = new AtomicInteger();
    private final Set<Conversation> conversations = ConcurrentHashMap.newKeySet();

    Fixture(World world, Script script, Host host) {
        this.world = world;
        this.script = script;
        this.host = host;
        this.journal = new Journal(script.journal(), world.wallClock());
        this.catalogue = new Catalogue(script, Stream.concat(SuiteTools.all(), OwnTools.all(this)));
    }

    World world() {
        return world;
    }

    Script script() {
        return script;
    }

    Host host() {
        return host;
    }

    Journal journal() {
        return journal;
    }

    Catalogue catalogue() {
        return catalogue;
    }

    /// The faults of the call that has just come.
    List<Fault> faultsOfNextCall() {
        int call = calls.incrementAndGet();
        return script.faults().stream().filter(fault -> fault.isAt(call)).toList();
    }

    void opened(Conversation conversation) {
        conversations.add(conversation);
    }

    void closed(Conversation conversation) {
        conversations.remove(conversation);
    }

    /// Tells every client something that belongs to no request.
    void notifyAll(String method) {
        conversations.forEach(conversation -> conversation.notify(method, null));
    }

    /// Tells those who want to know that a resource has changed.
    void updated(String uri) {
        conversations.forEach(conversation -> conversation.updated(uri));
    }
}
