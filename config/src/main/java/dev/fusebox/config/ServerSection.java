package dev.fusebox.config;

import static dev.fusebox.config.ForeignKey.accepted;
import static dev.fusebox.config.ForeignKey.refused;

import dev.fusebox.config.ValueType.Choice;
import dev.fusebox.config.ValueType.Flag;
import dev.fusebox.config.ValueType.Template;
import dev.fusebox.config.ValueType.Template.Written;
import dev.fusebox.config.ValueType.Text;
import dev.fusebox.config.ValueType.Whole;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The keys of a server, and the keys of other clients beside them.
final class ServerSection {
    /// The transport of a server, according to its `type`.
    enum TransportType {
        STDIO("stdio"),
        /// Streamable HTTP, under the names that clients use.
        HTTP("http", "streamable-http", "streamableHttp"),
        /// HTTP with server-sent events, of revision 2024-11-05.
        SSE("sse"),
        /// Under the names that clients use.
        WEBSOCKET("websocket", "ws");

        /// Those of servers with a URL.
        static final Set<TransportType> OF_URLS = Set.of(HTTP, SSE, WEBSOCKET);

        private final List<String> words;

        TransportType(String... words) {
            this.words = List.of(words);
        }

        private static Choice<TransportType> choice() {
            Map<String, TransportType> all = new LinkedHashMap<>();
            for (TransportType type : values()) {
                type.words.forEach(word -> all.put(word, type));
            }
            return new Choice<>(Collections.unmodifiableMap(all), Set.of());
        }
    }

    private static final String OF_THE_CLIENT = "has no effect here: the client decides which calls need approval";
    private static final String FOR_PEOPLE = "has no effect here: it is only a description";

    static final SectionType SECTION = new SectionType(
            "server",
            "a server",
            Set.of(),
            List.of(
                    accepted(
                            "timeout",
                            "is ignored: some clients use seconds and others milliseconds; write \"timeoutMs\", in"
                                    + " milliseconds"),
                    accepted("alwaysAllow", OF_THE_CLIENT),
                    accepted("autoApprove", OF_THE_CLIENT),
                    accepted("trust", OF_THE_CLIENT),
                    accepted("description", FOR_PEOPLE),
                    accepted("name", "has no effect here: the key of the entry is the name of the server"),
                    accepted("icon", FOR_PEOPLE),
                    accepted("gallery", FOR_PEOPLE),
                    accepted("version", FOR_PEOPLE),
                    accepted("dev", "has no effect here: Fusebox does not watch or debug servers"),
                    refused("transport", "is not supported: write \"type\""),
                    refused("transportType", "is not supported: write \"type\""),
                    refused("serverUrl", "is not supported: write \"url\""),
                    refused("httpUrl", "is not supported: write \"url\""),
                    refused("baseUrl", "is not supported: write \"url\""),
                    refused("enabled", "is not supported: write \"disabled\", with the opposite value"),
                    refused("isActive", "is not supported: write \"disabled\", with the opposite value"),
                    refused(
                            "envFile",
                            "is not supported: write the variables into \"env\", or their names into \"inheritEnv\""),
                    refused("workingDirectory", "is not supported: write \"cwd\""),
                    refused("includeTools", "is not supported: write \"tools\": {\"include\": [...]}"),
                    refused("allowedTools", "is not supported: write \"tools\": {\"include\": [...]}"),
                    refused("excludeTools", "is not supported: write \"tools\": {\"exclude\": [...]}"),
                    refused("disabledTools", "is not supported: write \"tools\": {\"exclude\": [...]}")));

    /// A `${` in it was intended as a variable.
    private static final ValueType<String> PLAIN =
            new ValidatedValueType<>(new Text(), ServerSection::againstVariables, "text");

