package dev.fusebox.http;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// One client's connection. Thread-safe; [#run] blocks while it is the client's turn, and while the handler works.
///
/// At each moment one thread is the runner (see [ConnectionInput]), or none while an answer is being streamed:
///
/// ```
/// waiting -> reading -> handling -> answered -> waiting ...
///                  |                  |
///                  '--> refused ------'--> parting -> ended        every state: end() -> ended
/// ```
final class HttpServerConnection {
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    /// Up to here head and body are joined, which costs less than a second write.
    private static final int JOINED = 32 << 10;

    private final SocketChannel channel;
    private final HttpServer front;
    private final SocketAddress remote;
    private final ConnectionDeadlines deadlines;
    private final ConnectionInput connectionInput;
    private final ConnectionOutput connectionOutput;
    private volatile @Nullable HttpExchange current;
    private volatile boolean parting;
    private volatile boolean ended;
    private boolean outputShut;
    private boolean retired;

    HttpServerConnection(SocketChannel channel, SocketAddress remote, HttpServer front) {
        this.channel = channel;
        this.remote = remote;
        this.front = front;
        this.deadlines = new ConnectionDeadlines(front.ticker(), front.times());
        this.connectionInput = new ConnectionInput(channel);
        this.connectionOutput = new ConnectionOutput(channel, deadlines);
        deadlines.head();
    }

    HttpLimits limits() {
        return front.limits();
    }

    boolean isClosing() {
        return front.isClosing();
    }

    /// Runs a part of the connection's work on a thread of its own. If the front has a bug there, only this
    /// connection ends.
    void start(Runnable work) {
        Thread.ofVirtual().name("fusebox-http").start(() -> {
            try {
                work.run();
            } catch (RuntimeException | Error e) {
                front.httpServerLog().bug("a connection failed", e);
                end();
            }
        });
    }

    /// The first run of a connection: its client owes a head and is not idle.
    void runFirst() {
        if (admitPeer()) {
            run();
        }
    }

    /// Once for each connection, before anything is read. False if the connection is over.
    private boolean admitPeer() {
        try {
            front.peerGuard().check(remote, channel.getLocalAddress());
        } catch (RequestRejected requestRejected) {
            return refuse(requestRejected);
        } catch (IOException closed) {
            end();
            return false;
        }
        return readOn();
    }

    /// Serves request after request, until the connection ends or another thread is to go on.
    void run() {
        boolean goesOn = true;
        while (goesOn) {
            becomeIdle();
            goesOn = !ended && (parting ? waitForParting() : waitForRequest());
        }
    }

    private void becomeIdle() {
        connectionInput.letWatch(false);
        current = null;
        if (front.isClosing() && connectionInput.isEmpty()) {
            end();
        }
    }

    private boolean waitForRequest() {
        deadlines.idle();
        return !connectionInput.desert() && readOn();
    }

    private boolean readOn() {
        if (!connectionInput.more(0)) {
            end();
            return false;
        }
        deadlines.head();
        try (HttpRequest request = read()) {
            return serve(request);
        } catch (RequestRejected requestRejected) {
            return refuse(requestRejected);
        }
    }

    private boolean refuse(RequestRejected requestRejected) {
        deadlines.readInTime();
        send(ResponseHeadWriter.refusal(requestRejected), ResponseHeadWriter.NO_BODY);
        part();
        return true;
    }

    private HttpRequest read() throws RequestRejected {
        RequestHead head = readHead();
        try {
            front.guard().check(head.headers());
            return read(head);
        } catch (RequestRejected requestRejected) {
            throw requestRejected.readableBy(front.guard().allowedOrigin(head.headers()));
        }
    }

    private HttpRequest read(RequestHead head) throws RequestRejected {
        var framing = RequestBodyReader.framing(head, limits().maxBodyBytes());
        expectation(head, framing);
        deadlines.body();
        RequestBody body = new RequestBody(front.room());
        try {
            RequestBodyReader.read(connectionInput, head, limits().maxBodyBytes(), body);
            return new HttpRequest(head, body, remote);
        } catch (RequestRejected | RuntimeException | Error broken) {
            body.close();
            throw broken;
        }
    }

    private RequestHead readHead() throws RequestRejected {
        var parser = new HeadParser(limits());
        ByteSpan byteSpan = connectionInput.byteSpan();
        RequestHead head = parser.feed(byteSpan);
        while (head == null) {
            if (!connectionInput.more(byteSpan.length())) {
                throw RequestRejected.malformed("the request ended before its headers did");
            }
            byteSpan = connectionInput.byteSpan();
            head = parser.feed(byteSpan);
        }
        connectionInput.skip(parser.length());
        return head;
    }

