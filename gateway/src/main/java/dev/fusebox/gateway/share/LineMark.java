package dev.fusebox.gateway.share;

import java.util.Arrays;

/// The first byte of each line between a connector and a gateway. A client cannot write a control line, because
/// the connector marks everything that it reads from the client as a message.
final class LineMark {
    /// A protocol message of the client, or for it.
    static final byte MESSAGE = 'm';

    /// The gateway takes no new messages here: the client's next ones belong to its successor.
    static final byte MOVED = 'd';

    /// Asks for [#ALIVE].
    static final byte CHECK = 'c';

    static final byte ALIVE = 'a';

    /// A line for the user of the client, on the standard error of the connector.
    static final byte NOTE = 'n';

    /// Names a server that may keep state of the client from now on, for the gateway that comes after this one.
    static final byte STATE = 's';

    private LineMark() {}

    /// The line with its end.
    static byte[] line(byte mark, byte[] text) {
        return line(mark, text, 0, text.length);
    }

    static byte[] line(byte mark, byte[] text, int from, int to) {
        byte[] line = new byte[to - from + 2];
        line[0] = mark;
        System.arraycopy(text, from, line, 1, to - from);
        line[line.length - 1] = '\n';
        return line;
    }

    /// What follows the mark.
    static byte[] text(byte[] buffer, int from, int to) {
        return Arrays.copyOfRange(buffer, from + 1, to);
    }
}
