package dev.fusebox.gateway.front;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// One of many callers of a client: repeats calls with the same few ids, which the callers of other clients use,
/// too, and checks all messages. Some calls request progress, some are cancelled. For one thread.
final class MixCaller implements AutoCloseable {
    /// Progress that a server may send twice or late, as long as it reaches the caller that requested it.
    static final int NO_STEP = 99;

    static final String TOOL = "any";

    private static final int IDS = 4;

    private final String name;
    private final boolean isStateless;
    private final int firstId;
    private final SplittableRandom random;
    private final WebClient client;
    private WebClient calling;
    /// Opened on demand: a front end does not wait long for the first request.
    private @Nullable WebClient cancelling;
    private int answered;
    private int cancelled;

    /// The kinds of calls.
    private enum Way {
        PLAIN,
        STEPS,
        /// Cancelled after the first progress; the server may have answered by then, or never does.
        CANCELLED,
        /// Cancelled at once, while the server answers.
        RACING
    }

    /// One call.
    private record Asked(String id, String text, int steps, Way way) {}

    /// @param number of the caller within its client, which determines its ids
    /// @param client an open connection, which stays open
    MixCaller(String name, int number, WebClient client, long seed) throws IOException {
        this.name = name;
        this.isStateless = client.isStateless();
        this.firstId = 1 + number * IDS;
        this.random = new SplittableRandom(seed + name.hashCode());
        this.client = client;
        this.calling = client.again();
    }

    int answered() {
        return answered;
    }

    int cancelled() {
        return cancelled;
    }

    /// The first error; null if there was none.
    @Nullable
    String callAll(int calls) {
        for (int i = 0; i < calls; i++) {
            Asked asked = next(i);
            try {
                call(asked);
            } catch (IOException | AssertionError | RuntimeException e) {
                return name + ", " + asked + ": " + e;
            }
        }
        return null;
    }

    private Asked next(int number) {
        int choice = random.nextInt(100);
        Way way = choice < 50 ? Way.PLAIN : choice < 88 ? Way.STEPS : choice < 96 ? Way.CANCELLED : Way.RACING;
        int steps = way == Way.PLAIN ? 0 : 1 + random.nextInt(3);
        return new Asked("" + (firstId + number % IDS), name + " call " + number, steps, way);
    }

    private void call(Asked asked) throws IOException {
        calling.send(frame(asked));
        switch (asked.way) {
            case PLAIN, STEPS -> {
                check(asked, calling.answer().body(), true);
                answered++;
            }
            case CANCELLED -> {
                WebClient.Answer head = calling.head();
                String begin = calling.until(head, "\"message\":\"" + asked.text + "\"");
                cancel(asked, begin, head);
            }
            case RACING -> cancel(asked, "", null);
        }
    }

    /// @param begin the part of the response that was read
    /// @param head of the response; null if it has not been read yet
    private void cancel(Asked asked, String begin, WebClient.@Nullable Answer head) throws IOException {
        if (isStateless) {
            // In this era a client cancels by disconnecting.
            calling.reset();
            calling = client.again();
            check(asked, begin, false);
        } else {
            side().post(Frame.cancel(asked.id));
            check(asked, begin + "\n" + (head == null ? calling.answer().body() : calling.rest(head)), false);
        }
        cancelled++;
    }

    private WebClient side() throws IOException {
        WebClient open = cancelling == null ? client.again() : cancelling;
        cancelling = open;
        return open;
    }

    /// Each frame has to belong to this call, and the response, if there is one, is the last.
    private static void check(Asked asked, String body, boolean needsAll) {
        List<JsonView> frames =
                body.lines().filter(line -> !line.isBlank()).map(Frame::read).toList();
        int steps = 0;
        int answers = 0;
        for (JsonView frame : frames) {
            boolean isStep = frame.member("method") != null;
            boolean isOwn = isStep ? isOwnStep(asked, frame) : answers == 0 && isOwnAnswer(asked, frame);
            if (!isOwn) {
                throw new AssertionError("heard " + frame + " among " + frames);
            }
            steps += isStep && number(frame) != NO_STEP ? 1 : 0;
            answers += isStep ? 0 : 1;
        }
        if (needsAll && (steps != asked.steps || answers != 1)) {
            throw new AssertionError("heard " + steps + " steps and " + answers + " answers: " + frames);
        }
    }

    private static boolean isOwnStep(Asked asked, JsonView frame) {
        JsonView params = Objects.requireNonNull(frame.member("params"));
        JsonView token = params.member("progressToken");
        return token != null && token.json().equals(asked.id) && asked.text.equals(params.string("message"));
    }

    private static boolean isOwnAnswer(Asked asked, JsonView frame) {
        return asked.id.equals(Frame.answered(frame)) && asked.text.equals(Frame.text(frame));
    }

    private static int number(JsonView step) {
        return Integer.parseInt(
                Objects.requireNonNull(step.path("params", "progress")).json());
    }

    private byte[] frame(Asked asked) {
        String meta = asked.steps == 0 ? "" : "\"progressToken\":" + asked.id;
        String held = asked.way == Way.CANCELLED ? ",\"held\":true" : "";
        String arguments = "{\"text\":\"" + asked.text + "\",\"steps\":" + asked.steps + held + "}";
        String frame = isStateless
                ? Frame.statelessCall(asked.id, meta, TOOL, arguments)
                : Frame.call(asked.id, meta, TOOL, arguments);
        return frame.getBytes(UTF_8);
    }

    @Override
    public void close() throws IOException {
        calling.close();
        if (cancelling != null) {
            cancelling.close();
        }
    }
}
