import dev.fusebox.platform.Platform;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Load and raw requests for `ServerSpike`: `ServerLoad load|idle|behave PORT`.
public final class ServerLoad {
    private static final String HEAD = "POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n"
            + "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-11-25\r\n"
            + "Mcp-Session-Id: 0123456789abcdef0123456789abcdef\r\nContent-Length: 200\r\n\r\n" + "x".repeat(200);
    private static int port;

    private ServerLoad() {}

    public static void main(String[] args) throws Exception {
        port = Integer.parseInt(args[1]);
        switch (args[0]) {
            case "load" -> {
                run(args[2], 32, 3);
                run(args[2], 1, 2);
                System.out.println("one " + run(args[2], 1, 3) + " many " + run(args[2], 32, 3) + " after " + report());
            }
            case "idle" -> idle();
            case "behave" -> behave();
            default -> throw new IllegalArgumentException(args[0]);
        }
        System.exit(0);
    }

    private static final class Connection implements AutoCloseable {
        final Socket socket = new Socket("127.0.0.1", port);
        final InputStream in = socket.getInputStream();
        final byte[] buffer = new byte[8192];

        Connection() throws IOException {
            socket.setTcpNoDelay(true);
        }

        /// Writes a request and reads a response with a length; returns what came.
        String exchange(byte[] request) throws IOException {
            socket.getOutputStream().write(request);
            int length = 0;
            while (true) {
                int count = in.read(buffer, length, buffer.length - length);
                if (count < 0) {
                    return length == 0 ? "closed" : new String(buffer, 0, length);
                }
                length += count;
                String text = new String(buffer, 0, length);
                int body = text.indexOf("\r\n\r\n");
                int field = text.toLowerCase().indexOf("content-length: ");
                if (body > 0 && field > 0) {
                    int bytes = Integer.parseInt(text.substring(field + 16, text.indexOf('\r', field)).strip());
                    if (length >= body + 4 + bytes) {
                        return text;
                    }
                }
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static byte[] request(String path) {
        return String.format(HEAD, path, port).getBytes();
    }

    private static String report() throws IOException {
        try (Connection connection = new Connection()) {
            String text = connection.exchange(request("/report"));
            return text.substring(text.indexOf("\r\n\r\n") + 4);
        }
    }

    private static String run(String path, int connections, int seconds) throws Exception {
        long processor = Long.parseLong(report().split(" ")[3]);
        long start = System.nanoTime();
        long end = start + seconds * 1_000_000_000L;
        byte[] request = request(path);
        List<long[]> all = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                long[] times = times(request, end);
                synchronized (all) {
                    all.add(times);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        long[] times = all.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        double took = (System.nanoTime() - start) / 1e9;
        double each = (Long.parseLong(report().split(" ")[3]) - processor) * 1e3 / times.length;
        return String.format("per-s %.0f p50 %.1f p99 %.1f cpu-us %.1f", times.length / took,
                times[times.length / 2] / 1e3, times[(int) (times.length * 0.99)] / 1e3, each);
    }

    private static long[] times(byte[] request, long end) {
        long[] times = new long[1 << 17];
        int count = 0;
        try (Connection connection = new Connection()) {
            for (long begin = System.nanoTime(); begin < end && count < times.length; count++) {
                connection.exchange(request);
                long now = System.nanoTime();
                times[count] = now - begin;
                begin = now;
            }
        } catch (IOException failed) {
            System.out.println(failed);
        }
        return Arrays.copyOf(times, count);
    }

    /// Memory of a thousand connections that have made a request each.
    private static void idle() throws Exception {
        report();
        String before = report();
        List<Connection> idle = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            Connection connection = new Connection();
            connection.exchange(request("/echo"));
            idle.add(connection);
        }
        System.out.println("heap and resident KB, none: " + before + ", 1,000 idle: " + report());
    }

    private static void pause(int millis) throws InterruptedException {
        Platform.system().pause(Duration.ofMillis(millis));
    }

    private static void leave(boolean isReset) throws Exception {
        report();
        Connection leaving = new Connection();
        leaving.socket.getOutputStream().write(request("/wait"));
        pause(200);
        leaving.socket.setSoLinger(isReset, 0);
        long left = System.nanoTime();
        leaving.close();
        pause(500);
        long gone = Long.parseLong(report().split(" ")[2]);
        System.out.println((isReset ? "reset" : "closed") + " while the handler waits: "
                + (gone == 0 ? "not notified" : "notified after " + (gone - left) / 100_000 / 10.0 + " ms"));
    }

    /// Malformed requests, and some that only an application may refuse.
    private static List<String> malformed() {
        String start = "POST /echo HTTP/1.1\r\n";
        String host = "Host: 127.0.0.1:" + port + "\r\n";
        String chunked = start + host + "Transfer-Encoding: chunked\r\n\r\n";
        String length = host + "Content-Length: 2\r\n";
        String plain = start + length;
        return List.of(
                plain + "X-A: b\r\n folded\r\n\r\n{}",
                plain + "X-A: b\0c\r\n\r\n{}",
                plain + "X-A: b\rc\r\n\r\n{}",
                plain + "Host: other\r\n\r\n{}",
                plain + "Content-Length: 3\r\n\r\n{} ",
                plain.replace("Length:", "Length :") + "\r\n{}",
                plain.replace("\r", "") + "\n{}",
                plain.replace(" /", "\t/") + "\r\n{}",
                plain.replace("1.1\r", "9.9\r") + "\r\n{}",
                plain.replace("POST", "post") + "\r\n{}",
                "\r\n" + plain + "\r\n{}",
                start + "Content-Length: 2\r\n\r\n{}",
                start + host + "Content-Length: +2\r\n\r\n{}",
                chunked + "2;a=b\r\n{}\r\n0\r\n\r\n",
                chunked + "2\n{}\n0\n\n",
                chunked.replace("1.1\r", "1.0\r") + "2\r\n{}\r\n0\r\n\r\n",
                chunked.replace("\r\n\r\n", "\r\nContent-Length: 9\r\n\r\n") + "2\r\n{}\r\n0\r\n\r\n",
                chunked.replace(": chunked", ": gzip, chunked") + "2\r\n{}\r\n0\r\n\r\n",
                plain.replace("/echo", "http://127.0.0.1/echo") + "\r\n{}",
                plain.replace("/echo", "/x/../echo") + "\r\n{}",
                plain.replace("/echo", "//echo") + "\r\n{}",
                plain.replace("/echo", "/%2fecho") + "\r\n{}",
                start + "Host: evil.example\r\nContent-Length: 2\r\n\r\n{}");
    }

    private static void behave() throws Exception {
        leave(false);
        leave(true);
        int accepted = 0;
        for (String text : malformed()) {
            try (Connection connection = new Connection()) {
                connection.socket.setSoTimeout(3_000);
                if (connection.exchange(text.getBytes()).lines().findFirst().orElse("").contains(" 200 ")) {
                    accepted++;
                    System.out.println("  200 to " + text.replace("\r", "\\r").replace("\n", "\\n"));
                }
            } catch (IOException closed) {
                // Rejected without a response.
            }
        }
        System.out.println("answered 200 to " + accepted + " of " + malformed().size());
        System.out.println("head of a byte per 200 ms: " + drip());
        String before = report();
        try (Connection unread = new Connection()) {
            unread.socket.getOutputStream().write(request("/events"));
            pause(3_000);
            System.out.println("heap and resident KB before and with an unread stream: " + before + ", " + report());
        }
    }

    private static String drip() throws Exception {
        long begin = System.nanoTime();
        try (Connection slow = new Connection()) {
            for (int i = 0; i < 125; i++) {
                slow.socket.getOutputStream().write("POST /echo HTTP/1.1\r\nX-A: ".concat("b".repeat(100)).charAt(i));
                pause(200);
            }
            return "open after 25 s";
        } catch (SocketException ended) {
            return "closed after " + (System.nanoTime() - begin) / 1_000_000_000 + " s";
        }
    }
}
