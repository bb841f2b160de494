package dev.fusebox.client.http;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;

/// A [Cable] in the shape of a socket, because that is what TLS is laid over.
final class Tube extends Socket {
    private final Cable cable;

    Tube(Cable cable) {
        this.cable = cable;
    }

    private Socket inner() {
        return cable.channel().socket();
    }

    @Override
    public InputStream getInputStream() {
        return cable.in();
    }

    @Override
    public OutputStream getOutputStream() {
        return cable.out();
    }

    @Override
    public boolean isConnected() {
        return cable.channel().isConnected();
    }

    @Override
    public boolean isClosed() {
        return !cable.channel().isOpen();
    }

    @Override
    public boolean isInputShutdown() {
        return isClosed();
    }

    @Override
    public boolean isOutputShutdown() {
        return isClosed();
    }

    @Override
    public InetAddress getInetAddress() {
        return inner().getInetAddress();
    }

    @Override
    public int getPort() {
        return inner().getPort();
    }

    @Override
    public int getLocalPort() {
        return inner().getLocalPort();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return inner().getRemoteSocketAddress();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return inner().getLocalSocketAddress();
    }

    @Override
    public void shutdownInput() {
        cable.close();
    }

    @Override
    public void shutdownOutput() {
        cable.close();
    }

    @Override
    public void close() {
        cable.close();
    }
}
