package dev.fusebox.cli;

import dev.fusebox.client.ErrorId;
import dev.fusebox.doctor.Check;
import dev.fusebox.doctor.DiagnosedServer;
import dev.fusebox.doctor.Finding;
import dev.fusebox.doctor.Severity;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.platform.Ticker;
import dev.fusebox.protocol.JsonView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A check of a server through a running gateway, so that no second process is started. For one thread; blocks
/// until the gateway has connected to the server.
final class LiveCheck {
    private static final Set<String> WELL = Set.of("online", "idle", "discovering_tools", "syncing_tools");
    /// Statuses in which the gateway is not connected and does not connect on its own soon.
    private static final Set<String> UNCONNECTED = Set.of("offline", "error", "permanently_failed");

    private static final Set<String> RUNS = Set.of("running", "starting");
    private static final int ROUND_TRIPS = 3;
    private static final int MAX_NAMED = 5;

    // HTTP statuses of a gateway that did not ping the server.
    private static final int UNKNOWN = 404;
    private static final int CONFLICT = 409;
    private static final int NOT_POSSIBLE = 501;

    private final Ticker ticker;
    private final RunningGateways.Gateway gateway;
    private final String server;
    private final ErrorId rejected;

    /// @param rejected what it means that the server rejects its credentials
    LiveCheck(Ticker ticker, RunningGateways.Gateway gateway, String server, ErrorId rejected) {
        this.ticker = ticker;
        this.gateway = gateway;
        this.server = server;
        this.rejected = rejected;
    }

    DiagnosedServer.GatewayReport report() {
        try {
            JsonView seen = seen();
            if ("idle".equals(seen.string("status"))) {
                gateway.client().post(path() + "/connect", "");
                seen = seen();
            }
            Finding state = state(seen);
            List<Finding> findings = new ArrayList<>(List.of(state));
            findings.addAll(tools(seen));
            findings.addAll(failedLists(seen));
            findings.addAll(sharing(seen));
            if (state.severity() == Severity.OK) {
                findings.add(roundTrips());
            }
            return new DiagnosedServer.GatewayReport(findings, mayVisit(seen), isHeld(seen), missingScopes(seen));
        } catch (IOException silent) {
            Finding unheard = Finding.fail(
                            Check.GATEWAY,
                            ErrorId.GATEWAY_UNREACHABLE,
                            "no server status from gateway " + gateway.pid() + ": " + silent.getMessage())
                    .withRemedy("`" + fresh() + "` checks the server directly");
            return new DiagnosedServer.GatewayReport(List.of(unheard), false, false, Map.of());
        }
    }

    /// A direct check is skipped for forced-open breakers, and for credentials that were rejected, unless they can
    /// be renewed.
    private boolean mayVisit(JsonView seen) {
        String status = text(seen, "status");
        boolean isRenewable = status.equals("requires_reauth") && rejected != ErrorId.HTTP_401;
        return !isHeld(seen) && (isRenewable || UNCONNECTED.contains(status)) && !RUNS.contains(text(seen, "process"));
    }

    private static boolean isHeld(JsonView seen) {
        return text(seen.member("breaker"), "state").equals("forced-open");
    }

    private static Map<String, Set<String>> missingScopes(JsonView seen) {
        JsonView login = seen.member("login");
        Map<String, Set<String>> byTool = new TreeMap<>();
        for (JsonView missing : elements(login, "missingScopes")) {
            Set<String> scopes = new TreeSet<>();
            elements(missing, "scopes").forEach(scope -> scopes.add(String.valueOf(scope.string())));
            byTool.put(text(missing, "tool"), scopes);
        }
        return byTool;
    }

    private static List<JsonView> elements(@Nullable JsonView object, String member) {
        JsonView list = object == null ? null : object.member(member);
        return list == null ? List.of() : list.elements();
    }

    private String fresh() {
        return FuseboxCommand.onFile("doctor", server, "--fresh");
    }

