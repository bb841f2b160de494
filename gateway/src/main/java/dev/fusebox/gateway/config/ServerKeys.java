package dev.fusebox.gateway.config;

import dev.fusebox.client.resilience.RetrySafety;
import dev.fusebox.gateway.config.ValueType.Choice;
import dev.fusebox.gateway.config.ValueType.Template.Written;
import dev.fusebox.gateway.pool.IdlePolicy;
import dev.fusebox.gateway.session.EraPolicy;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The keys of a server.
final class ServerKeys {
    /// A `${` in it was meant to be a variable.
    private static final ValueType<String> PLAIN =
            new ValidatedValueType<>(new ValueType.Text(), ServerKeys::againstVariables, "text");

    static final ConfigKey<Written> COMMAND = ConfigKey.of(
                    "command",
                    new ValueType.Template(),
                    "The program to start: a path, or a name that is looked up in PATH. A server has this or `url`.")
            .forProcess();
    static final ConfigKey<List<Written>> ARGS = ConfigKey.of(
                    "args", ListType.of(new ValueType.Template()), "[]", "Its arguments.")
            .forProcess();
    static final ConfigKey<Map<String, Written>> ENV = ConfigKey.of(
                    "env",
                    new MapType<>("names", new ValueType.Template()),
                    "{}",
                    "Variables for it, beside a small base (PATH, HOME, LANG, LC_*, TZ, TERM, TMPDIR, USER, SHELL).")
            .forProcess();
    static final ConfigKey<List<String>> INHERIT_ENV = ConfigKey.of(
                    "inheritEnv",
                    ListType.of(new ValueType.Text()),
                    "[]",
                    "Names of variables of the gateway's own that it gets as well.")
            .forProcess();
    static final ConfigKey<String> CWD = ConfigKey.of(
                    "cwd", PLAIN, "Where it runs; if left out, where the gateway does.")
            .forProcess();
    static final ConfigKey<Written> URL = ConfigKey.of(
                    "url",
                    new ValueType.Template(),
                    "Where the server is: http or https. A server has this or `command`.")
            .forUrl();
    static final ConfigKey<TransportType> TYPE = ConfigKey.of(
            "type",
            new Choice<>(transportTypes(), Set.of("websocket", "ws")),
            "`stdio` with a `command`; with a `url` `http` (Streamable HTTP), or `sse` for the transport of 2024-11-05."
                    + " If left out, `stdio` or `http`.");
    static final ConfigKey<Map<String, Written>> HEADERS = ConfigKey.of(
                    "headers",
                    new MapType<>("names", new ValueType.Template()),
                    "{}",
                    "Sent with every request, such as `Authorization`.")
            .forUrl();
    static final ConfigKey<String> PROXY = ConfigKey.of(
                    "proxy",
                    PLAIN,
                    "The proxy to this server, `http://host:port`, or `none`. If left out, what HTTPS_PROXY,"
                            + " HTTP_PROXY and NO_PROXY say.")
            .forUrl();
    static final ConfigKey<String> CA = ConfigKey.of(
                    "ca",
                    PLAIN,
                    "A PEM file of the authorities to trust in place of the usual, looked for beside this file.")
            .forUrl();
    static final ConfigKey<EraPolicy> ERA = ConfigKey.of(
            "era",
            Choice.of(EraPolicy.values(), EraPolicy::word),
            "\"auto\"",
            "Which era of the protocol it speaks: `legacy` (up to 2025-11-25), `modern` (2026-07-28), or `auto`.");
    static final ConfigKey<Boolean> CRITICALITY = ConfigKey.of(
            "criticality",
            new Choice<>(twoWords("standard", "vital"), Set.of()),
            "\"standard\"",
            "`vital` servers go first where not all can.");
    static final ConfigKey<Boolean> DISABLED =
            ConfigKey.of("disabled", new ValueType.Flag(), "false", "Whether it is left out, though it stands here.");
    static final ConfigKey<IdlePolicy> LIFECYCLE = ConfigKey.of(
            "lifecycle",
            new LifecycleValueType(),
            "How long it stays when it is idle; if left out, `pool.idleTimeoutMs`. `keep-alive`, `ephemeral`, or an"
                    + " object.");
    static final ConfigKey<ServerIsolation> ISOLATION = ConfigKey.of(
            "isolation",
            Choice.of(ServerIsolation.values(), ServerIsolation::word),
            "\"auto\"",
            "Whether clients share it: `shared`: all do, so that it can ask no client anything; `session`: each session"
                    + " of a client has its own, which may ask it; `auto`: `session` for the one client on standard"
                    + " input and output, and otherwise `shared`.");
    static final ConfigKey<Long> INSTANCES = ConfigKey.of(
                    "instances",
                    new ValueType.Whole(1, 64),
                    "1",
                    "How many processes of it there may be for calls at the same time, as far as the pool has room. Not"
                            + " with `isolation: session`.")
            .forProcess();
    static final ConfigKey<Long> TIMEOUT_MS = ConfigKey.of(
            "timeoutMs",
            DurationBounds.MILLIS,
            "60000",
            "How long a call may take. If left out, what the preset of its breaker has, or FUSEBOX_OPERATION_TIMEOUT"
                    + " (an environment variable).");
    static final ConfigKey<Long> CONNECT_TIMEOUT_MS = ConfigKey.of(
            "connectTimeoutMs", DurationBounds.MILLIS, "60000", "How long it may take to start and to shake hands.");
    static final ConfigKey<Long> TCP_CONNECT_TIMEOUT_MS = ConfigKey.of(
                    "tcpConnectTimeoutMs",
                    DurationBounds.MILLIS,
                    "5000",
                    "How long a TCP connect may take within that; no longer than `connectTimeoutMs`.")
            .forUrl();
    static final ConfigKey<ConfigSection> BREAKER = ConfigKey.of(
            "breaker", new SectionValueType(SectionType.BREAKER), "As `breaker` of the file, for this server.");
    static final ConfigKey<ConfigSection> TOOL_BREAKER = ConfigKey.of(
            "toolBreaker",
            new SectionValueType(SectionType.TOOL_BREAKER),
            "As `toolBreaker` of the file, for its tools.");
    static final ConfigKey<ConfigSection> RETRY =
            ConfigKey.of("retry", new SectionValueType(SectionType.RETRY), "As `retry` of the file, for this server.");
    static final ConfigKey<Map<String, RetrySafety>> REPLAY = ConfigKey.of(
            "replay",
            new MapType<>("tools", RetryKeys.REPLAYS),
            "{}",
            "As `retry.replay`, for single tools by their own names; wins over what a tool says of itself.");
    static final ConfigKey<ConfigSection> TOOLS = ConfigKey.of(
            "tools", new SectionValueType(SectionType.TOOLS), "Which of its tools clients see, and under which names.");

