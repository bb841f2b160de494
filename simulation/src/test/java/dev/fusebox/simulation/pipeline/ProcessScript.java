package dev.fusebox.simulation.pipeline;

import java.time.Duration;

/// The script of a simulated server that runs as a process, start by start and call by call.
interface ProcessScript {
    Start start();

    Reaction reaction(ServerCall serverCall);

    /// The course of one start.
    ///
    /// @param takes the time of the start, and again of the handshake
    record Start(Kind kind, Duration takes) {
        static final Start WELL = new Start(Kind.WELL, Duration.ofMillis(20));
        static final Start DEAD = new Start(Kind.DIES, Duration.ofMillis(20));

        /// The result of a start.
        enum Kind {
            WELL,
            /// There is no such program.
            NOT_FOUND,
            /// This process has no descriptors left.
            SHORTAGE,
            /// It ends before it reads anything.
            DIES,
            /// It ends during the handshake.
            DIES_IN_HANDSHAKE,
            /// It never answers the handshake.
            SILENT,
            /// It answers the handshake with an error.
            REFUSES
        }
    }

    /// The course of one call.
    ///
    /// @param after the time until then
    record Reaction(CallAction action, Duration after) {}

    /// The action of a process for a call.
    enum CallAction {
        ANSWER,
        ANSWER_TWICE,
        /// A response to an unknown id, then the right one.
        ANSWER_UNKNOWN_ID,
        /// The result of another call. No gateway can detect that: only to verify the checks.
        ANSWER_WRONGLY,
        /// The work is done twice, then answered: only to verify the checks.
        RUN_TWICE,
        /// A line that is not a message, then the response.
        NOISE,
        /// The tool fails, and says so in its result.
        TOOL_ERROR,
        /// The server answers with a protocol error.
        ERROR,
        /// This call is never answered.
        HANG,
        /// Nothing is answered any more, including pings.
        FREEZE,
        /// Nothing is read any more: messages stay in the pipe.
        BLOCK,
        CRASH_BEFORE,
        CRASH_AFTER
    }
}