    /// Measures pings from this command through the gateway to the server.
    private Finding roundTrips() throws IOException {
        List<Long> micros = new ArrayList<>();
        for (int i = 0; i < ROUND_TRIPS; i++) {
            long begun = ticker.nanos();
            OwnerClient.Answer answer = gateway.client().post(path() + "/ping", "");
            if (!answer.isGood()) {
                return unmeasured(answer);
            }
            micros.add((ticker.nanos() - begun) / 1000);
        }
        return Finding.ok(
                Check.ROUND_TRIP,
                "answered through the gateway in " + median(micros) + " (median of " + ROUND_TRIPS + ")");
    }

    /// A ping that was not sent is no finding about the server.
    private Finding unmeasured(OwnerClient.Answer answer) {
        return switch (answer.status()) {
            case CONFLICT ->
                Finding.ok(
                        Check.ROUND_TRIP,
                        "not measured: " + (isWithheld(answer) ? answer.problem() : "the server is busy with a call"));
            // Older gateways do not have the path.
            case NOT_POSSIBLE, UNKNOWN ->
                Finding.ok(Check.ROUND_TRIP, "not measured: this gateway cannot ping the server");
            default ->
                Finding.fail(Check.ROUND_TRIP, ErrorId.CALL_TIMEOUT, answer.problem())
                        .withRemedy("`" + fresh() + "` checks the server directly");
        };
    }

    private static boolean isWithheld(OwnerClient.Answer answer) {
        JsonView code = answer.body().path("error", "code");
        return code != null && "withheld".equals(code.string());
    }

    private static String median(List<Long> micros) {
        long median = micros.stream().sorted().toList().get(micros.size() / 2);
        return median / 1000 + "." + (median % 1000) / 100 + " ms";
    }

    private JsonView seen() throws IOException {
        return gateway.client().get(path()).good();
    }

    private String path() {
        return "servers/" + OwnerClient.encoded(server);
    }

    private List<Finding> sharing(JsonView seen) throws IOException {
        return seen.member("sharedBy") == null
                ? List.of()
                : SharingLines.findings(
                        server, gateway.client().get("servers").list("servers").elements());
    }

    private Finding state(JsonView seen) {
        String status = text(seen, "status");
        String message = text(seen, "statusMessage");
        String breaker = text(seen.member("breaker"), "state");
        boolean isWell = WELL.contains(status) && !breaker.endsWith("open");
        String words = status + " in gateway " + gateway.pid() + ": " + message;
        if (isWell) {
            return Finding.ok(Check.GATEWAY, words).shownBy(evidence(seen));
        }
        if (status.equals("disabled")) {
            return Finding.warn(Check.GATEWAY, ErrorId.SERVER_DISABLED, words)
                    .withRemedy("`" + FuseboxCommand.onFile("enable", server) + "` enables it");
        }
        return Finding.fail(Check.GATEWAY, errorId(status, breaker), words)
                .shownBy(evidence(seen))
                .withRemedy(
                        mayVisit(seen) && rejected != ErrorId.LOGIN_REQUIRED ? retry(status) : remedy(seen, status));
    }

    private ErrorId errorId(String status, String breaker) {
        return switch (status) {
            case "permanently_failed" -> ErrorId.PERMANENTLY_FAILED;
            case "requires_reauth" -> rejected;
            case "awaiting_user_config" -> ErrorId.VARIABLE_MISSING;
            default -> breaker.endsWith("open") ? ErrorId.BREAKER_OPEN : ErrorId.STATUS_DOWN;
        };
    }

    private String remedy(JsonView seen, String status) {
        return switch (status) {
            case "requires_reauth" ->
                rejected == ErrorId.LOGIN_REQUIRED
                        ? "`" + FuseboxCommand.onFile("login", server) + "` logs in, and the gateway uses that at once"
                        : "renew the credentials of " + server + ", then `" + FuseboxCommand.of("connect", server)
                                + gateway.option() + "`";
            case "awaiting_user_config" -> LiveGateways.startAgain(gateway);
            default ->
                isHeld(seen)
                        ? "`" + FuseboxCommand.of("breaker", "reset", server) + gateway.option()
                                + "` lets calls through"
                        : "`" + fresh() + "` checks the server directly";
        };
    }

