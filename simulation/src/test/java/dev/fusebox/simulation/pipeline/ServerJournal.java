package dev.fusebox.simulation.pipeline;

import java.util.HashMap;
import java.util.Map;

/// The journal of what one server received and did. For the threads of one simulation.
final class ServerJournal {
    private final Map<Integer, Integer> executed = new HashMap<>();
    private Listener listener = new Listener() {
        @Override
        public void started() {
            // No listener.
        }

        @Override
        public void reached(int tag) {
            // No listener.
        }
    };
    private int starts;
    private int starting;
    private int maxStarting;
    private int calls;
    private int pings;
    private int underWay;
    private int maxUnderWay;

    /// A listener of the events at the server.
    interface Listener {
        /// A process was started.
        void started();

        /// A call was sent to the server.
        ///
        /// @param tag of the call
        void reached(int tag);
    }

    void listen(Listener other) {
        listener = other;
    }

    void started() {
        starts++;
        starting++;
        maxStarting = Math.max(maxStarting, starting);
        listener.started();
    }

    /// The start has ended, successfully or not.
    void startEnded() {
        starting--;
    }

    void reached(int tag) {
        calls++;
        underWay++;
        maxUnderWay = Math.max(maxUnderWay, underWay);
        listener.reached(tag);
    }

    /// The server has ended its work on one of its calls.
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

    /// The number of processes that were started.
    int starts() {
        return starts;
    }

    /// The greatest number of concurrent starts.
    int maxStarting() {
        return maxStarting;
    }

    /// The number of tool calls that were sent to it, including retries.
    int calls() {
        return calls;
    }

    int pings() {
        return pings;
    }

    /// The number of all messages that caused work.
    int work() {
        return starts + calls;
    }

    /// The number of calls in progress.
    int underWay() {
        return underWay;
    }

    /// The greatest number of concurrent calls.
    int maxUnderWay() {
        return maxUnderWay;
    }
}
