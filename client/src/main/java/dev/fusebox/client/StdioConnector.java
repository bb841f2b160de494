package dev.fusebox.client;

import dev.fusebox.client.process.ChildExit;
import dev.fusebox.client.process.ChildListener;
import dev.fusebox.client.process.ChildProcess;
import dev.fusebox.client.process.ChildProcesses;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.client.process.OversizedLine;
import dev.fusebox.client.process.StartResult;
import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.platform.Platform;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// Starts a server as a child process for each connection. Thread-safe; [#open] blocks until the process runs or
/// cannot.
public final class StdioConnector implements Connector {
    /// Of a line that is no message so much is shown.
    private static final int MOST_NOISE = 200;

    /// How it ended then says nothing, and neither does what it wrote.
    private static final String STOPPED = "was stopped by the gateway before it answered";

    private final Platform platform;
    private final String server;
    private final ChildProcesses children;
    private final ChildSpec spec;
    private final ProcessOutputListener processOutputListener;

    public StdioConnector(Platform platform, String server, ChildProcesses children, ChildSpec spec) {
        this(platform, new Known(server, children, spec), ProcessOutputListener.NOBODY);
    }

    /// What there is to know of the process.
    private record Known(String server, ChildProcesses children, ChildSpec spec) {}

    private StdioConnector(Platform platform, Known known, ProcessOutputListener processOutputListener) {
        this.platform = platform;
        this.server = known.server();
        this.children = known.children();
        this.spec = known.spec();
        this.processOutputListener = processOutputListener;
    }

    /// The same, with somebody who hears what its processes say beside the protocol.
    public StdioConnector heardBy(ProcessOutputListener other) {
        return new StdioConnector(platform, new Known(server, children, spec), other);
    }

    @Override
    public Opened open(ServerMessageHandler serverMessageHandler) {
        WireConnection connection = new WireConnection(
                platform, server, serverMessageHandler, spec.limits().maxDepth());
        try {
            StartResult startResult = children.startResult(spec, new Ears(connection));
            if (startResult instanceof StartResult.Started started) {
                connection.attach(new ChildWire(started.child()));
                return new Opened.Connected(connection);
            }
            return new Opened.Refused(failure((StartResult.NotStarted) startResult));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return new Opened.Refused(CallFailure.cancelled());
        }
    }

    private CallFailure failure(StartResult.NotStarted not) {
        boolean ours = not.kind() == StartResult.Kind.OUR_SHORTAGE || not.kind() == StartResult.Kind.CLOSING;
        FailureCategory category = ours ? FailureCategory.LOCAL : FailureCategory.OFFLINE;
        String message = server + " could not be started: " + spec.secrets().hide(not.message());
        CallFailure failure = CallFailure.notSent(ErrorCode.CONNECT_FAILED, category, message);
        return switch (not.kind()) {
            case COMMAND_NOT_FOUND -> failure.by(FailureCause.COMMAND_NOT_FOUND);
            case NOT_EXECUTABLE -> failure.by(FailureCause.NOT_EXECUTABLE);
            case BAD_INTERPRETER -> failure.by(FailureCause.BAD_INTERPRETER);
            case BAD_DIRECTORY -> failure.by(FailureCause.BAD_DIRECTORY);
            case OUR_SHORTAGE, CLOSING, OTHER -> failure;
        };
    }

    private CallFailure failure(ChildExit exit) {
        Evidence evidence = Evidence.ofExit(exit.code(), exit.signal(), exit.stderrTail());
        boolean ours = exit.stopped() || exit.cause() == ChildExit.Cause.READER_FAILED;
        FailureCategory category = ours ? FailureCategory.LOCAL : FailureCategory.STDIO_EXIT;
        ErrorCode code = exit.stopped() ? ErrorCode.CANCELLED : ErrorCode.SERVER_CRASHED;
        String words = exit.stopped() ? STOPPED : words(exit) + reason(exit);
        CallFailure failure = new CallFailure(code, category, Delivery.UNKNOWN, server + " " + words, evidence);
        return switch (exit.cause()) {
            case OUTPUT_CLOSED -> failure.by(FailureCause.OUTPUT_CLOSED);
            case INPUT_CLOSED -> failure.by(FailureCause.INPUT_CLOSED);
            case ENDLESS_LINE -> failure.by(FailureCause.ENDLESS_LINE);
            case STUCK -> failure.by(FailureCause.STUCK);
            case ENDED, READER_FAILED -> failure;
        };
    }

    private static String reason(ChildExit exit) {
        return exit.reason() == null ? "" : ": " + exit.reason();
    }

    private static String words(ChildExit exit) {
        return switch (exit.cause()) {
            case ENDED -> exit.signal() != null ? "was killed by " + exit.signal() : "exited with code " + exit.code();
            case OUTPUT_CLOSED -> "closed its stdout and was terminated";
            case INPUT_CLOSED -> "closed its stdin and was terminated";
            case ENDLESS_LINE -> "wrote an endless line to stdout and was terminated";
            case STUCK -> "stopped reading its stdin and was terminated";
            case READER_FAILED -> "was terminated because of an internal error in the gateway";
        };
    }

    /// A child as a wire.
    private record ChildWire(ChildProcess child) implements Wire {
        @Override
        public boolean send(byte[] frame) {
            return child.send(frame);
        }

        @Override
        public Long process() {
            return child.pid();
        }

        @Override
        public boolean awaitGone(Duration limit) throws InterruptedException {
            return child.awaitGone(limit);
        }

        @Override
        public void close() {
            child.stop();
        }
    }

    /// What a child says, handed on.
    private final class Ears implements ChildListener {
        private final WireListener listener;
        private final Redactor.Lines discreet = spec.secrets().lines();

        Ears(WireListener listener) {
            this.listener = listener;
        }

        @Override
        public void frame(byte[] buffer, int from, int to) {
            if (isNoise(buffer, from, to)) {
                processOutputListener.noise(discreet.hide(
                        new String(buffer, from, Math.min(to - from, MOST_NOISE), StandardCharsets.UTF_8)));
            }
            listener.frame(buffer, from, to);
        }

        /// A line without an end is no answer: its call ends with the child, so that the next one finds the child
        /// gone.
        @Override
        public void tooLong(OversizedLine line) {
            if (line.isComplete()) {
                listener.tooLong(line.seen(), line.bytes(), spec.limits().frameBytes());
            }
        }

        /// Whether it does not even begin like a message. Nothing is parsed twice for this.
        private static boolean isNoise(byte[] buffer, int from, int to) {
            int at = from;
            while (at < to && (buffer[at] == ' ' || buffer[at] == '\t' || buffer[at] == '\r')) {
                at++;
            }
            return at < to && buffer[at] != '{' && buffer[at] != '[';
        }

        @Override
        public void log(String line, long dropped) {
            processOutputListener.error(line, dropped);
        }

        @Override
        public void exited(ChildExit exit) {
            listener.lost(failure(exit));
        }
    }
}
