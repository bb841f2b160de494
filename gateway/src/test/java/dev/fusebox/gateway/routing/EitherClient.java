package dev.fusebox.gateway.routing;

import dev.fusebox.client.process.ChildSpec;
import dev.fusebox.gateway.era.Messages;
import dev.fusebox.gateway.era.PipedClient;
import dev.fusebox.gateway.era.Wire;
import dev.fusebox.protocol.JsonView;
import dev.fusebox.protocol.JsonWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A client of either era over either front end, which can be asked everything and numbers its requests. For one
/// thread.
final class EitherClient implements AutoCloseable {
    private final Wire wire;
    private final boolean inSession;
    private final String capabilities;
    private final @Nullable PipedClient piped;
    private int last;

    /// An era and a front end.
    enum Way {
        SESSION_HTTP,
        SESSION_STDIO,
        STATELESS_HTTP,
        STATELESS_STDIO;

        boolean inSession() {
            return this == SESSION_HTTP || this == SESSION_STDIO;
        }

        boolean isHttp() {
            return this == SESSION_HTTP || this == STATELESS_HTTP;
        }
    }

    EitherClient(GatewayHarness gateway, Way way) {
        this(gateway, way, Messages.ABLE);
    }

    /// @param capabilities that it declares
    EitherClient(GatewayHarness gateway, Way way, String capabilities) {
        this.capabilities = capabilities;
        this.piped = way.isHttp() ? null : gateway.onlyClient();
        this.wire = piped == null ? gateway.client() : piped.wire();
        this.inSession = way.inSession();
        if (inSession) {
            wire.hello(capabilities);
        }
    }

    Wire wire() {
        return wire;
    }

    JsonView call(String tool, String arguments) {
        return wire.answer(request(Messages.tool(tool, arguments)));
    }

    /// The same.
    ///
    /// @param told takes what comes before the answer
    JsonView call(String tool, String arguments, List<JsonView> told) {
        List<JsonView> all = wire.ask(request(Messages.tool(tool, arguments)));
        told.addAll(all.subList(0, all.size() - 1));
        return all.getLast();
    }

    /// A call whose messages are read one by one.
    Wire.Stream open(String tool, String arguments) {
        return wire.open(request(Messages.tool(tool, arguments)));
    }

    /// A call of a tool of a server by `mcp_call`.
    JsonView callThrough(String server, String tool, String arguments) {
        return call("mcp_call", "{\"server\":\"" + server + "\",\"tool\":\"" + tool + "\",\"args\":" + arguments + "}");
    }

    /// @param members of the parameters of a call, each with a comma in front
    String request(String members) {
        return request("tools/call", members);
    }

    /// @param members of the parameters, each with a comma in front
    JsonView ask(String method, String members) {
        return wire.answer(request(method, members));
    }

    /// What comes before the answer to a request whose progress token is `p`.
    ///
    /// @param members of the parameters, each with a comma in front
    List<JsonView> progressOf(String method, String members) {
        last++;
        String token = Messages.progressToken("p");
        String params = inSession
                ? "{\"_meta\":{" + token.substring(1) + "}" + members + "}"
                : Messages.params(capabilities, token, members);
        List<JsonView> all = wire.ask(Messages.request(last, method, params));
        return all.subList(0, all.size() - 1);
    }

    private String request(String method, String members) {
        last++;
        return inSession
                ? Messages.request(last, method, "{" + members.replaceFirst("^,", "") + "}")
                : Messages.stateless(last, method, capabilities, members);
    }

    @Override
    public void close() {
        if (piped == null) {
            wire.close();
        } else {
            piped.close();
        }
    }

    /// A process that speaks the session era: a line of Python for each message of the kinds that it is asked for.
    ///
    /// @param onCall what it does when a tool is called; it has `m`, the request, and `say`, which sends a message
    static ChildSpec server(String tools, String onCall) {
        String program = """
                import sys, json
                def say(m): sys.stdout.write((m if isinstance(m, str) else json.dumps(m)) + '\\n'); sys.stdout.flush()
                state = {}
                for line in sys.stdin:
                    m = json.loads(line)
                    method = m.get('method')
                    if method == 'initialize':
                        say({'jsonrpc': '2.0', 'id': m['id'], 'result': {'protocolVersion': '2025-11-25',
                            'capabilities': {'tools': {}}, 'serverInfo': {'name': 'python', 'version': '1'}}})
                    elif method == 'tools/list':
                        say({'jsonrpc': '2.0', 'id': m['id'], 'result': {'tools': json.loads(TOOLS)}})
                    elif method == 'tools/call' or (method is None and 'id' in m):
                %s
                    elif method is not None and 'id' in m:
                        say({'jsonrpc': '2.0', 'id': m['id'], 'error': {'code': -32601, 'message': 'no'}})
                """.formatted(onCall.indent(8));
        String before = "TOOLS = " + JsonWriter.quoted(tools) + "\n";
        return ChildSpec.of("python3", "-S", "-E", "-c", before + program);
    }

    static String tool(String name) {
        return "{\"name\":\"" + name + "\",\"inputSchema\":{\"type\":\"object\"}}";
    }
}
