package dev.fusebox.client.stream;

import dev.fusebox.client.framing.OversizedMessage;

/// How messages are framed on a byte stream. Thread-safe; nothing blocks.
public interface StreamFraming {
    /// A message as it is written.
    byte[] framed(byte[] message);

    /// The last bytes of a connection that the gateway ends; empty for none.
    byte[] closingBytes();

    /// The last bytes of a connection whose server sends a message without an end; empty for none.
    byte[] tooLongBytes();

    /// A decoder for the bytes of one connection.
    Decoder decoder(Output output);

    /// Decoder of the bytes of one connection. Not thread-safe; nothing blocks.
    interface Decoder {
        /// Decodes the next bytes.
        ///
        /// @throws StreamEnd if nothing after these bytes can be used
        void accept(byte[] bytes, int count) throws StreamEnd;

        /// How much of a message over the limit has been skipped; 0 if there is no such message.
        long skipped();
    }

    /// What a decoder finds. Nothing blocks.
    interface Output {
        void message(byte[] buffer, int from, int to);

        void tooLong(OversizedMessage message);

        /// Sends these bytes ahead of queued messages, in place of an earlier reply that was not sent yet.
        void reply(byte[] bytes);
    }
}
