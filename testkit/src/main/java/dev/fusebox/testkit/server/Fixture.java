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
    private final ServerScript script;
    private final HostProcess host;
    private final CallJournal journal;
    private final Catalogue catalogue;
    private final AtomicInteger calls = new AtomicInteger();
    private final FixturePrompts fixturePrompts = new FixturePrompts();
    private final Set<ChangeListener> changeListeners = ConcurrentHashMap.newKeySet();

    Fixture(Platform platform, ServerScript script, HostProcess host) {
        this.platform = platform;
        this.script = script;
        this.host = host;
        this.journal = new CallJournal(script.journal(), platform.wallClock());
        this.catalogue = new Catalogue(script, Stream.concat(SuiteTools.all(), TestTools.all(this)));
    }

    Platform platform() {
        return platform;
    }

    ServerScript script() {
        return script;
    }

    /// Which eras it speaks; a server that dies of what it does not know speaks one.
    Era era() {
        return script.has(FaultKind.EXIT_ON_EARLY_REQUEST) ? Era.LEGACY : script.era();
    }

    HostProcess host() {
        return host;
    }

    CallJournal journal() {
        return journal;
    }

    Catalogue catalogue() {
        return catalogue;
    }

    /// The faults of the call that has just come.
    List<ScriptedFault> faultsOfNextCall() {
        int call = calls.incrementAndGet();
        return script.faults().stream().filter(fault -> fault.isAt(call)).toList();
    }

    FixturePrompts fixturePrompts() {
        return fixturePrompts;
    }

    void opened(ChangeListener changeListener) {
        changeListeners.add(changeListener);
    }

    void closed(ChangeListener changeListener) {
        changeListeners.remove(changeListener);
    }

    /// Tells every client something that belongs to no request.
    void notifyAll(String method) {
        changeListeners.forEach(changeListener -> changeListener.changed(method));
    }

    /// Tells those who want to know that a resource has changed.
    void updated(String uri) {
        changeListeners.forEach(changeListener -> changeListener.updated(uri));
    }

    /// Tells all who watch that nothing more will come.
    void endWatching() {
        changeListeners.forEach(ChangeListener::end);
    }
}
