package dev.fusebox.simulation.pipeline;

import java.util.HashMap;
import java.util.Map;

/// What one server saw and did. For the threads of one simulation.
final class ServerJournal {
    private final Map<Integer, Integer> executed = new HashMap<>();
    private Ears listener = new Ears() {
        @Override
        public void started() {
            // Nobody listens.
        }

        @Override
        public void reached(int tag) {
            // Nobody listens.
        }
    };
    private int starts;
    private int starting;
    private int mostStarting;
    private int calls;
    private int pings;
    private int underWay;
    private int mostUnderWay;

    /// Hears of what happens at the server when it happens.
    interface Ears {
        /// A process was started.
        void started();

        /// A call was sent to the server.
        ///
        /// @param tag which call
        void reached(int tag);
    }

    void listen(Ears other) {
        listener = other;
    }

    void started() {
        starts++;
        starting++;
        mostStarting = Math.max(mostStarting, starting);
        listener.started();
    }

    /// The start is over, well or not.
    void startEnded() {
        starting--;
    }

    void reached(int tag) {
        calls++;
        underWay++;
        mostUnderWay = Math.max(mostUnderWay, underWay);
        listener.reached(tag);
    }

    /// The server works no longer on one of its calls.
    void left() {
        underWay--;
    }

    void executed(int tag) {
        executed.merge(tag, 1, Integer::sum);
    }

    void pinged() {
        pings++;
    }

    /// How often the work of this call was done.
    int executions(int tag) {
        return executed.getOrDefault(tag, 0);
    }

    /// Processes that were started.
    int starts() {
        return starts;
    }

    /// As many as were being started at once.
    int mostStarting() {
        return mostStarting;
    }

    /// Calls of tools that were sent to it, repetitions included.
    int calls() {
        return calls;
    }

    int pings() {
        return pings;
    }

    /// Everything that was work for it.
    int work() {
        return starts + calls;
    }

    /// Calls that it works on.
    int underWay() {
        return underWay;
    }

    /// As many calls as it worked on at once.
    int mostUnderWay() {
        return mostUnderWay;
    }
}
