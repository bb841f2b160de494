package dev.fusebox.testkit.server;

import java.util.Locale;

/// What a scripted server can do wrong. On a command line a kind is written in small letters with hyphens.
public enum FaultKind {
    /// Writes ten lines on standard error and exits with the code given, before it has read anything.
    EXIT_AT_START(Stage.START, "1"),
    /// Exits with the code given on any request before `initialize`; such a server knows the era of sessions only.
    EXIT_ON_EARLY_REQUEST(Stage.START, "1"),
    /// Never answers `initialize`.
    HANG_ON_INITIALIZE(Stage.START, ""),
    /// Never answers `server/discover`, not even with an error.
    HANG_ON_DISCOVER(Stage.START, ""),
    /// Answers `initialize` with this version, whatever it was asked for.
    PROTOCOL_VERSION(Stage.START, "1999-12-31"),
    /// Lives on when its standard input ends.
    IGNORE_EOF(Stage.START, ""),
    /// Lives on, and works on, after SIGTERM.
    IGNORE_SIGTERM(Stage.START, ""),

    /// Never answers `tools/list`.
    HANG_ON_TOOLS_LIST(Stage.LIST, ""),
    /// Every page of tools points to a next one; this many different cursors go round.
    CURSOR_LOOP(Stage.LIST, "1"),
    /// Lists so many tools more, `tool-1` and so on.
    MANY_TOOLS(Stage.LIST, "5000"),
    /// Lists the tool `echo` a second time, with another description.
    DUPLICATE_TOOL(Stage.LIST, ""),
    /// Refuses calls of the stateless era over HTTP for their headers until the tools were listed again; a header of
    /// `test_x_mcp_header` has another name from then on.
    HEADER_MISMATCH_ONCE(Stage.LIST, ""),
    /// Lists tools that are no tools: without a name, with a bad name, with a schema that is none.
    INVALID_TOOLS(Stage.LIST, ""),

    /// Waits so many milliseconds before it answers.
    SLOW(Stage.ACT, "1000"),
    /// Writes lines on standard output that are no messages.
    NOISE(Stage.ACT, ""),
    /// Writes so many bytes on standard error, in lines.
    STDERR_FLOOD(Stage.ACT, "1048576"),
    /// Writes so many bytes on standard error, in one line that does not end.
    STDERR_ENDLESS_LINE(Stage.ACT, "1048576"),
    /// Closes standard error and lives on.
    CLOSE_STDERR(Stage.ACT, ""),
    /// Reads no more from standard input, apart from 64 KiB that it may be waiting for already.
    STOP_READING(Stage.ACT, ""),
    /// Starts a process that stays for so many seconds and holds the pipes; the journal has its id.
    FORK(Stage.ACT, "300"),
    /// The same in a session of its own, as nobody's child.
    FORK_DETACHED(Stage.ACT, "300"),
    /// Ends all subscriptions of the stateless era, each with its result.
    END_SUBSCRIPTIONS(Stage.ACT, ""),
    /// Says so many times that the list of tools has changed.
    LIST_CHANGED_STORM(Stage.ACT, "1000"),
    /// Sends the client a request of this method and waits for its answer. The stateless era has no such requests; in
    /// it this does not wait.
    CLIENT_REQUEST(Stage.ACT, "unknown/method"),

    /// Never answers.
    HANG(Stage.WITHHOLD, ""),
    /// Never answers, but sends progress every so many milliseconds until it is cancelled.
    PROGRESS_FOREVER(Stage.WITHHOLD, "100"),
    /// Answers only after it was told that nobody waits any more.
    LATE_AFTER_CANCEL(Stage.WITHHOLD, ""),
    /// Dies before it answers: an exit code, or the name of a signal it sends to itself.
    CRASH_BEFORE(Stage.WITHHOLD, "1"),
    /// Closes standard output and lives on.
    CLOSE_STDOUT(Stage.WITHHOLD, ""),
    /// Writes half of the answer, then nothing any more.
    PARTIAL(Stage.WITHHOLD, ""),
    /// Writes a line of so many bytes that does not end, then nothing any more.
    ENDLESS_LINE(Stage.WITHHOLD, "1048576"),

    /// Answers to an id that nobody asked with.
    UNKNOWN_ID(Stage.REWRITE, "987654321"),
    /// Answers with the id as a string.
    ID_AS_STRING(Stage.REWRITE, ""),
    /// Answers with the id as a number with a fraction of zero.
    ID_AS_DECIMAL(Stage.REWRITE, ""),
    /// Answers with null for an id.
    ID_NULL(Stage.REWRITE, ""),
    /// Answers without an id.
    ID_MISSING(Stage.REWRITE, ""),
    /// Answers with a `resultType` that nobody knows.
    UNKNOWN_RESULT_TYPE(Stage.REWRITE, "surprise"),
    /// Answers without a `resultType`, as the era of sessions does anyway.
    MISSING_RESULT_TYPE(Stage.REWRITE, ""),
    /// Answers with a text of so many bytes.
    GIANT(Stage.REWRITE, "16777216"),
    /// Answers with arrays so many levels deep.
    DEEP(Stage.REWRITE, "100000"),
    /// Answers with a number of so many digits.
    LONG_NUMBER(Stage.REWRITE, "1000000"),
    /// Answers with bytes that are no UTF-8.
    INVALID_UTF8(Stage.REWRITE, ""),
    /// Answers with an escaped lone surrogate, an escaped NUL, and a line separator as it is.
    ODD_CHARACTERS(Stage.REWRITE, ""),

    /// Writes the answer twice.
    DUPLICATE(Stage.WRITE, ""),
    /// Writes the answer one byte at a time, so many milliseconds apart.
    DRIP(Stage.WRITE, "1"),
    /// Writes the answer in so many pieces, as fast as it can.
    SPLIT(Stage.WRITE, "1000"),
    /// Writes a notification and the answer in one go.
    GLUE(Stage.WRITE, ""),
    /// Ends the line of the answer with a carriage return, too.
    CRLF(Stage.WRITE, ""),

    /// Dies after it has answered: an exit code, or the name of a signal it sends to itself.
    CRASH_AFTER(Stage.AFTER, "1");

    /// When a fault shows.
    enum Stage {
        START,
        LIST,
        /// Before the answer, which comes all the same.
        ACT,
        /// Instead of the answer.
        WITHHOLD,
        /// Another answer.
        REWRITE,
        /// The same answer in another way.
        WRITE,
        AFTER
    }

    private final Stage stage;
    private final String preset;

    FaultKind(Stage stage, String preset) {
        this.stage = stage;
        this.preset = preset;
    }

    Stage stage() {
        return stage;
    }

    /// The value that holds if none is given; empty if the kind takes none.
    public String preset() {
        return preset;
    }

    /// As it is written on a command line.
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
