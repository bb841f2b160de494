package dev.fusebox.gateway;

/// A configuration that cannot be served. The message contains the necessary change.
public final class GatewayException extends Exception {
    private static final long serialVersionUID = 1;

    /// @param message with the remedy
    public GatewayException(String message) {
        super(message);
    }
}