    /// RFC 9110, 10.1.1: asked for the body only if it has not come by itself.
    private void expectation(RequestHead head, RequestBodyReader.Framing framing) throws RequestRejected {
        String expected = head.headers().value("expect");
        if (expected == null || head.isOfVersion10()) {
            return;
        }
        if (!expected.equalsIgnoreCase("100-continue")) {
            throw RequestRejected.because(417, "the only expectation understood is 100-continue");
        }
        if (framing != RequestBodyReader.Framing.NONE && connectionInput.isEmpty()) {
            send(CONTINUE, ResponseHeadWriter.NO_BODY);
        }
    }

    private boolean serve(HttpRequest request) {
        deadlines.readInTime();
        var exchange = new HttpExchange(this, request);
        if (!begin(exchange)) {
            return false;
        }
        boolean goesOn;
        try {
            front.handler().handle(request, exchange);
            goesOn = exchange.handled();
        } catch (Throwable e) {
            front.httpServerLog().bug("the handler failed at " + request, e);
            goesOn = exchange.failed();
        }
        // A handler's interrupt must not reach the next request: the JDK closes a channel under an interrupted
        // thread.
        Thread.interrupted();
        return goesOn;
    }

    private synchronized boolean begin(HttpExchange exchange) {
        if (retired) {
            return false;
        }
        current = exchange;
        connectionInput.letWatch(true);
        return true;
    }

    /// True if nothing runs, and then nothing will.
    private synchronized boolean retire() {
        retired = current == null;
        return retired;
    }

    /// Starts to watch for the client's leaving, if nobody does.
    void watch() {
        if (connectionInput.startWatch()) {
            start(this::watchOn);
        } else if (connectionInput.hasEnded() || ended) {
            tellGone();
        }
    }

    private void watchOn() {
        switch (connectionInput.watch()) {
            case TOOK_OVER -> run();
            case ENDED -> tellGone();
            case FULL -> {}
        }
    }

    private void tellGone() {
        HttpExchange exchange = current;
        if (exchange != null) {
            exchange.clientGone();
        }
    }

    /// What the action throws is reported and goes no further.
    void guarded(String what, Runnable action) {
        try {
            action.run();
        } catch (Throwable e) {
            front.httpServerLog().bug(what, e);
        }
    }

    /// Sends both parts; false if the connection is gone, and then it has ended.
    boolean send(byte[] head, byte[] body) {
        boolean sent;
        if (head.length + body.length <= JOINED) {
            var joined = new byte[head.length + body.length];
            System.arraycopy(head, 0, joined, 0, head.length);
            System.arraycopy(body, 0, joined, head.length, body.length);
            sent = connectionOutput.write(joined, joined.length);
        } else {
            sent = connectionOutput.write(head, head.length) && connectionOutput.write(body, body.length);
        }
        if (!sent) {
            end();
        }
        return sent;
    }

    /// The connection is to be closed after what is being answered now.
    void part() {
        parting = true;
    }

    /// Says goodbye and drops what still comes. Closing at once would make the system answer unread bytes with a
    /// reset, which can destroy the last answer before the client has read it (RFC 9112, 9.6).
    private boolean waitForParting() {
        if (!outputShut) {
            outputShut = true;
            deadlines.parting();
            shutOutput();
        }
        connectionInput.skipAll();
        if (connectionInput.desert()) {
            return false;
        }
        if (!connectionInput.more(0)) {
            end();
        }
        return true;
    }

    private void shutOutput() {
        try {
            channel.shutdownOutput();
        } catch (IOException e) {
            end();
        }
    }

    /// Never throws: it is called for all connections in turn.
    void cutIfLate(long nextLook) {
        if (deadlines.isOver(nextLook)) {
            guarded("cutting a connection failed", this::cut);
        }
    }

    void endIfIdle() {
        if (retire()) {
            end();
        }
    }

    /// Ends without waiting until the client has taken what was sent, so that the system keeps nothing for it.
    void cut() {
        try {
            if (channel.supportedOptions().contains(StandardSocketOptions.SO_LINGER)) {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
        } catch (IOException e) {
            front.httpServerLog().trouble("a connection was closed before it could be cut", e);
        }
        end();
    }

    /// Closes the connection and tells whom it concerns; does nothing the second time.
    void end() {
        if (!front.forget(this)) {
            return;
        }
        ended = true;
        try {
            channel.close();
        } catch (IOException e) {
            front.httpServerLog().trouble("closing a connection failed", e);
        }
        tellGone();
    }
}
