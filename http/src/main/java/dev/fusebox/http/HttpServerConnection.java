package dev.fusebox.http;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// One client's connection. Thread-safe; [#run] blocks while it waits for the client, and while the handler works.
///
/// At any moment one thread is the runner (see [ConnectionInput]), or none while a response is being streamed:
///
/// ```
/// waiting -> reading -> handling -> answered -> waiting ...
///                  |                  |
///                  '--> refused ------'--> draining -> ended       every state: end() -> ended
/// ```
final class HttpServerConnection {
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    /// Up to this size, head and body are joined, which costs less than a second write.
    private static final int JOINED = 32 << 10;

    private final SocketChannel channel;
    private final HttpServer server;
    private final SocketAddress remote;
    private final ConnectionDeadlines deadlines;
    private final ConnectionInput connectionInput;
    private final ConnectionOutput connectionOutput;
    private volatile @Nullable HttpExchange current;
    private volatile boolean draining;
    private volatile boolean ended;
    private boolean outputShut;
    private boolean retired;

    HttpServerConnection(SocketChannel channel, SocketAddress remote, HttpServer server) {
        this.channel = channel;
        this.remote = remote;
        this.server = server;
        this.deadlines = new ConnectionDeadlines(server.ticker(), server.times());
        this.connectionInput = new ConnectionInput(channel);
        this.connectionOutput = new ConnectionOutput(channel, deadlines);
        deadlines.head();
    }

    HttpLimits limits() {
        return server.limits();
    }

    boolean isClosing() {
        return server.isClosing();
    }

    /// Runs a part of the connection's work on a thread of its own. A bug in the server ends only this connection.
    void start(Runnable work) {
        Thread.ofVirtual().name("fusebox-http").start(() -> {
            try {
                work.run();
            } catch (RuntimeException | Error e) {
                server.httpServerLog().bug("internal error on a connection; closed it", e);
                end();
            }
        });
    }

    /// The first run of a connection: its client must send a head and is not idle.
    void runFirst() {
        if (admitPeer()) {
            run();
        }
    }

    /// Once for each connection, before anything is read. Returns false if the connection is over.
    private boolean admitPeer() {
        try {
            server.peerGuard().check(remote, channel.getLocalAddress());
        } catch (RequestRejected requestRejected) {
            return refuse(requestRejected);
        } catch (IOException closed) {
            end();
            return false;
        }
        return readOn();
    }

    /// Serves request after request, until the connection ends or another thread takes over.
    void run() {
        boolean goesOn = true;
        while (goesOn) {
            becomeIdle();
            goesOn = !ended && (draining ? drainInput() : waitForRequest());
        }
    }

    private void becomeIdle() {
        connectionInput.letWatch(false);
        current = null;
        if (server.isClosing() && connectionInput.isEmpty()) {
            end();
        }
    }

    private boolean waitForRequest() {
        deadlines.idle();
        return !connectionInput.leave() && readOn();
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
        closeAfterResponse();
        return true;
    }

    private HttpRequest read() throws RequestRejected {
        RequestHead head = readHead();
        try {
            server.guard().check(head.headers());
            return read(head);
        } catch (RequestRejected requestRejected) {
            throw requestRejected.readableBy(server.guard().allowedOrigin(head.headers()));
        }
    }

    private HttpRequest read(RequestHead head) throws RequestRejected {
        var framing = RequestBodyReader.framing(head, limits().maxBodyBytes());
        expectation(head, framing);
        deadlines.body();
        RequestBody body = new RequestBody(server.room());
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
                throw RequestRejected.malformed("the connection ended before the end of the headers");
            }
            byteSpan = connectionInput.byteSpan();
            head = parser.feed(byteSpan);
        }
        connectionInput.skip(parser.length());
        return head;
    }

    /// RFC 9110, 10.1.1: the body is requested only if it has not arrived by itself.
    private void expectation(RequestHead head, RequestBodyReader.Framing framing) throws RequestRejected {
        String expected = head.headers().value("expect");
        if (expected == null || head.isOfVersion10()) {
            return;
        }
        if (!expected.equalsIgnoreCase("100-continue")) {
            throw RequestRejected.because(417, "unsupported expectation; only 100-continue is supported");
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
            server.handler().handle(request, exchange);
            goesOn = exchange.handled();
        } catch (Throwable e) {
            server.httpServerLog().bug("handler failed for " + request, e);
            goesOn = exchange.failed();
        }
        // An interrupt of the handler must not affect the next request: the JDK closes a channel that an
        // interrupted thread uses.
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

    /// Returns true if no request is running; then none will start.
    private synchronized boolean retire() {
        retired = current == null;
        return retired;
    }

    /// Starts to watch for a disconnect, unless a watcher is running.
    void watch() {
        if (connectionInput.startWatch()) {
            start(this::watchOn);
        } else if (connectionInput.hasEnded() || ended) {
            notifyGone();
        }
    }

    private void watchOn() {
        switch (connectionInput.watch()) {
            case TOOK_OVER -> run();
            case ENDED -> notifyGone();
            case FULL -> {}
        }
    }

    private void notifyGone() {
        HttpExchange exchange = current;
        if (exchange != null) {
            exchange.clientGone();
        }
    }

    /// Exceptions of the action are logged and not propagated.
    void guarded(String what, Runnable action) {
        try {
            action.run();
        } catch (Throwable e) {
            server.httpServerLog().bug(what, e);
        }
    }

    /// Sends both parts; returns false if the connection is gone, and then it has ended.
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

    /// Makes the connection close after the present response.
    void closeAfterResponse() {
        draining = true;
    }

    /// Ends the output and discards further input. Closing at once would make the operating system answer unread
    /// bytes with a reset, which can destroy the last response before the client has read it (RFC 9112, 9.6).
    private boolean drainInput() {
        if (!outputShut) {
            outputShut = true;
            deadlines.closing();
            shutOutput();
        }
        connectionInput.skipAll();
        if (connectionInput.leave()) {
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
            guarded("failed to close a late connection", this::cut);
        }
    }

    void endIfIdle() {
        if (retire()) {
            end();
        }
    }

    /// Closes without waiting for the client to read what was sent, so that the operating system keeps nothing for
    /// it.
    void cut() {
        try {
            if (channel.supportedOptions().contains(StandardSocketOptions.SO_LINGER)) {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
        } catch (IOException e) {
            server.httpServerLog().trouble("failed to set SO_LINGER on a connection", e);
        }
        end();
    }

    /// Closes the connection and notifies the exchange and the server; does nothing the second time.
    void end() {
        if (!server.forget(this)) {
            return;
        }
        ended = true;
        try {
            channel.close();
        } catch (IOException e) {
            server.httpServerLog().trouble("failed to close a connection", e);
        }
        notifyGone();
    }
}
