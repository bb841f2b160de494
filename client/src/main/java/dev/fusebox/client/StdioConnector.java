package dev.fusebox.client;

import dev.fusebox.client.framing.OversizedMessage;
import dev.fusebox.client.process.ChildExit;
import dev.fusebox.client.process.ChildListener;
import dev.fusebox.client.process.ChildProcess;
import dev.fusebox.client.process.ChildProcesses;
import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.client.process.StartResult;
import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.platform.Platform;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// Connector that starts the server as a child process for each connection. Thread-safe; [#open] blocks until the
/// process runs or has failed to start.
public final class StdioConnector implements Connector {
    /// How much of a stdout line that is not a message is reported.
    private static final int MAX_NOISE_CHARACTERS = 200;

    /// After a stop by the gateway, exit code and stderr give no information about the server.
    private static final String STOPPED = "was stopped by the gateway before it responded";

    private final Platform platform;
    private final String server;
    private final ChildProcesses children;
    private final ChildSpec spec;
    private final ProcessOutputListener processOutputListener;

    public StdioConnector(Platform platform, String server, ChildProcesses children, ChildSpec spec) {
        this(platform, new Launch(server, children, spec), ProcessOutputListener.NONE);
    }

    /// What to start, and where.
    private record Launch(String server, ChildProcesses children, ChildSpec spec) {}

    private StdioConnector(Platform platform, Launch launch, ProcessOutputListener processOutputListener) {
        this.platform = platform;
        this.server = launch.server();
        this.children = launch.children();
        this.spec = launch.spec();
        this.processOutputListener = processOutputListener;
    }

    /// The same connector with a listener for the output of its processes outside of the protocol.
    public StdioConnector withOutputListener(ProcessOutputListener other) {
        return new StdioConnector(platform, new Launch(server, children, spec), other);
    }

    @Override
    public Opened open(ServerMessageHandler serverMessageHandler) {
        WireConnection connection = new WireConnection(
                platform, server, serverMessageHandler, spec.limits().maxDepth());
        try {
            StartResult startResult = children.startResult(spec, new ChildEvents(connection));
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

    private CallFailure failure(StartResult.NotStarted refusal) {
        boolean ours = refusal.kind() == StartResult.Kind.OUR_SHORTAGE || refusal.kind() == StartResult.Kind.CLOSING;
        FailureCategory category = ours ? FailureCategory.LOCAL : FailureCategory.OFFLINE;
        String message = server + " could not be started: " + spec.secrets().hide(refusal.message());
        ErrorId id = switch (refusal.kind()) {
            case COMMAND_NOT_FOUND -> ErrorId.COMMAND_NOT_FOUND;
            case NOT_EXECUTABLE -> ErrorId.COMMAND_NOT_EXECUTABLE;
            case BAD_INTERPRETER -> ErrorId.INTERPRETER_MISSING;
            case BAD_DIRECTORY -> ErrorId.FOLDER_MISSING;
            case OUR_SHORTAGE, CLOSING, OTHER -> ErrorId.CONNECT_FAILED;
        };
        return CallFailure.notSent(id, category, message);
    }

    private CallFailure failure(ChildExit exit) {
        Evidence evidence = Evidence.ofExit(exit.code(), exit.signal(), exit.stderrTail());
        boolean ours = exit.stopped() || exit.cause() == ChildExit.Cause.READER_FAILED;
        FailureCategory category = ours ? FailureCategory.LOCAL : FailureCategory.STDIO_EXIT;
        ErrorId id = exit.stopped() ? ErrorId.CANCELLED : errorId(exit);
        String words = exit.stopped() ? STOPPED : words(exit) + reason(exit);
        return new CallFailure(id, category, Delivery.UNKNOWN, server + " " + words, evidence);
    }

    private static ErrorId errorId(ChildExit exit) {
        return switch (exit.cause()) {
            case OUTPUT_CLOSED -> ErrorId.OUTPUT_CLOSED;
            case INPUT_CLOSED -> ErrorId.INPUT_CLOSED;
            case ENDLESS_LINE -> ErrorId.ENDLESS_LINE;
            case STUCK -> ErrorId.SERVER_STUCK;
            case ENDED, READER_FAILED -> exit.signal() == null ? ErrorId.SERVER_EXITED : ErrorId.SERVER_KILLED;
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

    /// [Wire] over the pipes of a child process.
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

    /// Adapter from the events of a child process to those of a wire.
    private final class ChildEvents implements ChildListener {
        private final WireListener listener;
        private final Redactor.Lines redactor = spec.secrets().lines();

        ChildEvents(WireListener listener) {
            this.listener = listener;
        }

        @Override
        public void frame(byte[] buffer, int from, int to) {
            if (isNoise(buffer, from, to)) {
                processOutputListener.noise(redactor.hide(
                        new String(buffer, from, Math.min(to - from, MAX_NOISE_CHARACTERS), StandardCharsets.UTF_8)));
            }
            listener.frame(buffer, from, to);
        }

        /// A line without an end is not reported as a response: its call ends together with the child, so that the
        /// next call finds the child gone.
        @Override
        public void tooLong(OversizedMessage line) {
            if (line.isComplete()) {
                listener.tooLong(line.seen(), line.bytes(), spec.limits().frameBytes());
            }
        }

        /// Whether the line does not even begin like a message. Checks the first character only, so that nothing
        /// is parsed twice.
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
