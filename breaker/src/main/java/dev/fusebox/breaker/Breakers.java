package dev.fusebox.breaker;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All the breakers of an application, by name. Thread-safe; nothing blocks.
 *
 * <p>Breakers are made when they are first asked for and share the manager's judge, surroundings and listeners.
 */
public final class Breakers implements AutoCloseable {
    private final Settings.Kind servers;
    private final Settings.Kind tools;
    private final Surroundings surroundings;
    private final Executor events;
    private final Listeners listeners;
    private final ConcurrentMap<BreakerName, CircuitBreaker> all = new ConcurrentHashMap<>();

    private Breakers(Settings settings) {
        // Copied: settings that are changed afterwards must not change a manager that is in use.
        this.servers = settings.servers;
        this.tools = settings.tools == null ? settings.servers : settings.tools;
        this.surroundings = settings.surroundings;
        this.events = settings.events;
        this.listeners = new Listeners(events, null);
    }

    /** A manager whose breakers have the default policy unless they ask for another. */
    public static Breakers defaults() {
        return settings().build();
    }

    public static Settings settings() {
        return new Settings();
    }

    /** The breaker of this name, made with the manager's policy if there is none yet. */
    public CircuitBreaker breaker(String name) {
        return breaker(BreakerName.of(name));
    }

    /** The breaker of this name, made with the manager's policy if there is none yet. */
    public CircuitBreaker breaker(BreakerName name) {
        return all.computeIfAbsent(name, missing -> make(missing, kind(missing).policy));
    }

    /** The breaker of this name, made with this policy if there is none yet. */
    public CircuitBreaker breaker(String name, BreakerPolicy policy) {
        return breaker(BreakerName.of(name), policy);
    }

    /**
     * The breaker of this name, made with this policy if there is none yet.
     *
     * @throws IllegalStateException if there is one with another policy: two callers disagree on its configuration
     */
    @SuppressWarnings("ReferenceEquality") // the usual case, without the reflection of a record's first comparison
    public CircuitBreaker breaker(BreakerName name, BreakerPolicy policy) {
        CircuitBreaker breaker = all.computeIfAbsent(name, missing -> make(missing, policy));
        if (breaker.policy() != policy && !breaker.policy().equals(policy)) {
            throw new IllegalStateException("Circuit breaker '" + name + "' already exists with " + breaker.policy()
                    + ", not with " + policy + "; remove it first, or use the same policy everywhere");
        }
        return breaker;
    }

    private CircuitBreaker make(BreakerName name, BreakerPolicy policy) {
        BreakerBuilder builder =
                new BreakerBuilder(name).policy(policy).judge(kind(name).judge).surroundings(surroundings);
        return new CircuitBreaker(builder, new Listeners(events, listeners));
    }

    private Settings.Kind kind(BreakerName name) {
        return name.scope() == Scope.TOOL ? tools : servers;
    }

    /** The breaker of this name if there is one. */
    public Optional<CircuitBreaker> find(BreakerName name) {
        return Optional.ofNullable(all.get(name));
    }

    /** Forgets the breaker of this name; calls that run under it settle without effect. False if there was none. */
    public boolean remove(BreakerName name) {
        CircuitBreaker removed = all.remove(name);
        if (removed != null) {
            removed.retire();
        }
        return removed != null;
    }

    /** The names of all breakers, sorted as they print. */
    public List<BreakerName> names() {
        return all.keySet().stream().sorted(Breakers::asPrinted).toList();
    }

    /** All breakers at this moment, sorted by name. */
    public List<BreakerSnapshot> snapshots() {
        return all.values().stream()
                .map(CircuitBreaker::snapshot)
                .sorted((one, other) -> asPrinted(one.name(), other.name()))
                .toList();
    }

    private static int asPrinted(BreakerName one, BreakerName other) {
        int byText = one.toString().compareTo(other.toString());
        return byText != 0 ? byText : one.server().compareTo(other.server());
    }

    public HealthSummary health() {
        return HealthSummary.of(snapshots());
    }

    /** Closes every breaker, also those that an operator forced open or disabled. */
    public void resetAll() {
        all.values().forEach(CircuitBreaker::reset);
    }

    /** Adds a listener to all breakers, including those made later. */
    public <E extends BreakerEvent> Subscription on(Class<E> type, Consumer<? super E> listener) {
        return listeners.add(type, listener);
    }

    /**
     * Forgets all breakers and listeners; calls that are under way settle without effect. A later request for a
     * breaker makes a fresh one.
     */
    @Override
    public void close() {
        listeners.clear();
        all.keySet().forEach(this::remove);
    }

    /** What the breakers of a manager have in common. Not thread-safe. */
    public static final class Settings {
        private Kind servers = new Kind(BreakerPolicy.defaults(), Judge.defaults());
        private @Nullable Kind tools;
        private Surroundings surroundings = Surroundings.system();
        private Executor events = Runnable::run;

        private Settings() {}

        /** What breakers of one scope have in common. */
        private record Kind(BreakerPolicy policy, Judge judge) {}

        /** The policy of breakers that do not ask for one. */
        public Settings policy(BreakerPolicy policy) {
            servers = new Kind(Objects.requireNonNull(policy, "policy"), servers.judge);
            return this;
        }

        /** What counts as a failure; every exception unless said otherwise. */
        public Settings judge(Judge judge) {
            servers = new Kind(servers.policy, Objects.requireNonNull(judge, "judge"));
            return this;
        }

        /** Policy and judge of breakers for tools, if they shall not be the same as for servers. */
        public Settings tools(BreakerPolicy policy, Judge judge) {
            tools = new Kind(Objects.requireNonNull(policy, "policy"), Objects.requireNonNull(judge, "judge"));
            return this;
        }

        /** The source of time and random numbers; this machine by default. */
        public Settings surroundings(Surroundings surroundings) {
            this.surroundings = Objects.requireNonNull(surroundings, "surroundings");
            return this;
        }

        /** Who runs the listeners; the thread of the call unless said otherwise. What it refuses to take is counted. */
        public Settings events(Executor executor) {
            this.events = Objects.requireNonNull(executor, "executor");
            return this;
        }

        public Breakers build() {
            return new Breakers(this);
        }
    }
}
