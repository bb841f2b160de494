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
 * The registry of the breakers of an application, by name. Thread-safe; nothing blocks.
 *
 * <p>Breakers are created on first use and share the manager's judge, surroundings and listeners.
 */
public final class Breakers implements AutoCloseable {
    private final Settings.Kind servers;
    private final Settings.Kind tools;
    private final Surroundings surroundings;
    private final Executor events;
    private final Listeners listeners;
    private final ConcurrentMap<BreakerName, CircuitBreaker> all = new ConcurrentHashMap<>();

    private Breakers(Settings settings) {
        // A copy: later changes of the settings must not affect a manager in use.
        this.servers = settings.servers;
        this.tools = settings.tools == null ? settings.servers : settings.tools;
        this.surroundings = settings.surroundings;
        this.events = settings.events;
        this.listeners = new Listeners(events, null);
    }

    /** A manager whose breakers have the default policy unless another one is given. */
    public static Breakers defaults() {
        return settings().build();
    }

    public static Settings settings() {
        return new Settings();
    }

    /** The breaker of this name, created with the manager's policy if it does not exist yet. */
    public CircuitBreaker breaker(String name) {
        return breaker(BreakerName.of(name));
    }

    /** The breaker of this name, created with the manager's policy if it does not exist yet. */
    public CircuitBreaker breaker(BreakerName name) {
        return all.computeIfAbsent(name, missing -> make(missing, kind(missing).policy));
    }

    /** The breaker of this name, created with this policy if it does not exist yet. */
    public CircuitBreaker breaker(String name, BreakerPolicy policy) {
        return breaker(BreakerName.of(name), policy);
    }

    /**
     * The breaker of this name, created with this policy if it does not exist yet.
     *
     * @throws IllegalStateException if it exists with another policy: two callers disagree on its configuration
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

    /** Removes the breaker of this name; its calls in flight settle without effect. False if there was none. */
    public boolean remove(BreakerName name) {
        CircuitBreaker removed = all.remove(name);
        if (removed != null) {
            removed.retire();
        }
        return removed != null;
    }

    /** The names of all breakers, in alphabetical order. */
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

    /** Closes every breaker, including those that an operator forced open or disabled. */
    public void resetAll() {
        all.values().forEach(CircuitBreaker::reset);
    }

    /** Adds a listener to all breakers, including those created later. */
    public <E extends BreakerEvent> Subscription on(Class<E> type, Consumer<? super E> listener) {
        return listeners.add(type, listener);
    }

    /**
     * Removes all breakers and listeners; calls in flight settle without effect. A later request for a breaker creates
     * a new one.
     */
    @Override
    public void close() {
        listeners.clear();
        all.keySet().forEach(this::remove);
    }

    /** The common settings of a manager's breakers. Not thread-safe. */
    public static final class Settings {
        private Kind servers = new Kind(BreakerPolicy.defaults(), Judge.defaults());
        private @Nullable Kind tools;
        private Surroundings surroundings = Surroundings.system();
        private Executor events = Runnable::run;

        private Settings() {}

        /** The common settings of the breakers of one scope. */
        private record Kind(BreakerPolicy policy, Judge judge) {}

        /** The policy of breakers for which none is given. */
        public Settings policy(BreakerPolicy policy) {
            servers = new Kind(Objects.requireNonNull(policy, "policy"), servers.judge);
            return this;
        }

        /** What counts as a failure; by default, every exception. */
        public Settings judge(Judge judge) {
            servers = new Kind(servers.policy, Objects.requireNonNull(judge, "judge"));
            return this;
        }

        /** Policy and judge of the breakers of tools, if they differ from those of servers. */
        public Settings tools(BreakerPolicy policy, Judge judge) {
            tools = new Kind(Objects.requireNonNull(policy, "policy"), Objects.requireNonNull(judge, "judge"));
            return this;
        }

        /** The source of time and random numbers; this machine by default. */
        public Settings surroundings(Surroundings surroundings) {
            this.surroundings = Objects.requireNonNull(surroundings, "surroundings");
            return this;
        }

        /** The executor of the listeners; by default, the thread of the call. Events that it rejects are counted. */
        public Settings events(Executor executor) {
            this.events = Objects.requireNonNull(executor, "executor");
            return this;
        }

        public Breakers build() {
            return new Breakers(this);
        }
    }
}
