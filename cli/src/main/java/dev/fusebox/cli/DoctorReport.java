package dev.fusebox.cli;

import dev.fusebox.client.ErrorId;
import dev.fusebox.client.redaction.Redactor;
import dev.fusebox.doctor.Check;
import dev.fusebox.doctor.CheckResults;
import dev.fusebox.doctor.Finding;
import dev.fusebox.doctor.Severity;
import dev.fusebox.protocol.JsonWriter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// The report of `doctor`, as text or JSON. Immutable. Terminal control characters are not printed.
///
/// @param file the checked file; empty if there is none
/// @param servers in the order of the file
/// @param common findings about no particular server
/// @param isDetailed whether all findings of each server are shown
/// @param secrets hidden in the output
record DoctorReport(
        String file, List<CheckResults> servers, List<Finding> common, boolean isDetailed, Redactor secrets) {
    /// The checks that the report shows of a healthy server when there are several servers.
    private static final Set<Check> IN_SHORT = EnumSet.of(Check.GATEWAY, Check.HANDSHAKE, Check.TOOLS);

    /// Lines of evidence for each finding when there are several servers; `doctor NAME` shows all of them.
    private static final int MAX_EVIDENCE = 6;

    DoctorReport(String file, List<CheckResults> servers, List<Finding> common) {
        this(file, servers, common, false, Redactor.NONE);
    }

    DoctorReport {
        servers = List.copyOf(servers);
        common = List.copyOf(common);
    }

    /// A copy that hides these secrets.
    DoctorReport hiding(Redactor others) {
        return new DoctorReport(file, servers, common, isDetailed, others);
    }

    /// A copy that shows all findings of each server.
    DoctorReport inDetail() {
        return new DoctorReport(file, servers, common, true, secrets);
    }

    private long failed() {
        return servers.stream()
                .filter(results -> results.severity() == Severity.FAIL)
                .count();
    }

    /// Whether no check failed.
    boolean isHealthy() {
        return failed() == 0 && common.stream().noneMatch(finding -> finding.severity() == Severity.FAIL);
    }

    /// One line for each healthy server, a block for each other server and for the common findings, then the
    /// failures with their remedies and a summary. In a detailed report every server has a block.
    ///
    /// @param output whose color setting is used
    List<String> lines(CommandOutput output) {
        List<String> lines = new ArrayList<>();
        servers.forEach(results -> server(results, lines));
        if (!lines.isEmpty() && !lines.getLast().isEmpty()) {
            lines.add("");
        }
        block("gateway", common, lines, true);
        failures(lines);
        lines.add(sum());
        return lines.stream()
                .map(OutputText::plain)
                .map(secrets::hide)
                .map(line -> colored(line, output))
                .toList();
    }

    private String sum() {
        if (failed() == 0 && !isHealthy()) {
            return "✗ the gateway failed diagnostic";
        }
        return failed() == 0 ? healthy() : "✗ " + failed() + " of " + servers.size() + " server(s) failed diagnostic";
    }

    private String healthy() {
        long disabled = servers.stream()
                .filter(results ->
                        results.findings().stream().anyMatch(finding -> finding.errorId() == ErrorId.SERVER_DISABLED))
                .count();
        long examined = servers.size() - disabled;
        String others = disabled == 0 ? "" : ", " + disabled + " disabled";
        return examined == 0 && (disabled > 0 || file.isEmpty())
                ? "✓ no server to check" + others
                : "✓ all " + examined + " server(s) healthy" + others;
    }

    private void server(CheckResults results, List<String> lines) {
        if (isDetailed) {
            block(results.server(), results.findings(), lines, true);
        } else if (results.severity() == Severity.OK) {
            List<String> told = results.findings().stream()
                    .filter(finding -> IN_SHORT.contains(finding.check()))
                    .map(Finding::cause)
                    .toList();
            String first = results.findings().isEmpty()
                    ? ""
                    : results.findings().getFirst().cause();
            lines.add("✓ " + results.server() + ": " + (told.isEmpty() ? first : String.join("; ", told)));
        } else {
            if (!lines.isEmpty() && !lines.getLast().isEmpty()) {
                lines.add("");
            }
            List<Finding> wrong = results.findings().stream()
                    .filter(finding -> finding.severity() != Severity.OK)
                    .toList();
            block(results.server(), wrong, lines, false);
        }
    }

    /// Remedies of failures are printed at the end of the report.
    private static void block(String title, List<Finding> findings, List<String> lines, boolean isWhole) {
        if (findings.isEmpty()) {
            return;
        }
        lines.add(title);
        for (Finding finding : findings) {
            lines.add("  " + sign(finding.severity()) + " " + finding.check().heading() + ": " + summary(finding));
            evidence(finding, isWhole).forEach(line -> lines.add("      " + line));
            if (finding.remedy() != null && finding.severity() != Severity.FAIL) {
                lines.add("    → " + finding.remedy());
            }
        }
        lines.add("");
    }

    /// All evidence, or an excerpt that starts at the decisive line; without one, the last lines.
    private static List<String> evidence(Finding finding, boolean isWhole) {
        List<String> all = finding.evidence();
        if (isWhole || all.size() <= MAX_EVIDENCE) {
            return all;
        }
        int last = all.size() - MAX_EVIDENCE;
        int from = finding.decisive() < 0 ? last : Math.min(finding.decisive(), last);
        return all.subList(from, from + MAX_EVIDENCE);
    }

    private static String summary(Finding finding) {
        ErrorId errorId = finding.errorId();
        return finding.cause() + (errorId == null ? "" : " [" + errorId.id() + "]");
    }

    private static String sign(Severity severity) {
        return switch (severity) {
            case OK -> "✓";
            case WARN -> "⚠";
            case FAIL -> "✗";
        };
    }

    /// Repeats all failures at the end, where they are still on the screen.
    private void failures(List<String> lines) {
        List<Failure> failures = new ArrayList<>();
        servers.forEach(results -> failures.addAll(Failure.in(results.server(), results.findings())));
        failures.addAll(Failure.in("gateway", common));
        if (failures.isEmpty()) {
            return;
        }
        lines.add("failed");
        for (int i = 0; i < failures.size(); i++) {
            Failure failure = failures.get(i);
            lines.add("  " + (i + 1) + ". " + failure.title() + ": " + summary(failure.root()));
            failure.remedies().forEach(remedy -> lines.add("    → " + remedy));
        }
        lines.add("");
    }

    /// The root failure of one server or of the gateway.
    ///
    /// @param root the last failure, because the gateway's view comes before the server's own
    private record Failure(String title, Finding root, List<String> remedies) {
        /// At most one failure.
        static List<Failure> in(String title, List<Finding> findings) {
            List<Finding> failed = findings.stream()
                    .filter(finding -> finding.severity() == Severity.FAIL)
                    .toList();
            List<String> remedies = failed.reversed().stream()
                    .map(Finding::remedy)
                    .filter(Objects::nonNull)
                    .distinct()
                    .toList();
            return failed.isEmpty() ? List.of() : List.of(new Failure(title, failed.getLast(), remedies));
        }
    }

    private static String colored(String line, CommandOutput output) {
        String text = line.strip();
        if (text.startsWith("✓")) {
            return output.green(line);
        }
        if (text.startsWith("⚠")) {
            return output.yellow(line);
        }
        if (text.startsWith("✗")) {
            return output.red(line);
        }
        boolean isTitle = !text.isEmpty() && !line.startsWith(" ");
        return isTitle || text.startsWith("→") ? output.bold(line) : line;
    }

    String json() {
        JsonWriter json = new JsonWriter().beginObject();
        json.name("file").string(file).name("healthy").bool(isHealthy());
        json.name("failed").number(failed()).name("total").number(servers.size());
        json.name("servers").beginArray();
        for (CheckResults results : servers) {
            json.beginObject().name("name").string(results.server());
            json.name("severity").string(results.severity().toString()).name("findings");
            write(results.findings(), json);
            json.endObject();
        }
        json.endArray().name("common");
        write(common, json);
        return secrets.hide(json.endObject().toString());
    }

    private static void write(List<Finding> findings, JsonWriter json) {
        json.beginArray();
        for (Finding finding : findings) {
            json.beginObject().name("id").string(finding.id());
            json.name("check").string(finding.check().toString());
            json.name("severity").string(finding.severity().toString());
            json.name("cause").string(finding.cause()).name("evidence").beginArray();
            finding.evidence().forEach(json::string);
            json.endArray().name("remedy").string(finding.remedy());
            ErrorId errorId = finding.errorId();
            json.name("help").string(errorId == null ? null : errorId.page()).endObject();
        }
        json.endArray();
    }
}