    /// The remedy for the gateway's state; the cause is found by the direct check.
    private String retry(String status) {
        String action = status.equals("permanently_failed") ? "restart" : "connect";
        return "`" + FuseboxCommand.of(action, server) + gateway.option()
                + "` retries at once, when the cause is fixed";
    }

    private static List<String> evidence(JsonView seen) {
        List<String> lines = new ArrayList<>();
        JsonView breaker = seen.member("breaker");
        if (breaker != null) {
            String retry = text(breaker, "retryAt");
            lines.add("breaker " + text(breaker, "state") + ", " + counted(breaker, "failureCount", "failure") + ", "
                    + counted(breaker, "trips", "trip") + ", " + counted(breaker, "refusals", "refusal")
                    + (retry.isEmpty() ? "" : ", retry at " + retry));
            JsonView failure = breaker.member("lastFailure");
            if (failure != null) {
                lines.add("last failure " + text(failure, "category") + " at " + text(failure, "at"));
            }
        }
        for (String part : List.of("process", "connection")) {
            String state = text(seen, part);
            if (!state.isEmpty()) {
                lines.add(part + " " + state);
            }
        }
        lines.add(counted(seen, "inFlight", "call") + " in flight, " + number(seen, "waiting") + " waiting");
        past(seen, lines);
        String error = text(seen.member("lastError"), "message");
        if (!error.isEmpty()) {
            lines.add("last error: " + error);
        }
        return lines;
    }

    private static void past(JsonView seen, List<String> lines) {
        JsonView failures = seen.member("failures");
        if (failures != null) {
            lines.add("failures so far: " + number(failures, "connect") + " connecting, "
                    + number(failures, "midCall") + " during calls, " + counted(failures, "ping", "ping")
                    + ", " + counted(failures, "http", "response") + " with 5xx or 408; "
                    + counted(seen, "restarts", "restart"));
        }
        JsonView pool = seen.member("pool");
        if (pool != null) {
            lines.add("pool " + text(pool, "name") + ": " + number(pool, "taken") + " of " + number(pool, "size")
                    + " connections in use, " + number(pool, "connections") + " of them by this server, "
                    + counted(pool, "waiting", "connection attempt") + " waiting");
        }
    }

    private static String counted(JsonView seen, String member, String noun) {
        return OutputText.counted(String.valueOf(number(seen, member)), noun);
    }

    private static List<Finding> tools(JsonView seen) {
        Finding known = Finding.ok(Check.TOOLS, counted(seen, "toolCount", "tool") + " known");
        JsonView tools = seen.member("tools");
        List<String> hiding = (tools == null ? List.<JsonView>of() : tools.elements())
                .stream()
                        .filter(tool -> tool.member("hiddenText") != null)
                        .map(tool -> text(tool, "name"))
                        .toList();
        return hiding.isEmpty() ? List.of(known) : List.of(known, hidden(hiding));
    }

    private static List<Finding> failedLists(JsonView seen) {
        JsonView failed = seen.member("failedLists");
        return (failed == null ? List.<JsonView>of() : failed.elements())
                .stream()
                        .map(JsonView::string)
                        .filter(Objects::nonNull)
                        .map(Finding::listFailed)
                        .toList();
    }

    /// Same text as the direct check.
    private static Finding hidden(List<String> names) {
        return Finding.warn(
                        Check.TOOLS,
                        ErrorId.HIDDEN_TEXT,
                        names.size() + " of its tools contain hidden characters; Fusebox strips them from its output")
                .shownBy(names.subList(0, Math.min(MAX_NAMED, names.size())))
                .withRemedy("report it to the server's author; other servers are not affected");
    }

    private static String number(JsonView object, String member) {
        JsonView number = object.member(member);
        return number == null ? "0" : number.json();
    }

    private static String text(@Nullable JsonView object, String member) {
        String text = object == null ? null : object.string(member);
        return Objects.requireNonNullElse(text, "");
    }
}
