package dev.fusebox.schema;

import dev.fusebox.schema.PatternNode.AssertionKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// A nondeterministic finite automaton for a pattern. It is simulated with a set of states in one pass over the
/// text, for every pattern and every text. Matches the pattern anywhere in the text. Immutable and thread-safe
/// once built.
final class PatternAutomaton {
    /// States, and construction steps: more than any hand-written pattern needs.
    private static final int MAX_SIZE = 20_000;

    private final List<State> states = new ArrayList<>();
    private final State start;
    private int steps;

    /// One state: it consumes a character, asserts a position, or has only empty transitions; the final state does
    /// none of these.
    private static final class State {
        private final int number;
        private final @Nullable IntPredicate test;
        private final @Nullable AssertionKind assertionKind;
        private @Nullable State next;
        private @Nullable State orElse;

        State(int number, @Nullable IntPredicate test, @Nullable AssertionKind assertionKind) {
            this.number = number;
            this.test = test;
            this.assertionKind = assertionKind;
        }

        boolean isEnd() {
            return next == null;
        }
    }

    /// The text and the position in it.
    private record Reading(String text, int at) {
        boolean is(AssertionKind assertionKind) {
            return switch (assertionKind) {
                case BEGIN -> at == 0;
                case END -> at == text.length();
                case EDGE_OF_WORD -> isWord(at - 1) != isWord(at);
                case NO_EDGE_OF_WORD -> isWord(at - 1) == isWord(at);
            };
        }

        private boolean isWord(int index) {
            if (index < 0 || index >= text.length()) {
                return false;
            }
            char it = text.charAt(index);
            return it < 128 && (Character.isLetterOrDigit(it) || it == '_');
        }
    }

    PatternAutomaton(String pattern) {
        this.start = build(PatternParser.read(pattern), state(null, null));
    }

    private State state(@Nullable IntPredicate test, @Nullable AssertionKind assertionKind) {
        var made = new State(states.size(), test, assertionKind);
        states.add(made);
        return made;
    }

    /// The state in which a part begins that is followed by another state.
    private State build(PatternNode node, State next) {
        countStep();
        return switch (node) {
            case PatternNode.SingleCharacter singleCharacter -> leadingTo(state(singleCharacter.test(), null), next);
            case PatternNode.Assertion assertion -> leadingTo(state(null, assertion.assertionKind()), next);
            case PatternNode.Sequence sequence -> {
                State first = next;
                for (PatternNode part : sequence.parts().reversed()) {
                    first = build(part, first);
                }
                yield first;
            }
            case PatternNode.Choice choice -> {
                State first = build(choice.options().getLast(), next);
                for (PatternNode option :
                        choice.options().reversed().subList(1, choice.options().size())) {
                    first = fork(build(option, next), first);
                }
                yield first;
            }
            case PatternNode.Repeat repeat -> repeat(repeat, next);
        };
    }

    private State repeat(PatternNode.Repeat repeat, State next) {
        State first = next;
        if (repeat.most() == PatternNode.Repeat.ENDLESS) {
            first = state(null, null);
            first.orElse = next;
            first.next = build(repeat.what(), first);
        }
        for (int i = repeat.least(); i < repeat.most(); i++) {
            first = fork(build(repeat.what(), first), next);
        }
        for (int i = 0; i < repeat.least(); i++) {
            first = build(repeat.what(), first);
        }
        return first;
    }

    private static State leadingTo(State state, State next) {
        state.next = next;
        return state;
    }

    private State fork(State one, State other) {
        State fork = state(null, null);
        fork.next = one;
        fork.orElse = other;
        return fork;
    }

    private void countStep() {
        if (++steps > MAX_SIZE || states.size() > MAX_SIZE) {
            throw new CheckAbandoned("a pattern has more than " + MAX_SIZE + " parts");
        }
    }

    /// Whether the pattern matches anywhere in the text.
    boolean findsIn(String text, CheckBudget budget) {
        budget.spend(states.size() / 10);
        var now = new StateSet(states.size());
        var next = new StateSet(states.size());
        int at = 0;
        now.add(start);
        while (!now.reachesEnd(new Reading(text, at), budget)) {
            if (at == text.length()) {
                return false;
            }
            int character = text.codePointAt(at);
            now.read(character, next);
            next.add(start);
            at += Character.charCount(character);
            StateSet read = now;
            now = next;
            next = read;
        }
        return true;
    }

    /// The set of active states.
    private static final class StateSet {
        private final State[] members;
        private final boolean[] has;
        private int size;

        StateSet(int most) {
            members = new State[most];
            has = new boolean[most];
        }

        void add(@Nullable State state) {
            if (state != null && !has[state.number]) {
                has[state.number] = true;
                members[size++] = state;
            }
        }

        /// Adds all states that are reachable by empty transitions; true if the final state is among them.
        boolean reachesEnd(Reading reading, CheckBudget budget) {
            for (int i = 0; i < size; i++) {
                State state = members[i];
                budget.spend(1);
                if (state.isEnd()) {
                    return true;
                }
                if (state.test == null && (state.assertionKind == null || reading.is(state.assertionKind))) {
                    add(state.next);
                    add(state.orElse);
                }
            }
            return false;
        }

        /// Moves to the states that a character leads to.
        void read(int character, StateSet next) {
            for (int i = 0; i < size; i++) {
                State state = members[i];
                has[state.number] = false;
                if (state.test != null && state.test.test(character)) {
                    next.add(state.next);
                }
            }
            size = 0;
        }
    }
}
