package dev.fusebox.simulation.pipeline;

import java.time.Duration;

/// Decides what a server that runs as a process does, start by start and call by call.
interface ProcessScript {
    Birth birth();

    Act act(ServerCall serverCall);

    /// How one start goes.
    ///
    /// @param takes so long, with the handshake once more
    record Birth(Kind kind, Duration takes) {
        static final Birth WELL = new Birth(Kind.WELL, Duration.ofMillis(20));
        static final Birth DEAD = new Birth(Kind.DIES, Duration.ofMillis(20));

        /// How a start ends.
        enum Kind {
            WELL,
            /// There is no such program.
            NOT_FOUND,
            /// We have no descriptors left.
            SHORTAGE,
            /// It ends before it reads anything.
            DIES,
            /// It ends of the handshake.
            DIES_SHAKING,
            /// It never answers the handshake.
            SILENT,
            /// It answers the handshake with an error.
            REFUSES
        }
    }

    /// What becomes of one call.
    ///
    /// @param after so long
    record Act(Deed deed, Duration after) {}

    /// What a process does with a call.
    enum Deed {
        ANSWER,
        ANSWER_TWICE,
        /// An answer to something that nobody asked, then the right one.
        ANSWER_STRANGER,
        /// The result of another call. No gateway can know that: only to test the tests.
        ANSWER_WRONGLY,
        /// The work is done twice, then answered: only to test the tests.
        RUN_TWICE,
        /// Something that is no message, then the answer.
        NOISE,
        /// The tool failed, and says so in its result.
        TOOL_ERROR,
        /// The server answers with an error of the protocol.
        ERROR,
        /// This call is never answered.
        HANG,
        /// Nothing is answered any more, pings neither.
        FREEZE,
        /// Nothing is read any more: what is sent is not taken.
        BLOCK,
        CRASH_BEFORE,
        CRASH_AFTER
    }
}
