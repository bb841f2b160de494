package dev.fusebox.gateway.config;

import dev.fusebox.client.lane.Replay;
import dev.fusebox.gateway.config.Kind.Choice;
import dev.fusebox.gateway.config.Kind.Template.Written;
import dev.fusebox.gateway.pool.Stay;
import dev.fusebox.gateway.served.EraPolicy;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The keys of a server.
final class ServerKeys {
    /// A `${` in it was meant to be a variable.
    private static final Kind<String> PLAIN = new CheckedKind<>(new Kind.Text(), ServerKeys::againstVariables, "text");

    static final Key<Written> COMMAND = Key.of(
                    "command",
                    new Kind.Template(),
                    "The program to start: a path, or a name that is looked up in PATH. A server has this or `url`.")
            .forProcess();
    static final Key<List<Written>> ARGS = Key.of("args", ListKind.of(new Kind.Template()), "[]", "Its arguments.")
            .forProcess();
    static final Key<Map<String, Written>> ENV = Key.of(
                    "env",
                    new MapKind<>("names", new Kind.Template()),
                    "{}",
                    "Variables for it, beside a small base (PATH, HOME, LANG, LC_*, TZ, TERM, TMPDIR, USER, SHELL).")
            .forProcess();
    static final Key<List<String>> INHERIT_ENV = Key.of(
                    "inheritEnv",
                    ListKind.of(new Kind.Text()),
                    "[]",
                    "Names of variables of the gateway's own that it gets as well.")
            .forProcess();
    static final Key<String> CWD = Key.of("cwd", PLAIN, "Where it runs; if left out, where the gateway does.")
            .forProcess();
    static final Key<Written> URL = Key.of(
                    "url", new Kind.Template(), "Where the server is: http or https. A server has this or `command`.")
            .forUrl();
    static final Key<Wire> TYPE = Key.of(
            "type",
            new Choice<>(wires(), Set.of("websocket", "ws")),
            "`stdio` with a `command`; with a `url` `http` (Streamable HTTP), or `sse` for the transport of 2024-11-05."
                    + " If left out, `stdio` or `http`.");
    static final Key<Map<String, Written>> HEADERS = Key.of(
                    "headers",
                    new MapKind<>("names", new Kind.Template()),
                    "{}",
                    "Sent with every request, such as `Authorization`.")
            .forUrl();
    static final Key<String> PROXY = Key.of(
                    "proxy",
                    PLAIN,
                    "The proxy to this server, `http://host:port`, or `none`. If left out, what HTTPS_PROXY,"
                            + " HTTP_PROXY and NO_PROXY say.")
            .forUrl();
    static final Key<String> CA = Key.of(
                    "ca",
                    PLAIN,
                    "A PEM file of the authorities to trust in place of the usual, looked for beside this file.")
            .forUrl();
    static final Key<EraPolicy> ERA = Key.of(
            "era",
            Choice.of(EraPolicy.values(), EraPolicy::word),
            "\"auto\"",
            "Which era of the protocol it speaks: `legacy` (up to 2025-11-25), `modern` (2026-07-28), or `auto`.");
    static final Key<Boolean> CRITICALITY = Key.of(
            "criticality",
            new Choice<>(twoWords("standard", "vital"), Set.of()),
            "\"standard\"",
            "`vital` servers go first where not all can.");
    static final Key<Boolean> DISABLED =
            Key.of("disabled", new Kind.Flag(), "false", "Whether it is left out, though it stands here.");
    static final Key<Stay> LIFECYCLE = Key.of(
            "lifecycle",
            new StayKind(),
            "How long it stays when it is idle; if left out, `pool.idleTimeoutMs`. `keep-alive`, `ephemeral`, or an"
                    + " object.");
    static final Key<Apartness> ISOLATION = Key.of(
            "isolation",
            Choice.of(Apartness.values(), Apartness::word),
            "\"auto\"",
            "Whether clients share it: `shared`: all do, so that it can ask no client anything; `session`: each session"
                    + " of a client has its own, which may ask it; `auto`: `session` for the one client on standard"
                    + " input and output, and otherwise `shared`.");
    static final Key<Long> INSTANCES = Key.of(
                    "instances",
                    new Kind.Whole(1, 64),
                    "1",
                    "How many processes of it there may be for calls at the same time, as far as the pool has room. Not"
                            + " with `isolation: session`.")
            .forProcess();
    static final Key<Long> TIMEOUT_MS = Key.of(
            "timeoutMs",
            Times.MILLIS,
            "60000",
            "How long a call may take. If left out, what the preset of its breaker has, or FUSEBOX_OPERATION_TIMEOUT"
                    + " (an environment variable).");
    static final Key<Long> CONNECT_TIMEOUT_MS =
            Key.of("connectTimeoutMs", Times.MILLIS, "60000", "How long it may take to start and to shake hands.");
    static final Key<Long> TCP_CONNECT_TIMEOUT_MS = Key.of(
                    "tcpConnectTimeoutMs",
                    Times.MILLIS,
                    "5000",
                    "How long a TCP connect may take within that; no longer than `connectTimeoutMs`.")
            .forUrl();
    static final Key<Section> BREAKER =
            Key.of("breaker", new SectionKind(Place.BREAKER), "As `breaker` of the file, for this server.");
    static final Key<Section> TOOL_BREAKER =
            Key.of("toolBreaker", new SectionKind(Place.TOOL_BREAKER), "As `toolBreaker` of the file, for its tools.");
    static final Key<Section> RETRY =
            Key.of("retry", new SectionKind(Place.RETRY), "As `retry` of the file, for this server.");
    static final Key<Map<String, Replay>> REPLAY = Key.of(
            "replay",
            new MapKind<>("tools", RetryKeys.REPLAYS),
            "{}",
            "As `retry.replay`, for single tools by their own names; wins over what a tool says of itself.");
    static final Key<Section> TOOLS =
            Key.of("tools", new SectionKind(Place.TOOLS), "Which of its tools clients see, and under which names.");

    static final Key<String> BACKUP = Key.of(
            "backup",
            PLAIN,
            "Another server of this file, which gets calls of tools that both have while this one is down, and calls"
                    + " that never reached this one; calls that may have run only if doing them twice is the same as"
                    + " once.");
    static final Key<List<String>> REPLICAS = Key.of(
            "replicas",
            new ListKind<>(PLAIN, 1, 64),
            "Other servers of this file that are the same, in place of `command` or `url`: each call goes to the one"
                    + " that has least to do among those that are well.");

    static final List<Key<?>> ALL = List.of(
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

    static final List<Foreign> FOREIGN = ForeignServerKeys.ALL;

    private ServerKeys() {}

    private static @Nullable String againstVariables(String text) {
        return text.contains("${")
                ? "has a ${ in it, but variables are put into command, args, env, url and headers only"
                : null;
    }

    private static Map<String, Wire> wires() {
        Map<String, Wire> wires = new LinkedHashMap<>();
        for (Wire wire : Wire.values()) {
            wire.words().forEach(word -> wires.put(word, wire));
        }
        return Collections.unmodifiableMap(wires);
    }

    private static Map<String, Boolean> twoWords(String no, String yes) {
        Map<String, Boolean> words = new LinkedHashMap<>();
        words.put(no, false);
        words.put(yes, true);
        return Collections.unmodifiableMap(words);
    }
}
