package dev.fusebox.demo;

import dev.fusebox.protocol.JsonView;
import java.io.IOException;

/// The running gateway of the demo and the terminal beside it, as the program provides them that plays the demo.
/// For one thread.
public interface DemoHost {
    /// The URL of the gateway's MCP endpoint.
    String address();

    /// Opens a client connection to the gateway; blocks until it is open.
    Client connect() throws IOException;

    /// Shows at a terminal that the demo is waiting, until it is closed.
    Waiting waiting(String purpose);

    /// An MCP client of the gateway.
    interface Client extends AutoCloseable {
        /// Sends a request and returns the answer; blocks until it is there.
        JsonView ask(String method, String params) throws IOException;

        /// Sends a notification.
        void tell(String method) throws IOException;

        @Override
        void close();
    }

    /// A message at the terminal that disappears when it is closed.
    @FunctionalInterface
    interface Waiting extends AutoCloseable {
        @Override
        void close();
    }
}
