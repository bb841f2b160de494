package dev.fusebox.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fusebox.platform.Platform;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.Message;
import java.nio.charset.StandardCharsets;

/// A client and a server in one process with lines between them. Closing ends the conversation.
final class Talk implements AutoCloseable {
    private final Fixture fixture;
    private final LegacyClientState legacyClientState;
    private final ModernCodec modern;
    private final Codec codec;
    private final Outbox outbox;
    private final Lines lines = new Lines();

    Talk(ServerScript script) {
        this(new Fixture(Platform.system(), script, HostProcess.borrowed()));
    }

    private Talk(Fixture fixture) {
        this.fixture = fixture;
        outbox = new PipeOutbox(lines.sink(), fixture.platform());
        legacyClientState = new LegacyClientState(fixture, outbox);
        modern = new ModernCodec(fixture);
        codec = EitherCodec.of(fixture.era(), new LegacyCodec(legacyClientState), modern);
    }

    /// In the era without a handshake.
    static Talk stateless(ScriptedFault... faults) {
        return new Talk(ServerScript.faultless().withEra(Era.MODERN).with(faults));
    }

    Fixture fixture() {
        return fixture;
    }

    /// Past the handshake, in this revision.
    static Talk in(String revision) throws InterruptedException {
        Talk talk = new Talk(ServerScript.faultless());
        talk.say(ServerProcess.initializeWith(revision));
        assertThat(Found.textAt(talk.hear(), "result", "protocolVersion")).isEqualTo(revision);
        return talk;
    }

    void say(String frame) {
        byte[] bytes = frame.getBytes(StandardCharsets.UTF_8);
        codec.receive(Message.read(bytes, 0, bytes.length), outbox);
    }

    JsonView hear() throws InterruptedException {
        return JsonView.of(lines.next());
    }

    /// The answer; there must be nothing else.
    JsonView ask(int id, String method, String params) throws InterruptedException {
        request(id, method, params);
        JsonView answer = hear();
        assertThat(Found.at(answer, "id")).hasToString("" + id);
        return answer;
    }

    /// The result; an error fails the test.
    JsonView result(int id, String method, String params) throws InterruptedException {
        return Found.at(ask(id, method, params), "result");
    }

    void request(int id, String method, String params) {
        say("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + params + "}");
    }

    void call(int id, String tool, String arguments) {
        request(id, "tools/call", "{\"name\":\"" + tool + "\",\"arguments\":" + arguments + "}");
    }

    String textOf(int id) throws InterruptedException {
        return ServerProcess.text(lines.answerTo(id));
    }

    /// What the server asks; answered with this result.
    JsonView askedAndAnswered(String result) throws InterruptedException {
        JsonView question = hear();
        say("{\"jsonrpc\":\"2.0\",\"id\":" + Found.at(question, "id") + ",\"result\":" + result + "}");
        return question;
    }

    @Override
    public void close() {
        modern.close();
        legacyClientState.close();
    }
}
