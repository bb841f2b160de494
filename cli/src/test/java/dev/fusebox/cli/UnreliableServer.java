package dev.fusebox.cli;

import dev.fusebox.protocol.JsonWriter;
import java.nio.file.Path;

/// A server on standard input and output whose calls end as their arguments say: `fate` is `answered` (after `ms`
/// milliseconds), `hanging` or `crash`. It does not start while a file is there, and makes another one when a call
/// hangs. Immutable.
///
/// @param sick the first file; the second has `.hanging` after that
/// @param isModern whether it speaks the stateless era only, or the session era only
/// @param more members of its configuration, each with a comma in front
record UnreliableServer(String name, Path sick, boolean isModern, String more) {
    private static final String PROGRAM = """
            import json, os, sys, threading
            sick, modern = sys.argv[1], sys.argv[2] == 'true'
            if os.path.exists(sick):
                sys.exit(3)
            lock = threading.Lock()
            plain = {'resultType': 'complete', 'ttlMs': 0, 'cacheScope': 'private'} if modern else {}
            about = {'capabilities': {'tools': {}}, 'serverInfo': {'name': 'unreliable', 'version': '1'}}
            tools = [{'name': name, 'inputSchema': {'type': 'object'}} for name in ('echo', 'look', 'read', 'other')]
            def say(id, members):
                with lock:
                    sys.stdout.write(json.dumps({'jsonrpc': '2.0', 'id': id, **members}) + '\\n')
                    sys.stdout.flush()
            def result(id, members):
                say(id, {'result': {**plain, **members}})
            def called(id, given):
                fate = given.get('fate', 'answered')
                if fate == 'crash':
                    os._exit(3)
                if fate == 'hanging':
                    open(sick + '.hanging', 'w').close()
                if fate == 'answered':
                    text = {'content': [{'type': 'text', 'text': 'done'}]}
                    timer = threading.Timer(given.get('ms', 0) / 1000, result, (id, text))
                    timer.daemon = True
                    timer.start()
            for line in sys.stdin:
                m = json.loads(line)
                id, method = m.get('id'), m.get('method')
                if id is None:
                    continue
                elif method == 'initialize' and not modern:
                    result(id, {'protocolVersion': '2025-11-25', **about})
                elif method == 'server/discover' and modern:
                    result(id, {'supportedVersions': ['2026-07-28'], **about})
                elif method == 'ping' and not modern:
                    result(id, {})
                elif method == 'tools/list':
                    result(id, {'tools': tools})
                elif method == 'tools/call':
                    called(id, m['params'].get('arguments', {}))
                else:
                    say(id, {'error': {'code': -32601, 'message': 'method not found'}})
            """;

    /// Its member of `mcpServers`.
    String configuration() {
        JsonWriter args =
                new JsonWriter().beginArray().string("-S").string("-E").string("-c");
        args.string(PROGRAM).string(sick.toString()).string("" + isModern).endArray();
        return "\"" + name + "\":{\"command\":\"python3\",\"args\":" + args + more + "}";
    }

    static String answered(int millis) {
        return "{\"fate\":\"answered\",\"ms\":" + millis + "}";
    }

    static String hanging() {
        return "{\"fate\":\"hanging\"}";
    }

    static String crash() {
        return "{\"fate\":\"crash\"}";
    }
}
