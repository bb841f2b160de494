package dev.fusebox.cli;

import dev.fusebox.config.LiteralSecrets;
import dev.fusebox.config.LiteralSecrets.Literal;
import dev.fusebox.platform.FuseboxCommand;
import dev.fusebox.protocol.JsonView;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// A check that keeps plain-text secrets out of files that may be published. For one command and one thread; does
/// not block.
final class LiteralCheck {
    private final Optional<Path> workTree;
    private final Map<String, String> variables = new HashMap<>();
    private final Map<String, List<Literal>> replaced = new LinkedHashMap<>();

    /// @param workTree the work tree of the file; empty if there is none and secrets are allowed
    LiteralCheck(Optional<Path> workTree) {
        this.workTree = workTree;
    }

    /// @throws ServeOptions.Problem if the entry contains a secret
    void refuse(String server, String entry, Path file) throws ServeOptions.Problem {
        LiteralSecrets secrets = LiteralSecrets.in(server, JsonView.of(entry), variables);
        if (workTree.isEmpty() || secrets.literals().isEmpty()) {
            return;
        }
        String places = secrets.literals().stream()
                .map(literal -> literal.place() + " (write '${" + literal.variable() + "}')")
                .distinct()
                .collect(Collectors.joining(", "));
        throw new ServeOptions.Problem("file not changed: " + file + " is in the work tree " + workTree.get()
                + " and may be published, and " + server + " seems to contain a secret in " + places
                + "; export the variable before `" + FuseboxCommand.of("serve")
                + "`. If it is not a secret, use a variable or edit the file by"
                + " hand; --config FILE selects another file");
    }

    /// The entry with each secret replaced by a variable, where secrets are not allowed.
    String replaced(String server, String entry) {
        if (workTree.isEmpty()) {
            return entry;
        }
        LiteralSecrets secrets = LiteralSecrets.in(server, JsonView.of(entry), variables);
        if (secrets.literals().isEmpty()) {
            return entry;
        }
        replaced.putIfAbsent(server, secrets.literals());
        return secrets.replaced();
    }

    /// The secrets that were replaced in a server's entry.
    List<Literal> of(String server) {
        return new ArrayList<>(replaced.getOrDefault(server, List.of()));
    }
}
