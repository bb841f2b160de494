import dev.fusebox.http.EventStream;
import dev.fusebox.http.HttpHeaders;
import dev.fusebox.http.HttpReply;
import dev.fusebox.http.HttpRequest;
import dev.fusebox.http.HttpServer;
import dev.fusebox.http.HttpSettings;
import dev.fusebox.platform.Platform;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.timeout.ReadTimeoutHandler;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/// The same paths on the HTTP server of Fusebox and on Netty's codec (docs/adr/0068).
/// Arguments: `ours`, `netty` or `loop`, and a port.
/// With `loop` Netty answers on its event loop, where a handler must not block.
public final class ServerSpike {
    private static final byte[] EVENT = ("data: " + "x".repeat(1_000) + "\n\n").getBytes();
    private static final Platform PLATFORM = Platform.system();
    private static volatile long goneAt;

    private ServerSpike() {}

    public static void main(String[] args) throws Exception {
        long begun = System.nanoTime();
        int port = Integer.parseInt(args[1]);
        if (args[0].equals("ours")) {
            HttpServer.open(HttpSettings.loopback(port), ServerSpike::own, PLATFORM);
        } else {
            netty(port, args[0].equals("loop"));
        }
        System.out.printf("listens after %.0f ms%n", (System.nanoTime() - begun) / 1e6);
        if (args.length > 2) {
            System.exit(0);
        }
        new CountDownLatch(1).await();
    }

    /// Waits as a call does, until the client is gone or 5 s are over.
    private static void await() {
        try {
            for (int i = 0; i < 5_000 && goneAt == 0; i++) {
                PLATFORM.pause(Duration.ofMillis(1));
            }
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
    }

    /// Heap in use after a collection, and resident memory, in KB; when the last client was found to be gone;
    /// and the processor time of this process in ms.
    private static byte[] report() throws Exception {
        System.gc();
        PLATFORM.pause(Duration.ofMillis(300));
        Runtime runtime = Runtime.getRuntime();
        String rss = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS")).findFirst().orElse("").replaceAll("\\D", "");
        long gone = goneAt;
        goneAt = 0;
        long processor = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toMillis();
        long heap = (runtime.totalMemory() - runtime.freeMemory()) / 1024;
        return (heap + " " + rss + " " + gone + " " + processor).getBytes();
    }

    private static void own(HttpRequest request, HttpReply reply) {
        try {
            byte[] body = request.body();
            switch (request.path()) {
                case "/watched" -> reply.onClientGone(() -> goneAt = System.nanoTime());
                case "/wait" -> {
                    reply.onClientGone(() -> goneAt = System.nanoTime());
                    await();
                }
                case "/report" -> body = report();
                case "/events" -> {
                    EventStream stream = reply.stream(200, HttpHeaders.of("Content-Type", "text/event-stream"));
                    byte[] data = "x".repeat(1_000).getBytes();
                    int sent = 0;
                    while (sent < 200_000 && stream.event(null, data)) {
                        sent++;
                    }
                    System.out.println("events taken from the sender: " + sent);
                    return;
                }
                default -> {}
            }
            reply.respond(200, HttpHeaders.of("Content-Type", "application/json"), body);
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static void netty(int port, boolean isOnLoop) throws Exception {
        var group = new MultiThreadIoEventLoopGroup(NioIoHandler.newFactory());
        new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, 1024)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(1 << 20, 4 << 20))
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new ReadTimeoutHandler(10), new HttpServerCodec(8192, 65536, 8192),
                                new HttpObjectAggregator(4 << 20), new Handler(isOnLoop));
                    }
                })
                .bind(new InetSocketAddress("127.0.0.1", port))
                .sync();
    }

    private static final class Handler extends SimpleChannelInboundHandler<FullHttpRequest> {
        private final boolean isOnLoop;

        Handler(boolean isOnLoop) {
            this.isOnLoop = isOnLoop;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            if (!request.decoderResult().isSuccess()) {
                context.writeAndFlush(response(HttpResponseStatus.BAD_REQUEST, new byte[0]));
                context.close();
                return;
            }
            byte[] body = new byte[request.content().readableBytes()];
            request.content().readBytes(body);
            String path = request.uri();
            if (isOnLoop && path.startsWith("/echo")) {
                context.writeAndFlush(response(HttpResponseStatus.OK, body));
            } else {
                Thread.ofVirtual().start(() -> handle(context, path, body));
            }
        }

        private static void handle(ChannelHandlerContext context, String path, byte[] given) {
            try {
                byte[] body = given;
                switch (path) {
                    case "/wait" -> await();
                    case "/report" -> body = report();
                    case "/events" -> {
                        var head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
                        HttpUtil.setTransferEncodingChunked(head, true);
                        context.writeAndFlush(head);
                        int sent = 0;
                        while (sent < 200_000 && context.channel().isWritable()) {
                            context.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(EVENT)));
                            sent++;
                        }
                        System.out.println("events taken from the sender: " + sent);
                        return;
                    }
                    default -> {}
                }
                context.writeAndFlush(response(HttpResponseStatus.OK, body));
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        }

        private static DefaultFullHttpResponse response(HttpResponseStatus status, byte[] body) {
            ByteBuf content = Unpooled.wrappedBuffer(body);
            var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, content);
            response.headers().set("Content-Type", "application/json");
            response.headers().set("Content-Length", body.length);
            return response;
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            goneAt = System.nanoTime();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
