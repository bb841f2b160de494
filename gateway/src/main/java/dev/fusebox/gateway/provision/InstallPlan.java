package dev.fusebox.gateway.provision;

import dev.fusebox.config.PackageRelease;
import dev.fusebox.gateway.provision.RegistryEntry.Input;
import dev.fusebox.gateway.provision.RegistryEntry.Program;
import dev.fusebox.platform.FuseboxCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The installation proposal for a registry entry with a package. Pure functions.
///
/// A command line that is started without asking contains nothing from the registry: only what the operator wrote
/// into `provision.trusted`, which the entry must match exactly, and variables of the operator. Anything that an
/// entry adds needs a review by a person, and what cannot be reviewed (a moving version, lookalike letters,
/// options of the package runner) is not offered at all.
final class InstallPlan {
    private static final String SAFE_IN_A_NAME = "[^A-Za-z0-9_.-]";
    private static final String ARGUMENT = "argument";
    private static final int MAX_NAME = 48;

    /// A longer command is not reviewed before it is run.
    static final int MAX_COMMAND = 4_000;

    private InstallPlan() {}

    /// @param trusted the packages that the operator trusts: of several packages of an entry the first trusted one
    /// is taken
    static InstallProposal of(RegistryEntry entry, Set<PackageRelease> trusted) {
        List<InstallProposal> all = Stream.concat(
                        entry.packages().stream().map(each -> ofPackage(entry, each)),
                        entry.remotes().stream().map(each -> RemoteInstallPlan.of(entry, id(entry), each)))
                .toList();
        return all.stream()
                .filter(each -> each.launchConfig() != null && each.isTrusted(trusted))
                .findFirst()
                .or(() -> all.stream().filter(each -> each.command() != null).findFirst())
                .or(() -> all.stream().findFirst())
                .orElseGet(() -> none(entry, "its entry has neither a package nor a remote address"));
    }

    /// The last part of a name such as `io.github.someone/weather`, in characters that are safe in all names.
    private static String id(RegistryEntry entry) {
        String last = entry.name().substring(entry.name().lastIndexOf('/') + 1);
        String safe = last.replaceAll(SAFE_IN_A_NAME, "-").replaceFirst("^[^A-Za-z0-9]+", "");
        String cut = safe.substring(0, Math.min(MAX_NAME, safe.length()));
        return cut.isEmpty() ? "server" : cut;
    }

    private static InstallProposal none(RegistryEntry entry, String note) {
        return new InstallProposal(entry, id(entry), null, null, null, note);
    }

    private static InstallProposal ofPackage(RegistryEntry entry, Program wanted) {
        PackageInstaller packageInstaller = PackageInstaller.of(wanted.source().type());
        if (packageInstaller == null) {
            return none(entry, "packages of this type are not supported");
        }
        PackageRelease release = packageInstaller.release(wanted.identifier(), wanted.version());
        if (release == null) {
            return none(entry, "it has no package with an exact, immutable version");
        }
        String refusal = refusal(packageInstaller, wanted);
        if (refusal != null) {
            return new InstallProposal(entry, id(entry), release, null, null, refusal);
        }
        String id = id(entry);
        String doubt = doubt(entry, packageInstaller, wanted);
        LaunchConfig launchConfig = doubt == null ? automatic(id, packageInstaller, release, wanted) : null;
        List<String> command = new ArrayList<>(FuseboxCommand.firstWordsOnFile("add"));
        command.add(id);
        required(wanted.start().variables()).forEach(each -> command.addAll(List.of("--env", variable(each))));
        command.addAll(packageInstaller.command(
                release,
                names(wanted),
                required(wanted.start().arguments())
                        .map(each -> argument(id, each))
                        .toList()));
        String joined = ShellWords.joined(command);
        return joined.length() > MAX_COMMAND
                ? new InstallProposal(entry, id, release, null, null, "its command is too long to be reviewed")
                : new InstallProposal(
                        entry, id, release, launchConfig, joined, doubt == null ? "" : "it needs a review: " + doubt);
    }

    // ---- Rejected entries

    private static @Nullable String refusal(PackageInstaller packageInstaller, Program wanted) {
        Program.Start start = wanted.start();
        if (!packageInstaller.isUsual(wanted.source().address())) {
            return "it does not come from the default registry";
        }
        boolean isUsual = start.runtime().isEmpty() || start.runtime().equals(packageInstaller.program());
        if (!isUsual || start.hasOptions()) {
            return "it requires options of the package runner";
        }
        if (!start.transport().equals("stdio")) {
            return "it does not use standard input and output";
        }
        return Stream.concat(start.arguments().stream(), start.variables().stream())
                                .allMatch(EntryInputs::isReadable)
                        && start.variables().stream().allMatch(EntryInputs::isHarmlessVariable)
                ? null
                : "it has arguments or variables that are misleading, or that decide what is run";
    }

    // ---- Entries that need a review

    private static @Nullable String doubt(RegistryEntry entry, PackageInstaller packageInstaller, Program wanted) {
        Program.Start start = wanted.start();
        if (entry.isRetired()) {
            return "it is deprecated";
        }
        if (wanted.sha256() != null && !packageInstaller.checksDigests()) {
            return "it has a digest, which " + packageInstaller.program() + " does not check";
        }
        boolean hasText = Stream.concat(required(start.arguments()), required(start.variables()))
                .anyMatch(each -> each.text() != null || each.isOption());
        return hasText ? "it is started with arguments or variables from the registry" : null;
    }

    private static LaunchConfig automatic(
            String id, PackageInstaller packageInstaller, PackageRelease release, Program wanted) {
        Map<String, String> environment = required(wanted.start().variables())
                .collect(Collectors.toMap(Input::name, each -> "${" + each.name() + "}", (one, same) -> one));
        List<String> names = required(wanted.start().arguments())
                .map(each -> EntryInputs.variable(id, ARGUMENT, each))
                .toList();
        List<String> inputs = Stream.concat(environment.keySet().stream().sorted(), names.stream())
                .distinct()
                .toList();
        List<String> arguments = names.stream().map(name -> "${" + name + "}").toList();
        List<String> command = packageInstaller.command(release, names(wanted), arguments);
        environment.putAll(packageInstaller.precautions());
        return new LaunchConfig(command.getFirst(), command.subList(1, command.size()), environment, inputs);
    }

    private static List<String> names(Program wanted) {
        return required(wanted.start().variables()).map(Input::name).distinct().toList();
    }

    private static Stream<Input> required(List<Input> inputs) {
        return inputs.stream().filter(Input::isRequired);
    }

    /// As a person sets it: the text of the registry, or a variable if there is none.
    private static String argument(String id, Input input) {
        String value = input.text() == null ? "${" + EntryInputs.variable(id, ARGUMENT, input) + "}" : input.text();
        return input.isOption() ? input.name() + "=" + value : value;
    }

    private static String variable(Input input) {
        return input.name() + "=" + (input.text() == null ? "${" + input.name() + "}" : input.text());
    }
}
