package dev.fusebox.client.stream;

import dev.fusebox.client.CallFailure;

/// Exception that ends a connection: the server has closed it, or violates its protocol. It has no stack trace,
/// because it is expected. Immutable; nothing blocks.
public final class StreamEnd extends Exception {
    private static final long serialVersionUID = 1;

    private final transient CallFailure failure;
    private final byte[] closingBytes;

    /// The end of one connection.
    ///
    /// @param closingBytes the last bytes to send
    public StreamEnd(CallFailure failure, byte[] closingBytes) {
        super(failure.message(), null, false, false);
        this.failure = failure;
        this.closingBytes = closingBytes.clone();
    }

    /// The failure of the calls in flight.
    public CallFailure failure() {
        return failure;
    }

    byte[] closingBytes() {
        return closingBytes.clone();
    }
}
