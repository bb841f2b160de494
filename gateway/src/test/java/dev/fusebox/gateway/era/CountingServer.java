package dev.fusebox.gateway.era;

import dev.fusebox.client.process.ChildSpec;

/// A server of the session era, in Python, whose messages carry numbers: it counts those that come after a larger
/// one.
///
/// Its tool `note` takes a number, `hang` never answers, `die` ends the process, and `stats` tells how many
/// numbers came and how many of them too late. A notification `notifications/note` carries a number, too.
public final class CountingServer {
    private static final String SCRIPT = """
            import os
            def between(line, begin):
                at = line.find(begin)
                if at < 0: return b''
                end = at = at + len(begin)
                while line[end:end + 1] not in (b',', b'}'): end += 1
                return line[at:end]
            TOOL = b'{"name":"%b","inputSchema":{"type":"object"}}'
            TOOLS = b','.join(TOOL % name for name in (b'note', b'hang', b'die', b'stats'))
            WELCOME = (b'"protocolVersion":"2025-11-25","capabilities":{"tools":{}},'
                       b'"serverInfo":{"name":"c","version":"1"}')
            last, came, late, rest = -1, 0, 0, b''
            def text(line):
                global last, came, late
                number = between(line, b'"n":')
                if number:
                    came, late, last = came + 1, late + (int(number) < last), int(number)
                if b'"hang"' in line: return None
                if b'"die"' in line: os._exit(1)
                return b'%d came, %d late' % (came, late)
            while True:
                got = os.read(0, 1 << 16)
                if not got: os._exit(0)
                lines = (rest + got).split(b'\\n')
                rest = lines.pop()
                out = b''
                for line in lines:
                    said = text(line)
                    id = between(line, b'"id":')
                    if id and said:
                        out += b'{"jsonrpc":"2.0","id":' + id + b',"result":{' + WELCOME + b',"tools":[' + TOOLS
                        out += b'],"content":[{"type":"text","text":"' + said + b'"}]}}\\n'
                while out: out = out[os.write(1, out):]
            """;

    private CountingServer() {}

    public static ChildSpec spec() {
        return ChildSpec.of("python3", "-S", "-E", "-c", SCRIPT);
    }

    /// One that speaks this revision.
    public static ChildSpec spec(String revision) {
        return ChildSpec.of("python3", "-S", "-E", "-c", SCRIPT.replace("2025-11-25", revision));
    }

    /// What `stats` says if so many numbers came, all of them in order.
    public static String inOrder(int came) {
        return came + " came, 0 late";
    }
}
