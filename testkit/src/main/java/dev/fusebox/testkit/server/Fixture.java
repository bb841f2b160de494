package dev.fusebox.testkit.server;

import dev.fusebox.platform.Platform;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/// What all clients of one server share: its script, its catalogue, its prompts, its journal. Thread-safe.
final class Fixture {
    private final Platform platform;
    private final Script script;
    private final Host host;
    private final Journal journal;
    private final Catalogue catalogue;
    private final AtomicInteger calls = new AtomicInteger();
    private final Prompts prompts = new Prompts();
    private final Set<Watcher> watchers = ConcurrentHashMap.newKeySet();

    Fixture(Platform platform, Script script, Host host) {
        this.platform = platform;
        this.script = script;
        this.host = host;
        this.journal = new Journal(script.journal(), platform.wallClock());
        this.catalogue = new Catalogue(script, Stream.concat(SuiteTools.all(), OwnTools.all(this)));
    }

    Platform platform() {
        return platform;
    }

    Script script() {
        return script;
    }

    /// Which eras it speaks; a server that dies of what it does not know speaks one.
    Era era() {
        return script.has(FaultKind.EXIT_ON_EARLY_REQUEST) ? Era.LEGACY : script.era();
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

    Prompts prompts() {
        return prompts;
    }

    void opened(Watcher watcher) {
        watchers.add(watcher);
    }

    void closed(Watcher watcher) {
        watchers.remove(watcher);
    }

    /// Tells every client something that belongs to no request.
    void notifyAll(String method) {
        watchers.forEach(watcher -> watcher.changed(method));
    }

    /// Tells those who want to know that a resource has changed.
    void updated(String uri) {
        watchers.forEach(watcher -> watcher.updated(uri));
    }

    /// Tells all who watch that nothing more will come.
    void endWatching() {
        watchers.forEach(Watcher::end);
    }
}
