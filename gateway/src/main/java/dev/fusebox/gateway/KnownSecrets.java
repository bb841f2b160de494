package dev.fusebox.gateway;

import dev.fusebox.client.redaction.Redactor;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// The secrets that no message of a gateway may show: those of its configurations, and the newest ones of the
/// login to each server. Thread-safe; nothing blocks.
final class KnownSecrets {
    /// Sets of tokens of a server, each of one refresh. A replaced access token stays valid until it expires, so
    /// two are valid at a time if tokens are refreshed at 80 % of their lifetime, and more if the server has
    /// rejected some.
    private static final int KEPT = 8;

    private final Map<String, Deque<Set<String>>> ofLogins = new HashMap<>();
    private Redactor ofConfigurations;
    private volatile Redactor redactor;

    KnownSecrets(Redactor ofConfiguration) {
        this.ofConfigurations = ofConfiguration;
        this.redactor = ofConfiguration;
    }

    /// Hides all of them.
    Redactor redactor() {
        return redactor;
    }

    /// Adds those of a further configuration.
    synchronized void add(Redactor ofConfiguration) {
        ofConfigurations = ofConfigurations.and(ofConfiguration);
        redactor = all();
    }

    /// Adds the newest ones of a login.
    synchronized void addOfLogin(String server, Collection<String> secrets) {
        Deque<Set<String>> known = ofLogins.computeIfAbsent(server, _ -> new ArrayDeque<>());
        Set<String> newest = Set.copyOf(secrets);
        if (newest.isEmpty()) {
            return;
        }
        known.remove(newest);
        known.addLast(newest);
        if (known.size() > KEPT) {
            known.removeFirst();
        }
        redactor = all();
    }

    private Redactor all() {
        return ofConfigurations.and(Redactor.of(ofLogins.values().stream()
                .flatMap(Collection::stream)
                .flatMap(Collection::stream)
                .toList()));
    }
}
