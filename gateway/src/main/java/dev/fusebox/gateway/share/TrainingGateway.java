package dev.fusebox.gateway.share;

import dev.fusebox.protocol.JsonRpcFrames;
import dev.fusebox.protocol.MessagePreview;
import dev.fusebox.protocol.RequestId;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Scanner;

/// What a connector sees of a gateway, without its classes: for the training run of the AOT cache of connectors.
/// It answers every request with an empty result. One thread calls [#serve], which blocks until its connector
/// leaves.
public final class TrainingGateway implements AutoCloseable {
    private final ServerSocketChannel listening;

    private TrainingGateway(ServerSocketChannel listening) {
        this.listening = listening;
    }

    /// Listens at the address.
    public static TrainingGateway open(ShareAddress address) throws IOException {
        address.requireSafe();
        ServerSocketChannel listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listening.bind(UnixDomainSocketAddress.of(address.socket()));
        return new TrainingGateway(listening);
    }

    /// Serves one connector.
    public void serve(String version) throws IOException {
        try (SocketChannel channel = listening.accept();
                Scanner lines = new Scanner(Channels.newInputStream(channel), StandardCharsets.UTF_8)) {
            lines.nextLine();
            write(channel, new Welcome.Accepted(Release.current(version), null, List.of("HOME")).bytes());
            lines.nextLine();
            write(channel, "{}".getBytes(StandardCharsets.UTF_8));
            while (lines.hasNextLine()) {
                byte[] line = lines.nextLine().getBytes(StandardCharsets.UTF_8);
                RequestId id = MessagePreview.of(line, 1, line.length).id();
                if (id != null) {
                    byte[] answer = JsonRpcFrames.result(id, "{}");
                    channel.write(ByteBuffer.wrap(LineMark.line(LineMark.MESSAGE, answer)));
                }
            }
        }
    }

    private static void write(SocketChannel channel, byte[] line) throws IOException {
        channel.write(ByteBuffer.wrap(line));
        channel.write(ByteBuffer.wrap(new byte[] {'\n'}));
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
