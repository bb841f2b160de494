package dev.fusebox.testkit.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// What a server does: how it lists, what it writes down, and what it does wrong. The same as command line
/// arguments (`--page-size 10 --journal calls.txt --era modern --fault hang@3`) and as environment variables
/// (`FIXTURE_PAGE_SIZE`, `FIXTURE_JOURNAL`, `FIXTURE_ERA`, `FIXTURE_FAULTS`, with commas between faults).
///
/// @param pageSize how many entries a page of a list has; 0 for all on one page
/// @param journal a file that gets a line for every call it executes
/// @param era which eras of the protocol it speaks
/// @param faults in the order in which they happen, when several happen at one call
public record ServerScript(int pageSize, Optional<Path> journal, Era era, List<ScriptedFault> faults) {
    static final String PAGE_SIZE = "--page-size";
    static final String JOURNAL = "--journal";
    static final String ERA = "--era";
    static final String FAULT = "--fault";

    public ServerScript {
        if (pageSize < 0) {
            throw new IllegalArgumentException("a page of " + pageSize + " entries cannot be");
        }
        faults = List.copyOf(faults);
    }

    /// A server without faults and without a journal, for both eras.
    public static ServerScript faultless() {
        return new ServerScript(0, Optional.empty(), Era.BOTH, List.of());
    }

    public ServerScript withPageSize(int other) {
        return new ServerScript(other, journal, era, faults);
    }

    public ServerScript withJournal(Path file) {
        return new ServerScript(pageSize, Optional.of(file), era, faults);
    }

    public ServerScript withEra(Era other) {
        return new ServerScript(pageSize, journal, other, faults);
    }

    /// The same with these faults more.
    public ServerScript with(ScriptedFault... more) {
        return new ServerScript(
                pageSize,
                journal,
                era,
                Stream.concat(faults.stream(), Arrays.stream(more)).toList());
    }

    /// The same with this fault more, at every call.
    public ServerScript with(FaultKind kind) {
        return with(ScriptedFault.of(kind));
    }

    /// As command line arguments.
    public List<String> arguments() {
        var arguments = new ArrayList<String>();
        if (pageSize > 0) {
            arguments.addAll(List.of(PAGE_SIZE, Integer.toString(pageSize)));
        }
        journal.ifPresent(file -> arguments.addAll(List.of(JOURNAL, file.toString())));
        if (era != Era.BOTH) {
            arguments.addAll(List.of(ERA, era.text()));
        }
        faults.forEach(fault -> arguments.addAll(List.of(FAULT, fault.text())));
        return arguments;
    }

    /// Reads the variables; what they leave out is as in [#faultless].
    static ServerScript of(Map<String, String> environment) {
        ServerScript script = faultless();
        String size = environment.getOrDefault("FIXTURE_PAGE_SIZE", "");
        String file = environment.getOrDefault("FIXTURE_JOURNAL", "");
        String era = environment.getOrDefault("FIXTURE_ERA", "");
        String faults = environment.getOrDefault("FIXTURE_FAULTS", "");
        script = size.isEmpty() ? script : script.and(PAGE_SIZE, size);
        script = file.isEmpty() ? script : script.and(JOURNAL, file);
        script = era.isEmpty() ? script : script.and(ERA, era);
        for (String fault : faults.isEmpty() ? new String[0] : faults.split(",", -1)) {
            script = script.and(FAULT, fault.strip());
        }
        return script;
    }

    /// The same with one command line argument more.
    ServerScript and(String name, String value) {
        return switch (name) {
            case PAGE_SIZE -> withPageSize(Integer.parseInt(value));
            case JOURNAL -> withJournal(Path.of(value));
            case ERA -> withEra(Era.parse(value));
            case FAULT -> with(ScriptedFault.parse(value));
            default -> throw new IllegalArgumentException("there is no " + name);
        };
    }

    boolean has(FaultKind kind) {
        return faults.stream().anyMatch(fault -> fault.kind() == kind);
    }

    /// The fault of a kind that does not wait for a call.
    Optional<ScriptedFault> fault(FaultKind kind) {
        return faults.stream().filter(fault -> fault.kind() == kind).findFirst();
    }
}
