package dev.fusebox.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// A program that answers its first input line and then waits for the end of input: the lower bound for the start
/// and idle memory of a JVM. Started by `bench/ratchet` as a separate process.
final class BareJvm {
    private static final byte[] ANSWER =
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n".getBytes(StandardCharsets.US_ASCII);

    private BareJvm() {}

    public static void main(String[] none) throws IOException {
        boolean answered = false;
        for (int read = System.in.read(); read >= 0; read = System.in.read()) {
            if (read == '\n' && !answered) {
                System.out.write(ANSWER);
                System.out.flush();
                answered = true;
            }
        }
    }
}