    static final ConfigKey<String> BACKUP = ConfigKey.of(
            "backup",
            PLAIN,
            "Another server of this file, which gets calls of tools that both have while this one is down, and calls"
                    + " that never reached this one; calls that may have run only if doing them twice is the same as"
                    + " once.");
    static final ConfigKey<List<String>> REPLICAS = ConfigKey.of(
            "replicas",
            new ListType<>(PLAIN, 1, 64),
            "Other servers of this file that are the same, in place of `command` or `url`: each call goes to the one"
                    + " that has least to do among those that are well.");

    static final List<ConfigKey<?>> ALL = List.of(
            COMMAND,
            ARGS,
            ENV,
            INHERIT_ENV,
            CWD,
            URL,
            TYPE,
            HEADERS,
            PROXY,
            CA,
            ERA,
            CRITICALITY,
            DISABLED,
            LIFECYCLE,
            ISOLATION,
            INSTANCES,
            TIMEOUT_MS,
            CONNECT_TIMEOUT_MS,
            TCP_CONNECT_TIMEOUT_MS,
            BREAKER,
            TOOL_BREAKER,
            RETRY,
            REPLAY,
            TOOLS,
            BACKUP,
            REPLICAS);

    static final Set<String> LATER = Set.of("oauth", "maxResultBytes");

    static final List<ForeignKey> FOREIGN = ForeignServerKeys.ALL;

    private ServerKeys() {}

    private static @Nullable String againstVariables(String text) {
        return text.contains("${")
                ? "has a ${ in it, but variables are put into command, args, env, url and headers only"
                : null;
    }

    private static Map<String, TransportType> transportTypes() {
        Map<String, TransportType> transportTypes = new LinkedHashMap<>();
        for (TransportType transportType : TransportType.values()) {
            transportType.words().forEach(word -> transportTypes.put(word, transportType));
        }
        return Collections.unmodifiableMap(transportTypes);
    }

    private static Map<String, Boolean> twoWords(String no, String yes) {
        Map<String, Boolean> words = new LinkedHashMap<>();
        words.put(no, false);
        words.put(yes, true);
        return Collections.unmodifiableMap(words);
    }
}
