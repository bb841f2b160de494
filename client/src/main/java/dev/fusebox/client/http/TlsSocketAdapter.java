package dev.fusebox.client.http;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;

/// Adapter of a [TcpSocket] to a [Socket], which TLS is layered over. As thread-safe as the socket.
final class TlsSocketAdapter extends Socket {
    private final TcpSocket tcpSocket;

    TlsSocketAdapter(TcpSocket tcpSocket) {
        this.tcpSocket = tcpSocket;
    }

    private Socket inner() {
        return tcpSocket.channel().socket();
    }

    @Override
    public InputStream getInputStream() {
        return tcpSocket.in();
    }

    @Override
    public OutputStream getOutputStream() {
        return tcpSocket.out();
    }

    @Override
    public boolean isConnected() {
        return tcpSocket.channel().isConnected();
    }

    @Override
    public boolean isClosed() {
        return !tcpSocket.channel().isOpen();
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
        tcpSocket.close();
    }

    @Override
    public void shutdownOutput() {
        tcpSocket.close();
    }

    @Override
    public void close() {
        tcpSocket.close();
    }
}