    static final ConfigKey<Written> COMMAND = SECTION.ofProcess(
            "command",
            new Template(),
            "",
            "The program to start: a path, or a name looked up in PATH. A server has either this or `url`.");
    static final ConfigKey<List<Written>> ARGS =
            SECTION.ofProcess("args", ListType.of(new Template()), "[]", "The arguments of the program.");
    static final ConfigKey<Map<String, Written>> ENV = SECTION.ofProcess(
            "env",
            new MapType<>("names", new Template()),
            "{}",
            "Environment variables of the process, in addition to a small base (PATH, HOME, LANG, LC_*,"
                    + " TZ, TERM, TMPDIR, USER, SHELL).");
    static final ConfigKey<List<String>> INHERIT_ENV = SECTION.ofProcess(
            "inheritEnv",
            ListType.of(new Text()),
            "[]",
            "Names of variables that the process inherits from the gateway.");
    static final ConfigKey<String> CWD = SECTION.ofProcess(
            "cwd",
            PLAIN,
            "",
            "The working directory of the process; a relative one starts at that of the client. If left out, or"
                    + " `client`, that of the client, and over HTTP the gateway's.");

    /// Stands for the folder of the client.
    static final String CLIENT = "client";
    static final ConfigKey<Written> URL = SECTION.ofUrl(
            "url",
            new Template(),
            "",
            "The address of the server: http or https, ws or wss for a WebSocket, or tcp://host:port or unix:/path for"
                    + " a connection with one message on each line. A server has either this or `command`.");
    static final ConfigKey<TransportType> TYPE = SECTION.key(
            "type",
            TransportType.choice(),
            "",
            "`stdio` with a `command`; with an http: or https: `url` `http` (Streamable HTTP), or `sse` for the"
                    + " transport of 2024-11-05; with a ws: or wss: one `websocket`. If left out, `stdio`, `http` or"
                    + " `websocket`; a tcp: or unix: `url` needs none.");
    static final ConfigKey<Map<String, Written>> HEADERS = SECTION.ofUrl(
            "headers",
            new MapType<>("names", new Template()),
            "{}",
            "Headers that are sent with every request, such as `Authorization`.");
    static final ConfigKey<OAuthSection.Setting> OAUTH = SECTION.ofUrl(
            "oauth",
            new OAuthSection(),
            "true",
            "Whether and how the gateway logs in by OAuth when the server demands it: an object with settings, or"
                    + " `false` for never.");
    static final ConfigKey<List<String>> HEADERS_HELPER = SECTION.ofUrl(
            "headersHelper",
            new HeadersHelperType(PLAIN),
            "[]",
            "A program that prints further headers as `{\"headers\": {...}, \"expiresAt\": ...}`, which are used until"
                    + " then, five minutes if it is left out. A list has the program and its arguments; no shell runs"
                    + " it.");
    static final ConfigKey<String> PROXY = SECTION.ofUrl(
            "proxy",
            PLAIN,
            "",
            "The proxy to this server, `http://host:port`, or `none`. If left out, HTTPS_PROXY, HTTP_PROXY"
                    + " and NO_PROXY apply.");
    static final ConfigKey<String> CA = SECTION.ofUrl(
            "ca",
            PLAIN,
            "",
            "A PEM file of the certificate authorities to trust instead of the default ones; relative to"
                    + " this file.");
    static final ConfigKey<EraPolicy> ERA = SECTION.key(
            "era",
            Choice.of(EraPolicy.values(), EraPolicy::word),
            "\"auto\"",
            "The era of the protocol that the server speaks: `legacy` (up to 2025-11-25), `modern`"
                    + " (2026-07-28), or `auto`.");
    static final ConfigKey<Boolean> CRITICALITY = SECTION.key(
            "criticality",
            Choice.ofTwo("standard", "vital"),
            "\"standard\"",
            "`vital` servers are started first when not all can be started.");
    static final ConfigKey<Boolean> DISABLED =
            SECTION.key("disabled", new Flag(), "false", "Whether the server is configured but not used.");
    static final ConfigKey<IdlePolicy> LIFECYCLE = SECTION.key(
            "lifecycle",
            new LifecycleSection(),
            "",
            "How long an idle server keeps running; if left out, `pool.idleTimeoutMs`. `keep-alive`,"
                    + " `ephemeral`, or an object.");
    static final ConfigKey<ServerIsolation> ISOLATION = SECTION.key(
            "isolation",
            Choice.of(ServerIsolation.values()),
            "\"auto\"",
            "Whether clients share the server. `shared`: all clients share its process, which cannot send requests"
                    + " to them. `session`: each client session has its own process, which can send requests to the"
                    + " client. `auto`: in a gateway that clients on standard input and output share, one process for"
                    + " all clients to which the server has shown that it asks nothing and lists the same; `session`"
                    + " for a client that has its own gateway, and for programs known to keep something for their"
                    + " client (browsers, shells); `shared` over HTTP.");
    static final ConfigKey<Long> INSTANCES = SECTION.ofProcess(
            "instances",
            new Whole(1, 64),
            "1",
            "The number of processes of the server for concurrent calls, as far as the pool has room."
                    + " Not with `isolation: session`.");
    static final ConfigKey<Long> TIMEOUT_MS = SECTION.key(
            "timeoutMs",
            Whole.MILLIS,
            "60000",
            "How long a call may take. If left out, the value of the breaker's preset, or"
                    + " FUSEBOX_OPERATION_TIMEOUT (an environment variable).");
    static final ConfigKey<Long> CONNECT_TIMEOUT_MS = SECTION.key(
            "connectTimeoutMs", Whole.MILLIS, "60000", "How long the start and the handshake may take together.");
    static final ConfigKey<Long> TCP_CONNECT_TIMEOUT_MS = SECTION.ofUrl(
            "tcpConnectTimeoutMs",
            Whole.MILLIS,
            "5000",
            "How long a TCP connect may take within that; at most `connectTimeoutMs`.");
    static final ConfigKey<ConfigSection> BREAKER =
            SECTION.section(BreakerSection.SECTION, "Like `breaker` of the file, for this server.");
    static final ConfigKey<ConfigSection> TOOL_BREAKER = SECTION.section(
            ToolBreakerSection.SECTION, "Like `toolBreaker` of the file, for the tools of this server.");
    static final ConfigKey<ConfigSection> RETRY =
            SECTION.section(RetrySection.SECTION, "Like `retry` of the file, for this server.");
    static final ConfigKey<Map<String, Replay>> REPLAY = SECTION.key(
            "replay",
            new MapType<>("tools", RetrySection.REPLAYS),
            "{}",
            "Like `retry.replay`, for single tools by the server's own names; takes precedence over the"
                    + " annotations of a tool.");
    static final ConfigKey<ConfigSection> TOOLS =
            SECTION.section(ToolSection.SECTION, "Which tools of the server clients see, and under which names.");
    static final ConfigKey<String> BACKUP = SECTION.key(
            "backup",
            PLAIN,
            "",
            "Another server of this file. It gets calls to tools that both servers have: while this server is"
                    + " down, and after a call has not reached this server. It gets calls that may have been executed"
                    + " only if the tool is idempotent.");
    static final ConfigKey<Long> MAX_RESULT_BYTES = SECTION.nullable(
            "maxResultBytes",
            new Whole(1, 1 << 30),
            "null",
            "How many bytes of text a result of the server may have. Longer text is cut, and the rest can be read for"
                    + " `results.keepMs`. Structured content, images and other binary content beyond it are refused."
                    + " `null`: no limit.");
    static final ConfigKey<List<String>> REPLICAS = SECTION.key(
            "replicas",
            new ListType<>(PLAIN, 1, 64),
            "",
            "Other servers of this file that are equivalent, instead of `command` or `url`: each call"
                    + " goes to the healthy one with the fewest calls in flight.");

    private ServerSection() {}

    static @Nullable String againstVariables(String text) {
        return text.contains("${")
                ? "contains ${, but variables are expanded only in command, args, env, url, headers, and clientId and"
                        + " clientSecret of oauth"
                : null;
    }
}
