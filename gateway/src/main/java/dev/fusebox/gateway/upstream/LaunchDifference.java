package dev.fusebox.gateway.upstream;

import java.util.Collection;
import java.util.List;

/// Why clients of a server do not share its process with those of another server of the same name. Immutable; it has
/// names only, because values may be secrets.
///
/// @param variables of the environment of the process, in alphabetical order
/// @param settings other things, such as `folder` or `args`
/// @param isInClientFolder whether the process runs in the folder of its client, because the configuration names none
public record LaunchDifference(List<String> variables, List<String> settings, boolean isInClientFolder) {
    /// The working folder, as it is named in [#settings].
    public static final String FOLDER = "folder";

    public LaunchDifference {
        variables = List.copyOf(variables);
        settings = List.copyOf(settings);
    }

    /// Where only these settings differ.
    public static LaunchDifference of(Collection<String> settings) {
        return new LaunchDifference(List.of(), List.copyOf(settings), false);
    }

    /// Whether only the folder is different, which is that of the client.
    boolean isClientFolderOnly() {
        return isInClientFolder && variables.isEmpty() && settings.equals(List.of(FOLDER));
    }
}
