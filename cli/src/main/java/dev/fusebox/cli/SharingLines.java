package dev.fusebox.cli;

import dev.fusebox.client.ErrorId;
import dev.fusebox.doctor.Check;
import dev.fusebox.doctor.Finding;
import dev.fusebox.gateway.catalog.ServerLabel;
import dev.fusebox.protocol.JsonView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Who shares the processes of a server, for people: from the reports of a gateway on one server, which has several
/// if clients need different processes of it. Pure functions.
final class SharingLines {
    private static final String FOLDERS = "clients in different folders have different processes";

    private static final String OTHERS = "clients without a session";

    private final String server;
    private final String noun;
    private final List<JsonView> processes = new ArrayList<>();
    private final boolean isOnePerFolder;
    private final List<String> differences;

    private SharingLines(List<JsonView> reports) {
        JsonView first = reports.getFirst();
        server = name(first);
        noun = first.member("process") == null ? "connection" : "process";
        reports.forEach(report -> processes.addAll(elements(report, "sharedBy")));
        isOnePerFolder = reports.stream().anyMatch(SharingLines::isOnePerFolder);
        differences = reports.stream()
                .filter(report -> report.member("differsFrom") != null)
                .map(SharingLines::difference)
                .toList();
    }

    private static boolean isOnePerFolder(JsonView report) {
        return report.member("onePerFolder") != null;
    }

    private static String difference(JsonView report) {
        List<String> names = new ArrayList<>();
        for (String member : List.of("differentVariables", "differentSettings")) {
            elements(report, member).forEach(name -> names.add(OutputText.plain(name.string())));
        }
        return OutputText.plain(report.string("name")) + " differs from "
                + OutputText.plain(report.string("differsFrom")) + " in " + String.join(", ", names);
    }

    /// The lines below a server in `status`.
    ///
    /// @param isShared whether clients share the gateway; otherwise a single client is not worth a line
    static List<String> of(JsonView report, boolean isShared) {
        SharingLines sharing = new SharingLines(List.of(report));
        List<String> lines = new ArrayList<>();
        if (sharing.clients() > 1 || (isShared && !sharing.processes.isEmpty())) {
            lines.add(sharing.sharers());
        }
        if (!sharing.notOffered().isEmpty()) {
            lines.add(sharing.lacking() + "; " + sharing.isolation());
        }
        lines.addAll(sharing.differences);
        return lines;
    }

    /// The line below all servers of a gateway in `status`; none if no server has a process for each folder.
    static List<String> ofAll(List<JsonView> reports) {
        List<String> names = reports.stream()
                .filter(SharingLines::isOnePerFolder)
                .map(SharingLines::name)
                .distinct()
                .toList();
        if (names.isEmpty()) {
            return List.of();
        }
        return List.of(FOLDERS + " of " + String.join(", ", names) + "; " + cwd(names));
    }

    /// What the doctor says of the server.
    ///
    /// @param reports all that the gateway has
    static List<Finding> findings(String server, List<JsonView> reports) {
        List<JsonView> own =
                reports.stream().filter(report -> name(report).equals(server)).toList();
        return own.isEmpty() ? List.of() : new SharingLines(own).findings();
    }

    private static String name(JsonView report) {
        return ServerLabel.of(OutputText.plain(report.string("name"))).server();
    }

    private List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        if (clients() > 1) {
            findings.add(Finding.ok(Check.GATEWAY, sharers()));
        }
        if (!notOffered().isEmpty()) {
            findings.add(Finding.warn(Check.GATEWAY, ErrorId.CONFIG_WARNING, lacking())
                    .withRemedy(isolation()));
        }
        differences.forEach(difference -> findings.add(Finding.ok(Check.GATEWAY, difference)));
        if (isOnePerFolder) {
            findings.add(Finding.ok(Check.GATEWAY, FOLDERS).withRemedy(cwd(List.of(server))));
        }
        return findings;
    }

    private int clients() {
        return processes.stream().mapToInt(SharingLines::count).sum();
    }

    private String sharers() {
        String clients = OutputText.counted(clients(), "client");
        String names = processes.stream().map(SharingLines::names).collect(Collectors.joining("; "));
        if (clients() == 0) {
            return "used by " + OTHERS + ", such as the command call";
        }
        if (processes.size() == 1) {
            return (clients() == 1 ? "used by " : "shared by ") + clients + ": " + names;
        }
        String plural = noun.equals("process") ? "processes" : noun + "s";
        return clients + " with " + processes.size() + " " + plural + ": " + names;
    }

    /// The names of the clients of one process, equal ones together.
    private static String names(JsonView process) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        elements(process, "clients").forEach(name -> counts.merge(OutputText.plain(name.string()), 1, Integer::sum));
        int named = counts.values().stream().mapToInt(each -> each).sum();
        String names = counts.entrySet().stream()
                .map(name -> name.getKey() + (name.getValue() == 1 ? "" : " (" + name.getValue() + ")"))
                .collect(Collectors.joining(", "));
        int others = count(process) - named;
        String all = others > 0 ? names + " and " + others + " more" : names;
        if (process.member("withoutSession") == null) {
            return all;
        }
        return all.isEmpty() ? OTHERS : all + ", and " + OTHERS;
    }

    private static int count(JsonView process) {
        JsonView count = process.member("clientCount");
        return count == null ? elements(process, "clients").size() : Integer.parseInt(count.json());
    }

    private Set<String> notOffered() {
        Set<String> names = new LinkedHashSet<>();
        for (JsonView process : processes) {
            elements(process, "notOffered").forEach(name -> names.add(OutputText.plain(name.string())));
        }
        return names;
    }

    private String lacking() {
        return "not offered to a shared " + noun + ", though a client of it can do that: "
                + String.join(", ", notOffered());
    }

    private String isolation() {
        return "\"isolation\": \"session\" for " + server + " gives each client its own " + noun;
    }

    private static String cwd(List<String> servers) {
        return servers.size() == 1
                ? "give " + servers.getFirst()
                        + " an absolute \"cwd\" if it does not depend on the folder of its client"
                : "give each an absolute \"cwd\" if it does not depend on the folder of its client";
    }

    private static List<JsonView> elements(JsonView object, String member) {
        JsonView list = object.member(member);
        return list == null ? List.of() : list.elements();
    }
}
